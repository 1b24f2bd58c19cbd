r"""Cuts where no merge can ever cross, so that the engine never merges over a long text.

The engine's BPE looks at every pair of neighbours again for each merge: its time grows with the square of the length of
a pre-token.  Tokenizers in the manner of SentencePiece (Llama 2, Mistral, Gemma, Phi-3) have no pre-tokenizer that
splits, and a whole prompt is one pre-token.  But what a vocabulary can join is known, and where it cannot, a cut
changes nothing.

**The bigrams of merges.**  Let *B* be the set of pairs *(last character of l, first character of r)* for all merges
*(l, r)*.  Every symbol that is ever on the way is a single character or the result of a merge, and each place inside
the result of a merge was once the seam of a merge: so no symbol holds the neighbours *xy* unless *xy* is in *B*.

**Claim.**  Let a text be *uv*, *x* the last character of *u*, *y* the first of *v*, and *xy* not in *B*.  Then the ids
of *uv* are the ids of *u* followed by those of *v*.

*Proof.*  A merge across the seam would join a symbol that ends in *x* with one that starts with *y*; it would have put
*xy* into *B*.  So no merge ever crosses, whatever was merged before.  The engine takes the merge of the lowest rank,
and of equal ones the leftmost, again and again until there is none.  Look only at the steps taken inside *u*: each of
them had the lowest rank in the whole text, so also in *u*, and was the leftmost of its rank in the whole text, so also
in *u*.  What stands in *u* is changed by no other steps.  These are therefore, in this order, the very steps that *u*
alone would have seen, and they end when no pair in *u* can be merged.  The same holds for *v*.

**What is not a character of the vocabulary** becomes the ``<0xNN>`` entries of its bytes, or the unknown token.  No
merge takes those (where one does, such characters are never cut off), so they join nothing.  But without these entries
a character vanishes, and what stood at both sides of it become neighbours: then no cut is made beside such a character.

Modules: ``joints`` finds *B* in a model section, ``folded`` says it in the engine's classes, ``pattern`` writes the
Split that cuts by them, ``east_asian`` one for the wide matcher, and ``placing`` puts them into the records of a file.
``added_runs`` leaves added tokens out of the search that the merges yield anyway, ``absent`` knows what a pattern
cannot match any more.
"""

from mtok_export.lowering.cuts.absent import replaced_characters
from mtok_export.lowering.cuts.placing import Front, cut_apart

__all__ = ["Front", "cut_apart", "replaced_characters"]
