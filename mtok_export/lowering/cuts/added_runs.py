r"""Added tokens that need not be searched for, since the model yields them anyway: runs of one character.

Gemma 3 has an added token for each run of 1 to 31 line ends.  At every hit the engine searches the rest of the text for
all added tokens again, which takes more than all the rest.  Let *c* be the character, *c^k* a run of *k*, and *n* the
longest run that is a token.  The tokens *c^1* to *c^n* can be left out of the search where the following holds.

1. *The model takes a run as the search does: as often as it goes n at once, then what is left.*  There are merges
   *(c^k, c)* for all *k* below *n*; those with *k* above 1 come before *(c, c)*; no merge takes *c^n* and more *c*.
   The first merge of a run is then *(c, c)* at its start; as long as the symbol there is shorter than *n*, its merge
   with the *c* behind it comes before *(c, c)* further right, and no other pair is a merge: no two neighbours but the
   growing symbol and single *c* ever stand there.  When it has *n*, the same begins behind it.
2. *What stands beside a run does not change that.*  No bigram of the merges has *c* on one side alone, and no character
   vanishes; so by the claim of the package the ids of a text are those of its runs and of what is between them.
3. *Nothing before the model sees more than a stretch between two tokens.*  The normalizer replaces texts without *c* by
   texts without *c* and puts nothing in front; the pre-tokenizer puts no space in front.
4. *No other token is found in another place.*  None of them holds *c* or strips white space to its left.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence, Set

from mtok_export.format import normalizer as normalizers
from mtok_export.format import pre_tokenizer as pre_tokenizers
from mtok_export.format.added_tokens import AddedToken
from mtok_export.format.model import Bpe
from mtok_export.lowering.cuts.joints import Joints

Normalizers = Sequence[normalizers.Normalizer]
PreTokenizers = Sequence[pre_tokenizers.PreTokenizer]


def searched(
    tokens: Sequence[AddedToken], model: Bpe, joints: Joints, steps: Normalizers, records: PreTokenizers
) -> tuple[AddedToken, ...]:
    """The added tokens that have to be searched for.

    Args:
        tokens: all of them.
        model: the model of the file.
        joints: those of the model.
        steps: the normalizers, one after another.
        records: the pre-tokenizers.
    """
    runs = _runs(tokens)
    left_out: set[str] = set()
    for char, lengths in runs.items():
        others = [token for token in tokens if set(token.content) != {char}]
        if (
            _are_yielded(lengths, model)
            and _stands_alone(char, joints)
            and all(leaves_alone({char}, step) for step in steps)
            and all(leaves_starts_alone({char}, record) for record in records)
            and not any(char in token.content or token.lstrip for token in others)
        ):
            left_out.add(char)
    return tuple(token for token in tokens if not (token.content and set(token.content) <= left_out))


def _runs(tokens: Iterable[AddedToken]) -> Mapping[str, Mapping[int, AddedToken]]:
    """Tokens of one character again and again, by character and length; the first of equal ones is the one found."""
    runs: dict[str, dict[int, AddedToken]] = {}
    for token in tokens:
        if token.content and len(set(token.content)) == 1:
            runs.setdefault(token.content[0], {}).setdefault(len(token.content), token)
    return runs


def _are_yielded(lengths: Mapping[int, AddedToken], model: Bpe) -> bool:
    """Condition 1, and that tokens of both kinds have the same ids."""
    longest = max(lengths)
    ids: list[int] = []
    for length in range(1, longest + 1):
        token = lengths.get(length)
        if token is None or token.lstrip or token.rstrip or token.special:
            return False
        if token.id != model.vocab.id_of(token.content):
            return False
        ids.append(token.id)
    ranks = {(left, right): rank for left, right, rank in _merges_of(frozenset(ids), model)}
    growing = [ranks.get((id_, ids[0])) for id_ in ids]
    first = growing[0]
    if longest == 1:
        return not ranks
    if first is None or any(rank is None or rank >= first for rank in growing[1:-1]):
        return False
    return not any(ids[-1] in pair for pair in ranks)


def _merges_of(ids: Collection[int], model: Bpe) -> Iterable[tuple[int, int, int]]:
    """The merges that take two of some ids, found by their left part, by which they are sorted."""
    left = model.merges.left
    for id_ in ids:
        for place in range(bisect_left(left, id_), bisect_right(left, id_)):
            if model.merges.right[place] in ids:
                yield id_, model.merges.right[place], model.merges.rank[place]


def _stands_alone(char: str, joints: Joints) -> bool:
    """Condition 2."""
    return joints.known is None and all(pair == (char, char) for pair in joints.pairs if char in pair)


def leaves_alone(chars: Set[str], step: normalizers.Normalizer) -> bool:
    """Condition 3 for a normalizer: it works beside such characters as if the text ended there, and makes none."""
    return isinstance(step, normalizers.Replace) and chars.isdisjoint(step.pattern + step.content)


def leaves_starts_alone(chars: Set[str], record: pre_tokenizers.PreTokenizer) -> bool:
    """Condition 3 for a pre-tokenizer, of those that do not split."""
    if isinstance(record, pre_tokenizers.Metaspace):
        return not record.add_prefix_space and chars.isdisjoint(f" {record.replacement}")
    return False
