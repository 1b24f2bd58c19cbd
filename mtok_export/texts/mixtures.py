"""Several scripts in one text, very long words, long runs, and one-character texts."""

from __future__ import annotations

from mtok_export.texts.invisible import NUL
from mtok_export.texts.white_space import BREAKS

MIXED_SCRIPTS: tuple[str, ...] = (
    "Das Wort 'привет' heißt auf Japanisch こんにちは und auf Arabisch مرحبا.",
    "東京で café latte を飲みながら Вечерний Київ を読む",
    "Ελλάδα🇬🇷, ישראל🇮🇱, भारत🇮🇳, ไทย🇹🇭, 대한민국🇰🇷",
    "GPU가 2개 있으면 훈련 속도가 1.8배 빨라진다.",
    "abcабвαβγאבגابجअआइ一二三あいう가나다กขค",
    "a一b二c三 1あ2い3う х1у2",
    "mixtureСмесьμίγμαمزيجתערובתमिश्रण混合まぜ혼합ส่วนผสม",
    "Paypаl gооgle аррle",
    "I ❤ 北京 and 🍜, ok?",
    "price价格:¥100元(约$14)!",
    "iPhone用ケース☆送料無料☆【新品】",
    "word一word word 一 word",
    "ΑВС АΒС ABC",
    "नमस्ते world, নমস্কার world, வணக்கம் world",
    "Xin chào, 你好, สวัสดี, ជំរាបសួរ, မင်္ဂလာပါ, བཀྲ་ཤིས་བདེ་ལེགས།",
    "ሰላም ሰላም hello ⴰⵣⵓⵍ ᏏᏲ ᐊᐃ გამარჯობა Բարեւ",
    "العدد ١٢٣ و 456 و ۷۸۹ في سطر واحد",
    "עברית ואנגלית: version 2.0 (גרסה 2)",
    "«Ёлка» — 'fir tree'; „Tannenbaum“ – “sapin”",
    "x∈ℝ ∧ y∈ℂ → ƒ(x,y)≈π·r²",
    "ＡＢＣabcАБВ①②ｱｲｳ",
    "é日é日é ü語ü語",
    "naïve中文naïve Ünïcödé混ぜ",
    "ok👌🏽ok👌ок👌",
)

LONG_WORDS: tuple[str, ...] = (
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "pneumonoultramicroscopicsilicovolcanoconiosis",
    "muvaffakiyetsizleştiricileştiriveremeyebileceklerimizdenmişsinizcesine",
    "epäjärjestelmällistyttämättömyydelläänsäkäänköhän",
    "निरन्तरान्धकारितदिगन्तरकन्दलदमन्दसुधारसबिन्दुसान्द्रतरघनाघनवृन्दसन्देहकर",
    "dichlorodiphenyltrichloroethane" * 4,
    "abcdefghijklmnopqrstuvwxyz" * 8,
    "Überlänge" * 20,
    "слово" * 25,
    "ααβ" * 40,
    "x1y2" * 60,
    "aB" * 60,
    "ไม่มีช่องว่าง" * 15,
    "没有空格的很长很长的句子" * 15,
    "ながいことば" * 20,
    "아주긴말" * 25,
    "ba" * 45 + "nana",
    "é" * 99,
    "w" * 100,
    "w" * 101,
    "日" * 100,
    "日" * 101,
    "A" * 255 + "b",
)

LONG_RUNS: tuple[str, ...] = (
    "a" * 1000,
    "0" * 500,
    "1234567890" * 60,
    "-" * 400,
    "=" * 70 + "\n" + "=" * 70,
    "!?" * 150,
    "\u3042" * 300,
    "\u0430" * 300,
    "\U0001f600" * 100,
    "ha" * 300,
    "no no " * 100,
    " x" * 300,
    "x\n" * 200,
    "\t\t- item\n" * 60,
    "\u200d" * 40,
    "\u0301" * 60,
    "()" * 120,
    "<p></p>" * 50,
    "lorem ipsum et cetera " * 40,
    "\u2581" * 50,
    "\u00a0" * 50,
    "'" * 40,
    "\u4e00 " * 120,
    "Aa1! " * 100,
)

_RANGES = (
    (0x21, 0x7F, 3),  # ASCII
    (0xA1, 0x180, 17),  # Latin-1 and Latin Extended-A
    (0x180, 0x530, 53),
    (0x531, 0xE00, 61),
    (0xE01, 0x1D00, 149),
    (0x1D00, 0x2000, 83),
    (0x2010, 0x2028, 7),
    (0x2030, 0x2E80, 131),
    (0x2E80, 0x4E00, 797),
    (0x4E00, 0xA000, 4099),
    (0xA000, 0xD7A4, 2203),
    (0xE000, 0xFFFE, 911),
    (0x10000, 0x20000, 3571),
    (0x20000, 0x110000, 87011),
)
"""Code points for one-character texts, as (first, end, step); what is assigned there plays no part in the choice."""


def _single() -> tuple[str, ...]:
    chosen = [chr(code) for first, end, step in _RANGES for code in range(first, end, step)]
    extra = [
        *" \t\n\r\v\f",
        "\x01",
        "\x1b",
        "\x7f",
        "\x80",
        "\u00a0",
        "\u3000",
        "\u200b",
        "\u200d",
        "\ufeff",
        "\ufffd",
        "\u2581",
    ]
    extra += [*"aZ09.'_éßñжЩЯαΩאبअกあア漢한😀𝐀", "\u0301", "\u0130", "\u00ad"]
    return tuple(dict.fromkeys(text for text in (*chosen, *extra) if text not in BREAKS and text not in NUL))


SINGLE: tuple[str, ...] = ("", *_single())
