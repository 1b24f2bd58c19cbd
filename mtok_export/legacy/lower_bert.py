"""To type 2: the entries of a WordPiece vocabulary.

The engine lower-cases ASCII, takes runs of ASCII letters and digits for words, and every other character but ASCII
white space for a word of its own; then the longest entry from the left, pieces behind the first with two number signs.
"""

from __future__ import annotations

import string

from mtok_export.format.header import Header
from mtok_export.legacy.bert import BertFile
from mtok_export.legacy.components import normalizers, pre_tokenizers
from mtok_export.legacy.entries import MODEL, Entries, entries_of, special_ids
from mtok_export.legacy.losses import SHOWN, Losses, Part, only
from mtok_export.legacy.spec import CONTINUING_PREFIX, UNK_TOKEN
from mtok_export.source.pipeline import BertNormalizer, BertPreTokenizer, Pipeline, WordPiece
from mtok_export.source.settings import Source

_WORD_CHARACTERS = string.ascii_lowercase + string.digits
_BEYOND_ASCII = ((0x80, 0x10FFFF),)
_CONTROLS = only([chr(code) for code in (*range(0x20), 0x7F) if chr(code) not in "\t\n\r"])


def lower_bert(source: Source, losses: Losses) -> BertFile:
    """The file, its header without stop and prefix ids."""
    pipeline = source.pipeline
    model = pipeline.model
    part = Part(MODEL, type(model).__name__)
    if not isinstance(model, WordPiece):
        losses.refuse(part, "type BERT holds WordPiece models alone")
        return BertFile(Header(), ())
    if model.continuing_subword_prefix != CONTINUING_PREFIX:
        prefix = model.continuing_subword_prefix
        losses.refuse(part, f"the prefix inside words is {prefix!r}, and the engine knows {CONTINUING_PREFIX!r} alone")
    entries = entries_of(pipeline, losses)
    tokens = [entries.model.get(id_, "") for id_ in range(entries.size)]
    for id_, token in entries.added.items():
        if id_ < entries.size:
            tokens[id_] = token.content
    _unknown_row(tokens, model, entries, part, losses)
    rows = tuple(token.encode("utf-8") for token in tokens)
    specials = special_ids(entries, rows.__getitem__, losses)
    _limit_text(pipeline, losses)
    _limit_words(tokens, model, part, losses)
    losses.limit(
        part,
        f"the engine shows entries as they are: no space between words, {CONTINUING_PREFIX!r} in front of other pieces",
        example="two words",
        aspects=SHOWN,
    )
    losses.became(part, f"{len(rows):,} entries")
    return BertFile(Header(special_ids=specials), rows)


def _unknown_row(tokens: list[str], model: WordPiece, entries: Entries, part: Part, losses: Losses) -> None:
    """The engine finds its unknown token by the name UNK_TOKEN."""
    if model.unk_token == UNK_TOKEN and UNK_TOKEN in tokens:
        return
    id_ = next((id_ for id_, token in enumerate(tokens) if token == model.unk_token), None)
    if id_ is None or UNK_TOKEN in tokens:
        losses.refuse(part, f"the unknown token {model.unk_token!r} must be the row {UNK_TOKEN!r}, and cannot")
        return
    tokens[id_] = UNK_TOKEN
    entries.added.pop(id_, None)
    losses.limit(
        part,
        f"the unknown token {model.unk_token!r} is called {UNK_TOKEN!r} in the file: the engine knows no other name",
        example=model.unk_token,
        aspects=(*SHOWN,),
    )


def _limit_text(pipeline: Pipeline, losses: Losses) -> None:
    """What happens to a text before words are looked up."""
    lowercase = clean = False
    for part, normalizer in normalizers(pipeline):
        if isinstance(normalizer, BertNormalizer):
            lowercase, clean = normalizer.lowercase, normalizer.clean_text
            losses.became(part, "what the engine does: ASCII in lower case")
        else:
            losses.limit(part, "type BERT of the engine has nothing like it: it is left out")
            losses.became(part, "nothing")
    whole = Part("$", "Pipeline")
    if not lowercase:
        letters = only(string.ascii_uppercase)
        losses.limit(whole, "the engine turns ASCII letters into lower case", example="A", characters=letters)
    losses.limit(
        whole,
        "beyond ASCII the engine changes no case, strips no accents, joins no letters to words: each character is a "
        "word of its own, spaces too",
        example="caf\u00e9",
        characters=_BEYOND_ASCII,
    )
    losses.limit(
        whole,
        "control characters are words of their own to the engine" + (", tokenizers drops them" if clean else ""),
        example="a\x01b",
        characters=_CONTROLS,
    )
    for part, pre_tokenizer in pre_tokenizers(pipeline):
        losses.became(part, "words and single characters of ASCII")
        if not isinstance(pre_tokenizer, BertPreTokenizer):
            losses.limit(part, "the engine splits as BertPreTokenizer does", example="a_b")


def _limit_words(tokens: list[str], model: WordPiece, part: Part, losses: Losses) -> None:
    known = frozenset(tokens)
    alone = [char for char in _WORD_CHARACTERS if char not in known or CONTINUING_PREFIX + char not in known]
    if alone:
        losses.limit(
            part,
            "of a word that cannot be covered the engine gives the pieces up to where it fails, tokenizers the unknown "
            "token alone",
            characters=only(alone + [char.upper() for char in alone]),
        )
    losses.limit(
        part,
        f"the engine takes words of any length, tokenizers gives the unknown token beyond "
        f"{model.max_input_chars_per_word}",
        bound=f"words of up to {model.max_input_chars_per_word} characters",
        example="a" * min(model.max_input_chars_per_word + 1, 1_000),
    )
