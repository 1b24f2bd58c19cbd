"""Emoji and other pictures: the sequences are spelled out where an editor might change them."""

from __future__ import annotations

ZWJ = "\u200d"
VS15 = "\ufe0e"
VS16 = "\ufe0f"
KEYCAP = "\u20e3"
SKIN_TONES = ("\U0001f3fb", "\U0001f3fc", "\U0001f3fd", "\U0001f3fe", "\U0001f3ff")

MAN, WOMAN, GIRL, BOY, PERSON = "\U0001f468", "\U0001f469", "\U0001f467", "\U0001f466", "\U0001f9d1"

FACES = ("😀", "😂🤣", "🙂 🙃", "😍😘😗", "🤔…", "🥲", "😶‍🌫️", "❤️‍🔥", "☺️", "☹", "🫠🫡🫥")

FAMILIES = tuple(
    ZWJ.join(members)
    for members in (
        (MAN, WOMAN, GIRL, BOY),
        (WOMAN, WOMAN, GIRL),
        (MAN, BOY, BOY),
        (WOMAN, GIRL),
        (PERSON, "\U0001f91d", PERSON),
        (MAN, "\u2764\ufe0f", "\U0001f48b", MAN),
        (WOMAN, "\u2764\ufe0f", MAN),
    )
)

PROFESSIONS = tuple(
    person + tone + ZWJ + tool
    for person, tone, tool in (
        (WOMAN, "", "\U0001f680"),
        (MAN, SKIN_TONES[1], "\U0001f692"),
        (PERSON, SKIN_TONES[4], "\U0001f33e"),
        (WOMAN, SKIN_TONES[2], "\U0001f52c"),
        (MAN, "", "\u2695\ufe0f"),
        (PERSON, SKIN_TONES[0], "\u2696\ufe0f"),
        (WOMAN, SKIN_TONES[3], "\U0001f9b0"),
    )
)

HANDS = (*("\U0001f44b" + tone for tone in ("", *SKIN_TONES)), "".join("\U0001f44d" + tone for tone in SKIN_TONES))


def flag(region: str) -> str:
    """The flag of a two-letter region as two regional indicators."""
    return "".join(chr(0x1F1E6 + ord(letter) - ord("A")) for letter in region)


def subdivision_flag(region: str) -> str:
    """The flag of a subdivision such as ``gbsct``: a black flag, tag characters, the cancel tag."""
    return "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"


FLAGS = (
    flag("IS"),
    flag("VN") + flag("ET"),
    flag("BR") + " " + flag("NP"),
    "".join(flag(region) for region in ("DE", "FR", "JP", "KR", "GE", "AM", "LK", "KE")),
    subdivision_flag("gbsct"),
    subdivision_flag("gbwls") + "!",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "\U0001f3f4\u200d\u2620\ufe0f",
    "\U0001f1e6",
    "\U0001f1e6\U0001f1e7\U0001f1e8",
)

KEYCAPS = (*(digit + VS16 + KEYCAP for digit in "0123456789#*"), "1" + KEYCAP, "5\ufe0f\u20e35\ufe0f\u20e3")

PRESENTATION = (
    "\u2602",
    "\u2602" + VS15,
    "\u2602" + VS16,
    "\u00a9\ufe0f",
    "\u3030\ufe0f",
    "\u2122 \u2122\ufe0f",
    "\u2194\ufe0f",
)

IN_TEXT = (
    "Good morning ☀️ have a nice day 🌈✨!!",
    "pizza🍕pasta🍝gelato🍨",
    "🎉🎉🎉🎉🎉🎉🎉🎉",
    "Done ✅ failed ❌ unsure ❓",
    "今日は🍣を食べた😋。",
    "🐈‍⬛ и 🐕‍🦺 на прогулке",
    "(╯°□°)╯︵ ┻━┻",
    "¯\\_(ツ)_/¯",
    "ʕ•ᴥ•ʔ ♥‿♥ (◕‿◕✿)",
    "♔♕♖♗♘♙♚♛♜♝♞♟",
    "♩♪♫♬ 𝄞 𝄢",
    "⠓⠑⠇⠇⠕ ⠺⠕⠗⠇⠙",
    "█▓▒░ ▁▂▃▄▅▆▇█ ╔═╗║╚╝",
    "←↑→↓ ⇒ ⟶ ↩︎",
    "𓀀𓁐𓃠 𐎀𐎁 𒀀𒁀",
    "🀀🀁🂡🃏🁣",
)

EMOJI: tuple[str, ...] = FACES + FAMILIES + PROFESSIONS + HANDS + FLAGS + KEYCAPS + PRESENTATION + IN_TEXT
