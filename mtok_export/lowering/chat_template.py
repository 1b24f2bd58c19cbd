"""The chat template: what the engine reads otherwise, and the BOS that must come once in a conversation.

An engine encodes a rendered conversation with the header's prefix in front, Hugging Face without.  So a template that
prints the prefix itself gets it taken out again; whether that worked is seen by rendering the template before and
after.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mtok_export.errors import SourceError
from mtok_export.lowering.findings import Place
from mtok_export.records import dataclass
from mtok_export.report import Aspect
from mtok_export.source.chat_template import call_ahead, render
from mtok_export.source.settings import Settings

if TYPE_CHECKING:
    from mtok_export.templating import TemplateFinding

_CHAT = (Aspect.CHAT,)

Message = Mapping[str, object]

_USER: Message = {"role": "user", "content": "Hi."}
_ASSISTANT: Message = {"role": "assistant", "content": "Yes?"}
_SYSTEM: Message = {"role": "system", "content": "Be brief."}

SCENES: tuple[tuple[tuple[Message, ...], bool], ...] = (
    ((_USER,), True),
    ((_SYSTEM, _USER), True),
    ((_USER, _ASSISTANT, _USER), True),
    ((_SYSTEM, _USER, _ASSISTANT, _USER, _ASSISTANT), False),
)
"""Conversations to render, each with whether the assistant's next turn is opened."""

NO_BOS = "{% set bos_token = '' %}\n"
"""In front of a template: the line end belongs to the tag, so the template's first line stays the start of a line."""


@dataclass(frozen=True)
class _Renderer:
    settings: Settings

    def scenes(self, template: str) -> list[str | None]:
        """Every scene rendered; None where the template refuses the scene (no system turn, say)."""
        return [self._scene(template, messages, opened) for messages, opened in SCENES]

    def _scene(self, template: str, messages: Sequence[Message], opened: bool) -> str | None:
        bos, eos = self.settings.bos_token, self.settings.eos_token
        try:
            return render(
                template,
                messages,
                add_generation_prompt=opened,
                bos_token=bos.content if bos else None,
                eos_token=eos.content if eos else None,
            )
        except SourceError:
            return None


@dataclass(frozen=True)
class Asked:
    """A template's text as it is lowered, and what waits for the findings about it: rows of ``TemplateFinding``."""

    text: str
    rows: Callable[[], list[list[Any]]]


def ask_about_template(settings: Settings, *, faithful: bool) -> Asked | None:
    """Have the template looked at in the process that renders it, where jinja2 is imported already."""
    if settings.chat_template is None:
        return None
    text = settings.chat_template.text
    if faithful:
        text = _as_jinja_reads_it(text)
    return Asked(text, call_ahead("mtok_export.templating.analysis:finding_rows", text))


def lower_chat_template(
    settings: Settings, prefix: str, place: Place, *, faithful: bool, asked: Asked | None = None
) -> str:
    """The template for the file.

    Args:
        settings: what says the template.
        prefix: the text of the header's prefix tokens ("" where there is none).
        place: gets what differs.
        faithful: whether the template may be changed.
        asked: what ``ask_about_template`` gave, where it was called earlier.

    Returns:
        The text, which is empty where there is no template.
    """
    asked = asked or ask_about_template(settings, faithful=faithful)
    if asked is None:
        return ""
    text = asked.text
    _limit_dialect(asked, place)
    if not prefix:
        place.became("template")
        return text
    renderer = _Renderer(settings)
    rendered = [scene for scene in renderer.scenes(text) if scene is not None]
    if not rendered:
        place.limit(
            "the template could not be rendered, so it is not known whether it prints the prefix itself", aspects=_CHAT
        )
        place.became("template")
        return text
    printing = [scene.startswith(prefix) for scene in rendered]
    if not all(printing):
        place.limit(
            f"an encoded conversation starts with {prefix!r}, which apply_chat_template does not put there",
            example=rendered[printing.index(False)],
            aspects=_CHAT,
        )
    if not any(printing):
        place.became("template")
        return text
    changed = _without_prefix(text, prefix, renderer) if faithful else None
    if changed is None:
        place.limit(
            f"the template prints {prefix!r} itself and the engine puts it in front: a conversation has it twice",
            example=rendered[printing.index(True)],
            aspects=_CHAT,
        )
    place.became("template" if changed is None else "template without the prefix that it prints itself")
    return text if changed is None else changed


def _limit_dialect(asked: Asked, place: Place) -> None:
    """Name what the engine's Jinja ignores or misreads; a template that it dies of is refused."""
    for finding in _findings(asked):
        if finding.kills:
            place.refuse(f"{finding}; another template can be given with --chat-template")
        else:
            place.limit(f"the engine's Jinja: {finding}", example=finding.excerpt, aspects=_CHAT)


def _findings(asked: Asked) -> Sequence[TemplateFinding]:
    from mtok_export.templating import TemplateFinding  # many tokenizers have no template

    try:
        return [TemplateFinding.of_row(row) for row in asked.rows()]
    except SourceError:  # no process could be started, or it takes too long there: it is looked at here
        from mtok_export.templating import template_findings

        return template_findings(asked.text)


def _as_jinja_reads_it(text: str) -> str:
    """Line ends as one character and no final one: Jinja reads a template so, the engine takes it literally."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n")


def _without_prefix(text: str, prefix: str, renderer: _Renderer) -> str | None:
    """The template made to print everything but the prefix, or None where no way does exactly that."""
    wanted = [scene if scene is None else scene.removeprefix(prefix) for scene in renderer.scenes(text)]
    candidates = [NO_BOS + text]
    if prefix in text:
        candidates += [text.replace(prefix, "", 1), text.replace(prefix, "")]
    for candidate in candidates:
        if renderer.scenes(candidate) == wanted:
            return candidate
    return None
