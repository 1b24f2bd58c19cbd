"""Everything there is to say about a file, section by section, as plain JSON values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mtok_export.errors import MtokError
from mtok_export.format.spec import MAGIC, TYPE_PIPELINE, Flags
from mtok_export.format.tail import SpecialTokenId
from mtok_export.inspecting.records import tree
from mtok_export.inspecting.vocabulary import json_text, model_figures, vocabulary
from mtok_export.places import Opened
from mtok_export.shown import listed
from mtok_export.validating.subject import Subject

HEAD_LINES = 12
"""So many lines of a chat template are its head."""


class Inspection:
    """A file, looked at section by section.

    Args:
        opened: the file.
    """

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.subject = Subject(opened)
        self.added = {token.id: token.content for token in opened.file.added_tokens}

    def sections(self) -> list[dict[str, Any]]:
        """Name, first byte, size and share of each section, in file order; the sizes add up to the file's."""
        total = len(self.opened.data)
        return [
            {
                "name": span.name,
                "offset": span.start,
                "bytes": span.end - span.start,
                "share": round((span.end - span.start) / total, 6),
            }
            for span in self.opened.spans
        ]

    def section(self, name: str) -> Any:
        """One section, by its name in the file.

        Raises:
            MtokError: the file has no such section.
        """
        present = [span.name for span in self.opened.spans]
        rule = _SECTIONS.get(name)
        if rule is None or name not in present:
            known = f"the file has {listed(present, most=len(present))}"
            raise MtokError(f"there is no section {name!r}", where=self.opened.name, hint=known)
        return rule(self)

    def as_dict(self) -> dict[str, Any]:
        """The whole file."""
        return {
            "file": self.opened.name,
            "bytes": len(self.opened.data),
            "magic": MAGIC,
            "type": TYPE_PIPELINE,
            "sections": self.sections(),
            **{span.name: self.section(span.name) for span in self.opened.spans},
        }

    # --- sections -----------------------------------------------------------------------------------------------------

    def header(self) -> dict[str, Any]:
        """The three id lists."""
        header = self.opened.file.header
        return {
            "special_ids": self.ids(header.special_ids),
            "stop_ids": self.ids(header.stop_ids),
            "prefix_ids": self.ids(header.prefix_ids),
            "trailing_space": header.trailing_space,
        }

    def ids(self, ids: Iterable[int]) -> list[dict[str, Any]]:
        """Ids with the string of their entry, or of the added token where that is empty, and with what streams."""
        return [
            {
                "id": id_,
                "token": self.subject.entries.get(id_) or self.added.get(id_),
                "shown": json_text(self.subject.streamed(id_).decode("utf-8", "surrogateescape")),
            }
            for id_ in ids
        ]

    def model(self) -> dict[str, Any]:
        """The model's parameters, and figures about its tables."""
        file = self.opened.file
        return {**model_figures(file), "vocabulary": vocabulary(file)}

    def added_tokens(self) -> dict[str, Any]:
        """The added tokens, with what streaming shows of each."""
        tokens = self.opened.file.added_tokens
        return {
            "tokens": len(tokens),
            "special": sum(token.special for token in tokens),
            "beyond_vocabulary": sum(token.id >= self.subject.size for token in tokens),
            "list": [
                {
                    "id": token.id,
                    "content": token.content,
                    "special": token.special,
                    "lstrip": token.lstrip,
                    "rstrip": token.rstrip,
                    "shown": json_text(self.subject.streamed(token.id).decode("utf-8", "surrogateescape")),
                }
                for token in tokens
            ],
        }

    def chat_template(self) -> dict[str, Any]:
        """The template's size and its first lines."""
        template = self.opened.file.tail.chat_template or ""
        lines = template.splitlines()
        return {"characters": len(template), "lines": len(lines), "head": lines[:HEAD_LINES]}

    def post_processor(self) -> list[Any]:
        """The steps: ``"text"``, or a special token."""
        steps = self.opened.file.tail.post_processor or ()
        return [self.ids([step.id])[0] if isinstance(step, SpecialTokenId) else "text" for step in steps]

    def flags(self) -> dict[str, Any]:
        """The flags byte, and what its bits say."""
        flags = self.opened.file.tail.flags or 0
        return {
            "value": flags,
            "clean_up_tokenization_spaces": bool(flags & Flags.CLEAN_UP_TOKENIZATION_SPACES),
        }


def _tree(name: str) -> Callable[[Inspection], Any]:
    return lambda inspection: tree(inspection.opened.places, name).as_dict()


_SECTIONS: dict[str, Callable[[Inspection], Any]] = {
    "header": Inspection.header,
    "normalizer": _tree("normalizer"),
    "pre_tokenizer": _tree("pre_tokenizer"),
    "model": Inspection.model,
    "decoder": _tree("decoder"),
    "added_tokens": Inspection.added_tokens,
    "chat_template": Inspection.chat_template,
    "eos": lambda inspection: inspection.opened.file.tail.eos_token,
    "flags": Inspection.flags,
    "bos": lambda inspection: inspection.opened.file.tail.bos_token,
    "post_processor": Inspection.post_processor,
    "padding": lambda inspection: inspection.opened.file.tail.padding.hex(),
}
"""Every section of the format, by its name."""

SECTION_NAMES = tuple(_SECTIONS)
