"""An inspection as lines for a person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from mtok_export.shown import counted, visible, visible_line

MANY = 8
"""Of longer lists the first are shown, unless a section is shown alone."""

FEW = 3

Values = Mapping[str, Any]


def file_lines(value: Values) -> Iterator[str]:
    """The whole of ``Inspection.as_dict``."""
    yield f"{visible_line(value['file'])}: {value['bytes']:,} bytes, type {value['type']}"
    yield from section_table(value["sections"])
    for section in value["sections"]:
        yield ""
        yield from section_lines(section["name"], value[section["name"]])


def section_table(sections: Iterable[Values]) -> Iterator[str]:
    """Offset, size and share of each section."""
    yield f"  {'section':<16}{'offset':>12}{'bytes':>12}{'share':>9}"
    for section in sections:
        yield f"  {section['name']:<16}{section['offset']:>12,}{section['bytes']:>12,}{section['share']:>9.2%}"


def section_lines(name: str, value: Any, most: int = MANY) -> Iterator[str]:
    """One section of it; of its lists the first ``most``."""
    yield f"{name}:"
    for line in _SECTIONS[name](value, most):
        yield f"  {line}"


# --- lists of ids -----------------------------------------------------------------------------------------------------


def _header(value: Values, most: int) -> Iterator[str]:
    for name in ("special_ids", "stop_ids", "prefix_ids"):
        ids = value[name]
        yield f"{name}: {len(ids):,}" if ids else f"{name}: none"
        yield from _first(map(_id, ids[:most]), len(ids) - most)


def _first(lines: Iterable[str], left: int) -> Iterator[str]:
    """The first lines of a list, and how many are left."""
    for line in lines:
        yield f"  {line}"
    if left > 0:
        yield f"  ... and {left:,} more"


def _id(value: Values) -> str:
    token = "no entry" if value["token"] is None else visible(value["token"])
    shown = "" if value["shown"] == value["token"] else f", streams as {visible(value['shown'])}"
    return f"{value['id']:>7}  {token}{shown}"


def _added_tokens(value: Values, most: int) -> Iterator[str]:
    beyond = f", {value['beyond_vocabulary']:,} beyond the vocabulary" if value["beyond_vocabulary"] else ""
    yield f"{counted(value['tokens'], 'token')}, {value['special']:,} special{beyond}"
    yield from _first(map(_token, value["list"][:most]), len(value["list"]) - most)


def _token(token: Values) -> str:
    words = ", ".join(word for word in ("special", "lstrip", "rstrip") if token[word])
    shown = "" if token["shown"] == token["content"] else f", streams as {visible(token['shown'])}"
    return f"{token['id']:>7}  {visible(token['content'])}{shown}{f' ({words})' if words else ''}"


# --- trees ------------------------------------------------------------------------------------------------------------


def _tree(value: Values, most: int) -> Iterator[str]:
    yield f"{value['name']} ({value['op']}){_parameters(value['parameters'])}"
    for line in _table(value["parameters"].get("entries")):
        yield f"  {line}"
    for child in value["children"]:
        for line in _tree(child, most):
            yield f"  {line}"
        if child["more_like_it"]:
            yield f"  ... and {child['more_like_it']:,} more {child['name']}"


def _parameters(values: Values) -> str:
    shown = [f"{name}={_shown(value)}" for name, value in values.items() if name != "entries"]
    return " " + " ".join(shown) if shown else ""


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return visible(value, 400) if isinstance(value, str) else str(value)


def _table(table: Values | None) -> Iterator[str]:
    if table is None:
        return
    yield f"table of {counted(table['entries'], 'entry', 'entries')}, looks like {table['looks_like']}"
    if table["kinds"]:
        kinds = ", ".join(f"{count:,} {name}" for name, count in table["kinds"].items())
        yield f"  {kinds} (by Unicode {table['unicode_data']})"
    for entry in table["first"]:
        codes = " ".join(f"U+{ord(char):04X}" for char in entry["to"][:MANY])
        yield f"  {entry['code_point']} -> {visible(entry['to'])} {codes}".rstrip()
    if table["entries"] > len(table["first"]):
        yield f"  ... and {table['entries'] - len(table['first']):,} more"


# --- model ------------------------------------------------------------------------------------------------------------

_MODEL_NUMBERS = {
    "merges": "merges",
    "highest_rank": "highest rank",
    "ranks_left_out": "ranks left out",
    "ids_that_merge": "ids that merge",
    "unk_token": "unk token",
    "unk_id": "unk id",
    "continuing_subword_prefix": "continuing subword prefix",
    "max_chars": "longest word in bytes",
    "continuing_entries": "continuing entries",
    "lowest_score": "lowest score",
    "highest_score": "highest score",
    "entries_with_score_0": "entries with score 0",
    "byte_fallback": "byte fallback",
    "byte_level": "byte level in the model",
}
_VOCABULARY_NUMBERS = {
    "highest_id": "highest id",
    "ids_without_entry": "ids without an entry",
    "ids_beyond": "ids not below the number of entries",
    "empty_entries": "empty entries",
    "ids_with_several_entries": "ids with several entries",
    "strings_with_several_entries": "strings with several entries",
    "byte_pieces": "byte pieces",
    "byte_level": "in byte-level characters",
}


def _model(value: Values, _most: int) -> Iterator[str]:
    yield value["kind"]
    yield from _numbers(value, _MODEL_NUMBERS)
    words = value["vocabulary"]
    yield f"vocabulary: {counted(words['entries'], 'entry', 'entries')}"
    for line in (*_numbers(words, _VOCABULARY_NUMBERS), *_lengths(words["characters"]), *_kinds(words["kinds"])):
        yield f"  {line}"
    for entry in words["longest"][:FEW]:
        yield f"  long: {entry['id']} {visible(entry['text'])}"


def _numbers(value: Values, names: Mapping[str, str]) -> Iterator[str]:
    for key, words in names.items():
        if key in value:
            number = value[key]
            plain = isinstance(number, int) and not isinstance(number, bool)
            yield f"{words}: {'none' if number is None else f'{number:,}' if plain else _shown(number)}"


def _lengths(value: Values) -> Iterator[str]:
    if value["mean"] is not None:
        steps = ", ".join(f"{count:,} up to {step}" for step, count in value["up_to"].items())
        yield f"characters: {value['shortest']} to {value['longest']}, {value['mean']} on average ({steps})"


def _kinds(kinds: Mapping[str, int]) -> Iterator[str]:
    shown = [f"{count:,} {name}" for name, count in kinds.items()]
    yield f"made of: {', '.join(shown)}"


# --- tail -------------------------------------------------------------------------------------------------------------


def _chat_template(value: Values, _most: int) -> Iterator[str]:
    if not value["characters"]:
        yield "none"
        return
    size = f"{counted(value['characters'], 'character')} in {counted(value['lines'], 'line')}"
    yield f"{size} (--chat-template prints it)"
    for line in value["head"]:
        shown = visible_line(line)
        yield f"| {shown if len(shown) <= 100 else shown[:100] + '...'}"
    if value["lines"] > len(value["head"]):
        yield f"  ... and {counted(value['lines'] - len(value['head']), 'more line')}"


def _post_processor(steps: list[Any], _most: int) -> Iterator[str]:
    yield "none" if not steps else "read by engines after 3.6.1 alone"
    for step in steps:
        yield "  the text" if step == "text" else f"  {_id(step)}"


def _flags(value: Values, _most: int) -> Iterator[str]:
    tidies = "yes" if value["clean_up_tokenization_spaces"] else "no"
    yield f"{value['value']:#04x} (clean_up_tokenization_spaces: {tidies})"


def _text(value: str, _most: int) -> Iterator[str]:
    yield visible(value) if value else "none"


_SECTIONS: dict[str, Callable[[Any, int], Iterator[str]]] = {
    "header": _header,
    "normalizer": _tree,
    "pre_tokenizer": _tree,
    "model": _model,
    "decoder": _tree,
    "added_tokens": _added_tokens,
    "chat_template": _chat_template,
    "eos": _text,
    "flags": _flags,
    "bos": _text,
    "post_processor": _post_processor,
    "padding": lambda value, _most: iter((f"bytes {value}",)),
}


# --- the options ------------------------------------------------------------------------------------------------------


def unreachable_lines(value: Values) -> Iterator[str]:
    """What ``Reachability.as_dict`` says."""
    yield ""
    yield f"entries that no text can give: {value['unreachable']:,} of {value['entries']:,}"
    yield f"  (beside {value['empty']:,} empty entries, and {value['found_as_tokens']:,} that are found as tokens;"
    yield "  what a pre-tokenizer cuts in every text is not counted)"
    for group in value["reasons"]:
        yield f"  {group['entries']:,}: {group['reason']}"
        first = [f"  {entry['id']:>7}  {visible(entry['entry'])}" for entry in group["first"][:MANY]]
        yield from _first(first, group["entries"] - len(first))


def script_lines(figures: Iterable[Values]) -> Iterator[str]:
    """Characters per token, by script."""
    yield ""
    yield f"  {'script':<20}{'texts':>8}{'characters':>12}{'tokens':>10}{'characters per token':>22}"
    for line in figures:
        ratio = "" if line["characters_per_token"] is None else f"{line['characters_per_token']:.3f}"
        yield f"  {line['script']:<20}{line['texts']:>8,}{line['characters']:>12,}{line['tokens']:>10,}{ratio:>22}"
