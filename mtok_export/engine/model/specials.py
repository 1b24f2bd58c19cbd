"""The search for special tokens, with which the engine begins, whatever the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


class Specials:
    """The special tokens of a header by what is looked for in a text.

    Args:
        ids: the special list.
        shown: what decoding makes of one id; an id that it makes nothing of is not looked for.
    """

    def __init__(self, ids: Iterable[int], shown: Callable[[int], bytes]) -> None:
        texts = ((shown(id_), id_) for id_ in ids)
        self._texts = [(text, id_) for text, id_ in texts if text]
        self._starts = {text[0] for text, _ in self._texts}

    def __bool__(self) -> bool:
        """Whether any is looked for."""
        return bool(self._texts)

    def encode(self, data: bytes, rest: Callable[[bytes], Iterable[int]]) -> Iterator[int]:
        """Place by place the first special of the list that fits.

        Args:
            data: the text.
            rest: the ids of a stretch between two of them; it is never asked about an empty one.
        """
        start = at = 0
        while at < len(data):
            found = None
            if data[at] in self._starts:
                found = next(((text, id_) for text, id_ in self._texts if data.startswith(text, at)), None)
            if found is None:
                at += 1
                continue
            if at > start:
                yield from rest(data[start:at])
            yield found[1]
            start = at = at + len(found[0])
        if start < len(data):
            yield from rest(data[start:])
