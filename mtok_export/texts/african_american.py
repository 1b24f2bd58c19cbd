"""Sentences in scripts of Africa and the Americas that are not Latin or Arabic."""

from __future__ import annotations

ETHIOPIC: dict[str, tuple[str, ...]] = {
    "Amharic": (
        "አያቴ ማታ ማታ ለልጆች ተረት ትነግራለች።",
        "ሰማያዊ ጃንጥላዬን የት አስቀመጥከው?",
        "ዝናቡ ካቆመ በኋላ ወንዙ ሞላ፤ ድልድዩም ተዘጋ።",
    ),
    "Tigrinya": (
        "ቈልዑ ኣብ ትሕቲ ኦም ይጻወቱ ኣለዉ።",
        "እቲ መጽሓፍ ኣበይ ኣሎ፧",
    ),
}

TIFINAGH: dict[str, tuple[str, ...]] = {
    "Tamazight": (
        "ⴰⵣⵓⵍ ⴼⵍⵍⴰⵡⵏ, ⵎⴰⵏⵉⴽ ⴰⵏⵏ ⵜⴳⵉⵎ?",
        "ⵜⵉⴳⵎⵎⵉ ⵏⵏⵖ ⵜⵎⵇⵇⵓⵔ.",
    ),
}

ADLAM: dict[str, tuple[str, ...]] = {
    "Fulani": (
        "𞤁𞤫𞤪𞤫 𞤫 𞤣𞤭𞤴𞤢𞤥",
        "𞤔𞤢𞤥 𞤱𞤢𞤤𞤭?",
    ),
}

CHEROKEE: dict[str, tuple[str, ...]] = {
    "Cherokee": (
        "ᎣᏏᏲ, ᏙᎯᏧ ᎠᏂᏲᎵ?",
        "ᎡᎵᏏ ᎠᎹ ᎠᏗᏔᏍᎦ.",
        "ꭴꮟᏺ ꭲꭶ ꭿꭰ.",
    ),
}

CANADIAN: dict[str, tuple[str, ...]] = {
    "Inuktitut": (
        "ᐊᓈᓇᑦᓯᐊᕋ ᐅᓂᒃᑳᖅᑐᖅ ᓄᑕᖅᑲᓄᑦ.",
        "ᓇᐅᒃ ᓇᓄᖅ?",
    ),
    "Cree": (
        "ᑖᓂᓯ, ᑖᓂᑌ ᐁ ᐃᑐᐦᑌᔭᐣ?",
        "ᓂᐲᐩ ᑕᐦᑭᓯᐤ᙮",
    ),
}
