"""Ask the installed ``tokenizers`` library, and write the tables of ``mtok_export/facts``.

    python scripts/ask_tokenizers.py              # add the installed version to the tables that it agrees with
    python scripts/ask_tokenizers.py --replace    # write its answers where they differ, for this version alone
    python scripts/ask_tokenizers.py --check      # write nothing, exit 1 if a table would change

A new table starts with this module's entry in ``TABLES`` and is written by the first run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import tokenizers

from mtok_export import facts
from mtok_export.lowering import character_sets, composition
from mtok_export.lowering.regex.oniguruma import ask_properties

FOLDER = Path(facts.__file__).resolve().parent
WIDTH = 110
"""Characters of a table in one line of its module."""

TABLES: Mapping[str, tuple[str, Callable[[], bytes]]] = {
    "properties": (
        "Which characters have a property, to the regex library of ``tokenizers``; see ``lowering/regex/properties``.",
        ask_properties,
    ),
    "character_sets": (
        "The characters that each component of ``tokenizers`` changes or drops; see ``lowering/character_sets``.",
        character_sets.ask,
    ),
    "composition": (
        "What NFC of ``tokenizers`` does to neighbours, as replacements; see ``lowering/composition``.",
        composition.ask,
    ),
}
"""Each table: what its docstring says, and who asks for its bytes."""


def known(name: str) -> tuple[tuple[str, ...], bytes]:
    """The versions and the answers of a table as it is stored; none for one that is not."""
    home = f"{facts.__name__}.{name}"
    if find_spec(home) is None:
        return (), b""
    table = import_module(home)
    return table.VERSIONS, facts.unpacked(table.DATA)


def render(docstring: str, versions: tuple[str, ...], data: bytes) -> str:
    """The source of a table's module."""
    text = facts.packed(data)
    lines = "".join(f'    "{text[at : at + WIDTH]}"\n' for at in range(0, len(text), WIDTH))
    listed = "".join(f'    "{version}",\n' for version in versions)
    return f'"""{docstring}"""\n\nVERSIONS = (\n{listed})\n\nDATA = (\n{lines})\n'


def renewed(
    stored: tuple[tuple[str, ...], bytes], version: str, data: bytes, *, replace: bool
) -> tuple[tuple[str, ...], bytes] | None:
    """The versions and the answers of a table once a library has been asked.

    Args:
        stored: those from before.
        version: the version of the library.
        data: its answers.
        replace: whether answers of other versions give way.

    Returns:
        ``None`` where the answers differ from those of other versions and are not to replace them.
    """
    versions, before = stored
    others = tuple(each for each in versions if each != version)
    if data == before:
        return tuple(sorted({*versions, version}, key=_number)), data
    return ((version,), data) if replace or not others else None


def _number(version: str) -> list[tuple[bool, int, str]]:
    """A key that sorts versions by their numbers."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in version.split(".")]


def main() -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write down what the tokenizers library answers.")
    parser.add_argument("--check", action="store_true", help="compare with the tables, write nothing")
    parser.add_argument("--replace", action="store_true", help="let answers of other versions give way")
    options = parser.parse_args()
    version, wrong = tokenizers.__version__, 0
    for name, (docstring, ask) in TABLES.items():
        stored = known(name)
        found = renewed(stored, version, ask(), replace=options.replace)
        if found == stored:
            continue
        wrong += options.check or found is None
        if found is None:
            print(f"{name}: {version} answers otherwise than {', '.join(stored[0])}")
            continue
        print(f"{name}: {'would be written' if options.check else 'written'} for {', '.join(found[0])}")
        if not options.check:
            text = render(docstring, *found)
            (FOLDER / f"{name}.py").write_text(text, encoding="ascii", newline="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
