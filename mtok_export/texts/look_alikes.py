"""Text that looks like the inner language of some tokenizer: special tokens, markers, byte pieces, templates."""

from __future__ import annotations

LOOK_ALIKES: tuple[str, ...] = (
    "<s>",
    "</s>",
    "<unk>",
    "<pad> <mask>",
    "[CLS] sentence [SEP]",
    "[UNK][PAD][MASK]",
    "<|endoftext|>",
    "<|im_start|>user\nhi<|im_end|>\n",
    "<0x0A><0xE9>",
    "<0x41> is A",
    "\u2581",
    "\u2581leading",
    "a\u2581b \u2581 \u2581\u2581c",
    "##ing",
    "un ##known ##",
    "\u0120word\u010a",
    "\u0100\u0101\u0142\u0143",
    "</w> word</w>",
    "@@ sub@@ word",
    "<think>\nhm\n</think>\n\nyes",
    "<bos><eos><start_of_turn>",
    "[INST] x [/INST]",
    "{{ bos_token }}{% if x %}",
)
