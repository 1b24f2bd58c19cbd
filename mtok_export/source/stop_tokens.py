"""The ids that end generation, collected from everywhere, each with its reasons.

In this order: ``eos_token``; every ``eos_token_id`` of ``generation_config.json`` (of ``config.json`` where there is no
such file); the added token with which the chat template closes the assistant's turn; what the user asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mtok_export.errors import SourceError
from mtok_export.source.chat_template import find_end_of_turn
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.json_values import I32_MAX, JsonObject, quote, unsigned
from mtok_export.source.settings import ChatTemplate, Notice, SpecialToken, StopToken
from mtok_export.source.special_tokens import NamedToken, is_decimal
from mtok_export.source.token_lookup import TokenLookup

_NAMED = 5
"""Of many ids a message names so many."""


class StopTokens:
    """The stop tokens found so far, and what is odd about them."""

    def __init__(self, tokens: TokenLookup) -> None:
        self._tokens = tokens
        self._reasons: dict[int, list[str]] = {}
        self.notices: list[Notice] = []

    def add(self, token_id: int, reason: str) -> None:
        """Take ``token_id`` for a stop id."""
        self._reasons.setdefault(token_id, []).append(reason)

    def result(self) -> tuple[StopToken, ...]:
        """All of them, in the order in which they were found."""
        texts = self._tokens.texts_of(self._reasons)
        return tuple([StopToken(i, texts.get(i), tuple(reasons)) for i, reasons in self._reasons.items()])

    def add_eos_token(self, eos: NamedToken | None) -> None:
        """Take the id of ``eos_token``, if there is one."""
        token_id = None if eos is None else self._tokens.id_of(eos.content)
        if eos is not None and token_id is not None:
            self.add(token_id, eos.where)

    def add_generation_config(
        self, files: ConfigFiles, bos_token: SpecialToken | None, eos_token: SpecialToken | None
    ) -> None:
        """Take every ``eos_token_id``, and compare it (and ``bos_token_id``) with the token of that role.

        Raises:
            SourceError: for an id that is no integer from 0 to 2**31 - 1, the highest that the engine can give.
        """
        config = files.generation_config
        if config is None:
            return
        ids = _ids(config, "eos_token_id")
        known = self._tokens.texts_of(token_id for token_id, _ in ids)
        for token_id, where in ids:
            self.add(token_id, where)
        lost = [(token_id, where) for token_id, where in ids if token_id not in known]
        if len(lost) == 1:
            problem = f"no token of tokenizer.json has the id {lost[0][0]}; it is a stop id all the same"
            self.notices.append(Notice(lost[0][1], problem))
        elif lost:
            problem = f"no token of tokenizer.json has the ids {_listed(token_id for token_id, _ in lost)}"
            self.notices.append(Notice(config.at("eos_token_id"), f"{problem}; they are stop ids all the same"))
        self._compare(config, "eos_token_id", [token_id for token_id, _ in ids], "eos_token", eos_token)
        bos_ids = [token_id for token_id, _ in _ids(config, "bos_token_id")]
        self._compare(config, "bos_token_id", bos_ids, "bos_token", bos_token)

    def _compare(self, config: JsonObject, field: str, ids: list[int], role: str, token: SpecialToken | None) -> None:
        if not ids or token is None or token.id is None or token.id in ids:
            return
        stated = _listed(ids)
        consequence = "all of them end generation" if role == "eos_token" else "the latter counts"
        problem = f"{field} is {stated}, but {role} is {quote(token.content)} with the id {token.id}"
        self.notices.append(Notice(config.at(field), f"{problem}; {consequence}"))

    def add_chat_template(
        self, template: ChatTemplate | None, bos_token: SpecialToken | None, eos_token: SpecialToken | None
    ) -> None:
        """Take the added token with which the template closes the assistant's turn."""
        if template is None:
            return
        bos, eos = (None if token is None else token.content for token in (bos_token, eos_token))
        found, notices = find_end_of_turn(template, self._tokens.added.values(), bos, eos)
        self.notices.extend(notices)
        if found is not None:
            self.add(found.id, f"{template.origin}: the chat template closes the assistant's turn with it")

    def add_asked_for(self, wanted: Sequence[str | int]) -> None:
        """Take what the user names: the text of a token, or an id as a number or in decimal digits.

        Digits are an id unless an added token is called so (nearly every vocab has a token ``2``, and nobody means it).

        Raises:
            SourceError: for what is neither.
        """
        if isinstance(wanted, str):
            hint = f"give [{wanted!r}] for one token"
            raise SourceError("the stop tokens are one string, and a list of them is needed", hint=hint)
        if not isinstance(wanted, Iterable):
            raise SourceError(f"the stop tokens are {wanted!r}, and a list is needed", hint="give () for none")
        for text in map(str, wanted):
            token_id = self._tokens.id_of(text) if text in self._tokens.added or not is_decimal(text) else int(text)
            if token_id is None:
                problem = f"{quote(text)} is neither a token of this tokenizer nor an id"
                raise SourceError(problem, where="stop token", hint="give a token's exact text or its id")
            if not self._tokens.texts_of((token_id,)):
                raise SourceError(f"no token of this tokenizer has the id {token_id}", where="stop token")
            self.add(token_id, f"asked for as {quote(text)}")


def _listed(ids: Iterable[int]) -> str:
    """Some ids in words, the first of them by name."""
    texts = [str(token_id) for token_id in ids]
    more = [f"and {len(texts) - _NAMED:,} more"] if len(texts) > _NAMED else []
    return ", ".join([*texts[:_NAMED], *more])


def _ids(config: JsonObject, field: str) -> list[tuple[int, str]]:
    """The ids at a field that holds one, several or none, each with its JSON path."""
    value = config.items.get(field)
    if value is None:
        return []
    path = config.at(field)
    if isinstance(value, list):
        return [(unsigned(item, f"{path}[{i}]", I32_MAX), f"{path}[{i}]") for i, item in enumerate(value)]
    return [(unsigned(value, path, I32_MAX), path)]
