"""How one component of ``tokenizer.json`` is recognised and read: tables of type -> rule, without a default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from mtok_export.records import dataclass
from mtok_export.source.json_values import JsonObject, quote

T = TypeVar("T")


@dataclass(frozen=True)
class Rule(Generic[T]):
    """How a component is read: the fields that its type has (beside ``type``), and what makes a component of them."""

    fields: frozenset[str]
    load: Callable[[JsonObject], T]


def rule(load: Callable[[JsonObject], T], *fields: str) -> Rule[T]:
    """A ``Rule``, written short."""
    return Rule(frozenset(fields), load)


HARMLESS_FIELDS: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("tokenizer", ""): {
        "role_to_token": "the library after 0.23 notes here which token is eos, bos, ...; it changes no id",
    },
    ("pre_tokenizer", "Metaspace"): {
        "str_rep": "old versions of the library wrote the replacement a second time; only `replacement` is ever read",
    },
    ("decoder", "Metaspace"): {
        "str_rep": "old versions of the library wrote the replacement a second time; only `replacement` is ever read",
    },
}
"""Fields that are no part of a component and change nothing, by (slot, type): field -> why it may stand there."""


def load_component(source: JsonObject, table: Mapping[str, Rule[T]], slot: str) -> T:
    """Read one component.

    The ``tokenizers`` library guesses the type of some components from their fields when ``type`` is missing or
    unknown.  No released version writes such a file, and a guess can be wrong, so it is an error here.

    Args:
        source: the component's object.
        table: the types that may stand in this slot.
        slot: the slot's name, such as ``"normalizer"``.

    Raises:
        SourceError: for an unknown type, an unknown field, and whatever the rule finds.
    """
    name = source.string("type")
    found = table.get(name)
    if found is None:
        raise source.error("type", f"{quote(name)} is no {slot} type; known are {', '.join(table)}")
    check_fields(source, found.fields | {"type"}, slot, name)
    return found.load(source)


def check_fields(source: JsonObject, known: frozenset[str], slot: str, name: str) -> None:
    """Complain about a field of ``source`` that is neither ``known`` nor harmless."""
    unknown = source.items.keys() - known
    if not unknown:
        return
    unknown -= HARMLESS_FIELDS.get((slot, name), {}).keys()
    for field in sorted(unknown):
        component = f"{slot} {name}" if name else slot
        known_names = ", ".join(sorted(known)) or "none"
        raise source.error(field, f"the field {quote(field)} of {component} is unknown; known are {known_names}")
