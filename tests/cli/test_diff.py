from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from mtok_export.cli import cli
from mtok_export.errors import FormatError
from mtok_export.format import MtokFile
from tests.diffing.test_diffing import BPE, CASES


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["diff", *map(str, arguments)])


def save(folder: Path, old: MtokFile, new: MtokFile) -> tuple[Path, Path]:
    paths = folder / "old.mtok", folder / "new.mtok"
    for path, file in zip(paths, (old, new), strict=True):
        path.write_bytes(file.encode())
    return paths


def test_the_same_file(tmp_path: Path) -> None:
    done = run(*save(tmp_path, BPE, BPE))
    assert (done.exit_code, done.output) == (0, "the same bytes\n")


def test_differences_are_shown_and_exit_with_1(tmp_path: Path) -> None:
    old, new, _, _ = CASES["entry with another id"]
    done = run(*save(tmp_path, old, new))
    assert (done.exit_code, done.output.splitlines()) == (
        1,
        ["model: entries with another id: 2", "    'a': 0 -> 1", "    'b': 1 -> 0"],
    )


def test_every_kind_of_difference_can_be_shown(tmp_path: Path) -> None:
    for old, new, (section, kind), _ in CASES.values():
        done = run(*save(tmp_path, old, new))
        assert done.exit_code == 1
        assert f"{section}: {kind}: " in done.output
        assert done.output.replace("\n", "").isprintable()


def test_templates_are_a_unified_diff(tmp_path: Path) -> None:
    old, new, _, _ = CASES["template"]
    paths = save(tmp_path, old, new)
    assert run(*paths).output.splitlines() == [
        "chat_template: text: 1",
        f"  --- {paths[0]}",
        f"  +++ {paths[1]}",
        "  @@ -1 +1 @@",
        "  -{{ messages }}",
        "  +{{ x }}",
    ]


def test_only_so_many_are_shown(tmp_path: Path) -> None:
    old, new, _, _ = CASES["entry with another id"]
    assert run(*save(tmp_path, old, new), "--most", "1").output.splitlines()[-1] == "  ... and 1 more"


def test_json(tmp_path: Path) -> None:
    old, new, _, _ = CASES["template"]
    done = run(*save(tmp_path, old, new), "--json")
    value = json.loads(done.output)
    assert done.exit_code == 1
    assert (value["same_bytes"], value["differences"][0]["count"]) == (False, 1)
    assert value["chat_template"][-1] == "+{{ x }}"


def test_damaged_files(tmp_path: Path) -> None:
    paths = save(tmp_path, BPE, BPE)
    paths[1].write_bytes(b"430 4\n")
    done = run(*paths)
    assert (done.exit_code, type(done.exception)) == (1, FormatError)
    assert "new.mtok" in str(done.exception)


def test_wrong_use() -> None:
    assert run("one").exit_code == 2
