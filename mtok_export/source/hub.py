"""A model on the Hugging Face Hub in place of a directory: its tokenizer files are fetched, once, and nothing else is.

``huggingface_hub`` does it, with its own cache, login and environment variables (``HF_HOME``, ``HF_HUB_OFFLINE``,
``HF_ENDPOINT``, ``HF_TOKEN``); it is imported when it is needed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mtok_export.errors import MtokError, SourceError
from mtok_export.source.files import exists
from mtok_export.source.kinds import MERGES_OF, PATTERNS, TOKENIZER_FOLDER, Kind
from mtok_export.source.settings import Notice

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")
"""An owner and a name; a single word is a path that does not exist, far more often than a model."""

_FILE_ENDINGS = (".json", ".model", ".txt", ".tiktoken", ".gguf", ".jinja", ".bpe")

_FILES = (
    *(pattern for kind, patterns in PATTERNS.items() if kind is not Kind.GGUF for pattern in patterns),
    *MERGES_OF.values(),
    "*.spm",
    *("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "config.json", "generation_config.json"),
    *("chat_template.jinja", "chat_template.json", "additional_chat_templates/*.jinja"),
)
"""What is fetched.  No GGUF files: they hold the weights, and several stand side by side."""

REVISION = "main"


def local_path(
    path: str | os.PathLike[str], revision: str | None, *, trust_remote_code: bool
) -> tuple[Path, str | None]:
    """The directory or file that a user means: one that exists, or else the fetched files of a model on the Hub.

    Args:
        path: a path, or the id of a model such as ``Qwen/Qwen3-0.6B``.
        revision: a branch, tag or commit on the Hub.
        trust_remote_code: whether Python files of the model are fetched too.

    Returns:
        The path, and the id where it is one.

    Raises:
        SourceError: there is no such model or revision, or the Hub cannot be reached; a revision of a local path.
        MtokError: the package huggingface_hub is not installed.
    """
    found = Path(path)
    if exists(found):
        if revision is not None:
            problem = f"the revision {revision!r} goes with the id of a model on the Hub, and this is a path"
            raise SourceError(problem, where=str(found), hint="leave --revision out")
        return found, None
    repo = os.fspath(path) if isinstance(path, str) else found.as_posix()
    if not _ID.fullmatch(repo) or repo.endswith(_FILE_ENDINGS):
        if revision is None:
            return found, None  # whoever looks there will say that there is nothing
        raise SourceError("this is neither a path nor the id of a model on the Hub", where=repo, hint=_ID_HINT)
    return fetch(repo, revision or REVISION, trust_remote_code=trust_remote_code), repo


_ID_HINT = "an id is OWNER/NAME, as in Qwen/Qwen3-0.6B"


def provenance(repo: str, folder: Path) -> Notice:
    """What to say about files that were fetched: which commit they are of."""
    return Notice(repo, f"the files are those of commit {folder.name} on the Hub")


def fetch(repo: str, revision: str, *, trust_remote_code: bool, endpoint: str | None = None) -> Path:
    """Fetch the tokenizer files of a model, or find them in the cache.

    Args:
        repo: the id of the model.
        revision: a branch, tag or commit.
        trust_remote_code: whether its Python files are fetched too.
        endpoint: the address of the Hub, where it is not the usual one.

    Returns:
        The folder with the files.

    Raises:
        SourceError: there is no such model or revision, it holds no tokenizer, or the Hub cannot be reached.
        MtokError: the package huggingface_hub is not installed.
    """
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        problem = f"fetching {repo} needs the package huggingface_hub: {error}"
        raise MtokError(problem, hint="pip install huggingface_hub, or give a directory") from None
    wanted = [*_FILES, *(f"{TOKENIZER_FOLDER}/{name}" for name in _FILES), *(["*.py"] if trust_remote_code else [])]
    try:
        with _no_progress_bars():
            folder = Path(
                snapshot_download(repo, revision=revision, allow_patterns=wanted, max_workers=4, endpoint=endpoint)
            )
    except Exception as error:  # the library's own errors, those of its HTTP library, and those of the disk
        raise _explained(error, repo, revision) from None
    if not folder.is_dir() or not any(folder.iterdir()):
        raise SourceError(
            "the model on the Hub has no tokenizer file", where=repo, hint="of a GGUF file, fetch it and give its path"
        )
    return folder


@contextmanager
def _no_progress_bars() -> Iterator[None]:
    import huggingface_hub.utils

    utils: Any = huggingface_hub.utils  # which states what it exports in another way than type checkers want it
    if utils.are_progress_bars_disabled():
        yield
        return
    utils.disable_progress_bars()
    try:
        yield
    finally:
        utils.enable_progress_bars()


def _explained(error: Exception, repo: str, revision: str) -> SourceError:
    """An error of the library in one line, with what to do."""
    from huggingface_hub import errors

    table: Mapping[type[Exception], Callable[[Any], tuple[str, str]]] = {
        errors.GatedRepoError: lambda _: (
            "the model is gated: its owner lets only those have it who have agreed to its terms",
            "agree to them on its page, then log in: hf auth login",
        ),
        errors.RepositoryNotFoundError: lambda _: (
            "there is no such file or directory, and no such model on the Hub (or it is a private one)",
            "check the spelling; for a private model log in: hf auth login",
        ),
        errors.RevisionNotFoundError: lambda _: (
            f"the model on the Hub has no revision {revision!r}",
            "give a branch, a tag or a commit that it has",
        ),
        errors.HFValidationError: lambda _: ("this is no valid id of a model on the Hub", _ID_HINT),
        errors.LocalEntryNotFoundError: _unreachable,
        errors.OfflineModeIsEnabled: _unreachable,
        errors.HfHubHTTPError: lambda found: (f"the Hub refuses: {_one_line(found)}", "try again later"),
    }
    for kind, explain in table.items():
        if isinstance(error, kind):
            problem, hint = explain(error)
            return SourceError(problem, where=repo, hint=hint)
    return SourceError(
        f"it cannot be fetched from the Hub: {type(error).__name__}: {_one_line(error)}",
        where=repo,
        hint="check the connection, or give a directory",
    )


def _unreachable(error: Exception) -> tuple[str, str]:
    """Offline by setting or by accident, and not in the cache."""
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return (
            "there is no such file or directory, the cache does not have it, and HF_HUB_OFFLINE keeps off the Hub",
            "unset HF_HUB_OFFLINE, or give a directory",
        )
    cause = error.__cause__
    reason = f" ({_one_line(cause)})" if cause is not None else ""
    return (
        f"there is no such file or directory, the cache does not have it, and the Hub cannot be reached{reason}",
        "check the connection, or give a directory",
    )


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
