"""The ``tokenizers`` library as a source of facts: imported only when a lowering has to ask it something."""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.panics import LibraryPanicError, panics_as_errors
from mtok_export.source.pipeline import (
    NFC,
    NFD,
    NFKC,
    NFKD,
    BertNormalizer,
    Lowercase,
    Nmt,
    Normalizer,
    NormalizerSequence,
    Precompiled,
    RegexPattern,
    ReplaceNormalizer,
    StripAccents,
)


def library_version() -> str:
    """The version of the installed ``tokenizers`` library, which is hardly ever imported for it."""
    noted = None if "tokenizers" in sys.modules else _noted_version()
    if noted is not None:
        return noted
    from tokenizers import __version__

    return str(__version__)


def _noted_version() -> str | None:
    """The version in the name of the folder that an installer has put beside the library's.

    To look there takes less than to import ``importlib.metadata``, let alone the library.
    """
    spec = PathFinder.find_spec("tokenizers")
    if spec is None or spec.origin is None:
        return None
    noted = [folder.name for folder in Path(spec.origin).parents[1].glob("tokenizers-*.dist-info")]
    return noted[0].removeprefix("tokenizers-").removesuffix(".dist-info") if len(noted) == 1 else None


def normalizer_function(normalizer: Normalizer, path: str) -> Callable[[str], str]:
    """What the library does to a text for one normalizer component.

    Raises:
        SourceError: the library refuses the component's parameters (a damaged charsmap, a bad regex).
    """
    return sequence_function([normalizer], path)


def sequence_function(components: Sequence[Normalizer], path: str) -> Callable[[str], str]:
    """What the library does to a text for normalizer components one after another.

    Raises:
        SourceError: the library refuses a component's parameters.
    """
    from tokenizers import normalizers

    built = [_build(component, path) for component in components]
    function: Callable[[str], str] = (built[0] if len(built) == 1 else normalizers.Sequence(built)).normalize_str

    def guarded(text: str) -> str:
        try:
            with panics_as_errors():
                return function(text)
        except LibraryPanicError as error:
            hint = "the component is damaged, such as a character map that points beyond its own end"
            raise SourceError(f"the tokenizers library dies of it: {error}", where=path, hint=hint) from None

    return guarded


def _build(component: Normalizer, path: str) -> Any:
    from tokenizers import Regex, normalizers

    builders: dict[type, Callable[[Any], Any]] = {
        NFC: lambda _: normalizers.NFC(),
        NFD: lambda _: normalizers.NFD(),
        NFKC: lambda _: normalizers.NFKC(),
        NFKD: lambda _: normalizers.NFKD(),
        Lowercase: lambda _: normalizers.Lowercase(),
        Nmt: lambda _: normalizers.Nmt(),
        StripAccents: lambda _: normalizers.StripAccents(),
        NormalizerSequence: lambda n: normalizers.Sequence([_build(child, path) for child in n.normalizers]),
        Precompiled: lambda n: normalizers.Precompiled(base64.b64decode(n.precompiled_charsmap, validate=True)),
        BertNormalizer: lambda n: normalizers.BertNormalizer(
            clean_text=n.clean_text,
            handle_chinese_chars=n.handle_chinese_chars,
            strip_accents=n.strip_accents,
            lowercase=n.lowercase,
        ),
        ReplaceNormalizer: lambda n: normalizers.Replace(
            Regex(n.pattern.text) if isinstance(n.pattern, RegexPattern) else n.pattern.text, n.content
        ),
    }
    build = builders[type(component)]
    try:
        with panics_as_errors():
            return build(component)
    except Exception as error:  # the library raises bare Exception for all of these
        raise SourceError(
            f"{type(component).__name__}: the tokenizers library refuses it: {error}", where=path
        ) from None
