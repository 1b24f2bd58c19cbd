"""Where the chat template comes from.

In this order, the first wins: a file that the user names; ``chat_template.jinja``; ``chat_template.json``;
``tokenizer_config.json``, as one template or as several with names; ``additional_chat_templates/NAME.jinja``.  A
template without a name is called ``default``, and that is the one that is taken unless the user asks for another.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mtok_export.errors import SourceError
from mtok_export.records import dataclass
from mtok_export.source.config_files import TOKENIZER_CONFIG, ConfigFiles
from mtok_export.source.files import ModelFolder, decode_text
from mtok_export.source.json_values import JsonObject, parse_object, quote, wrong_type
from mtok_export.source.settings import ChatTemplate, Notice

JINJA_FILE = "chat_template.jinja"
JSON_FILE = "chat_template.json"
JINJA_FOLDER = "additional_chat_templates"
DEFAULT_NAME = "default"


@dataclass(frozen=True)
class Candidate:
    """A template with its name."""

    name: str
    template: ChatTemplate


def find_chat_template(
    folder: ModelFolder, files: ConfigFiles, file: Path | None = None, name: str | None = None
) -> tuple[ChatTemplate | None, tuple[Notice, ...]]:
    """Find the chat template.

    Args:
        folder: the model's folder.
        files: its JSON files.
        file: a file with a template, which comes before all others.
        name: the name of the template to take.

    Returns:
        The template, if there is one, and what is worth saying about the choice.

    Raises:
        SourceError: when a template's file is damaged, when there is no template called ``name``, or when both ``file``
            and ``name`` are given (a file holds one template, without a name).
    """
    if file is not None:
        if name is not None:
            raise SourceError("a template file and the name of a template were both given", hint="give one of them")
        given = ChatTemplate(decode_text(folder.read(file), folder.name_of(file)), folder.name_of(file))
        return given, tuple(_differences(given, _quietly(_candidates(folder, files)), DEFAULT_NAME))
    candidates = list(_candidates(folder, files))
    wanted = DEFAULT_NAME if name is None else name
    chosen = next((candidate.template for candidate in candidates if candidate.name == wanted), None)
    names = ", ".join(quote(found) for found in dict.fromkeys(candidate.name for candidate in candidates)) or "none"
    if chosen is None:
        if name is not None:
            raise SourceError(
                f"there is no chat template called {quote(name)}; there are {names}", where="chat template"
            )
        if not candidates:
            return None, ()
        return None, (
            Notice("chat template", f"no chat template is called {DEFAULT_NAME} (there are {names}); none is used"),
        )
    return chosen, tuple(_differences(chosen, candidates, wanted))


def _quietly(candidates: Iterator[Candidate]) -> Iterator[Candidate]:
    """The candidates up to one that cannot be read: whoever names a file may do so because the others are broken."""
    try:
        yield from candidates
    except SourceError:
        return


def _differences(
    chosen: ChatTemplate, candidates: list[Candidate] | Iterator[Candidate], name: str
) -> Iterator[Notice]:
    if chosen.text.startswith("\ufeff"):
        yield Notice(
            chosen.origin, "the template starts with a byte order mark, which becomes part of every conversation"
        )
    for candidate in candidates:
        if candidate.name == name and candidate.template.text != chosen.text:
            problem = f"this chat template is not the one in {chosen.origin}, which comes first and is used"
            yield Notice(candidate.template.origin, problem)


def _candidates(folder: ModelFolder, files: ConfigFiles) -> Iterator[Candidate]:
    """All templates, empty ones left out, in the order in which they count."""
    for candidate in _all_candidates(folder, files):
        if candidate.template.text:
            yield candidate


def _all_candidates(folder: ModelFolder, files: ConfigFiles) -> Iterator[Candidate]:
    path = folder.find(JINJA_FILE)
    if path is not None:
        yield _from_jinja(folder, path, DEFAULT_NAME)
    path = folder.find(JSON_FILE)
    if path is not None:
        yield from _from_json(parse_object(folder.read(path), folder.name_of(path)), JSON_FILE)
    if files.tokenizer_config is not None:
        yield from _from_json(files.tokenizer_config, TOKENIZER_CONFIG)
    path = folder.find(JINJA_FOLDER)
    if path is not None and path.is_dir():
        try:
            found = sorted(entry for entry in path.iterdir() if entry.suffix == ".jinja")
        except OSError as error:
            raise SourceError(f"it cannot be read: {error.strerror or error}", where=folder.name_of(path)) from None
        for entry in found:
            yield _from_jinja(folder, entry, entry.stem)


def _from_jinja(folder: ModelFolder, path: Path, name: str) -> Candidate:
    origin = folder.name_of(path)
    return Candidate(name, ChatTemplate(decode_text(folder.read(path), origin), origin))


def _from_json(source: JsonObject, origin: str) -> list[Candidate]:
    """The templates at ``chat_template``: a string, an array of ``{"name", "template"}``, or an object by name."""
    value = source.items.get("chat_template")
    if value is None:
        return []
    if isinstance(value, str):
        return [Candidate(DEFAULT_NAME, ChatTemplate(value, origin))]
    if isinstance(value, list):
        pairs = [(entry.string("name"), entry.string("template")) for entry in source.objects("chat_template")]
    elif isinstance(value, dict):
        table = source.object("chat_template")
        pairs = [(name, table.string(name)) for name in table.items]
    else:
        raise wrong_type(value, "a string or an array of named templates", source.at("chat_template"))
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise source.error("chat_template", f"two templates are called {quote(name)}")
    return [Candidate(name, ChatTemplate(text, f"{origin} ({name})")) for name, text in pairs]
