"""Numbers, case, contractions, punctuation and addresses: the shapes that the patterns of pre-tokenizers look for."""

from __future__ import annotations

# --- numbers ----------------------------------------------------------------------------------------------------------

DIGIT_ZEROS = {
    "Arabic-Indic": 0x0660,
    "Extended Arabic-Indic": 0x06F0,
    "N'Ko": 0x07C0,
    "Devanagari": 0x0966,
    "Bengali": 0x09E6,
    "Tamil": 0x0BE6,
    "Thai": 0x0E50,
    "Lao": 0x0ED0,
    "Tibetan": 0x0F20,
    "Myanmar": 0x1040,
    "Khmer": 0x17E0,
    "Mongolian": 0x1810,
    "fullwidth": 0xFF10,
    "Osmanya": 0x104A0,
    "mathematical bold": 0x1D7CE,
}


def _digits() -> tuple[str, ...]:
    runs = ["1234567"[:count] for count in range(1, 8)] + ["12345678", "1234567890123", "0" * 30]
    runs += [f"x{'9876543'[:count]}y" for count in range(1, 8)] + ["1 22 333 4444 55555 666666 7777777"]
    scripts = ["".join(chr(zero + digit) for digit in range(10)) for zero in DIGIT_ZEROS.values()]
    scripts += [f"a {chr(zero + 4)}{chr(zero + 2)} b" for zero in DIGIT_ZEROS.values()]
    return (*runs, *scripts)


NUMBERS: tuple[str, ...] = (
    *_digits(),
    "3.14159 2,718.28 1e-9 6.02E+23 -0.5 +7",
    "1,000,000 1.000.000 1 000 000 1'000'000 10,00,000",
    "0x1F 0b1010 0o755 1_000 12e3f 3rd 21st 2nd 4th",
    "½ ¼ ¾ ⅓ ⅞ 1½ 5⁄8",
    "x² + y³ = z⁴, H₂O, CO₂, 10⁻⁹",
    "①②③ ⑩ ⑳ ⒈ ⓪ ❶ ㉑ ㊿",
    "Ⅰ Ⅳ Ⅻ ⅷ MMXXVI",
    "一二三 十百千万億 壹貳參 〇〇七 ㊀ ㈠",
    "2026-03-09T08:07:06.005Z",
    "9/3/2026 09.03.2026 2026年3月9日",
    "+1 (555) 010-9999 ext. 42",
    "€1.234,56 £99 ¥500 ₹1,00,000 ₩3000 $0.01 ₽10",
    "50% 5‰ 37.5°C 90° 5'11\" 12mm² 100km/h",
    "v1.2.3-rc.4+build.5 #42 No.7 №8 §9 ¶10",
    "௰௱௲ ൰൱ ፩፪፫ ፲ ፻ 𐄇𐄈 𝍠𝍡",
    "192.168.0.1:8080 ::1 fe80::1%eth0",
    "1+1=2 3×4÷2≠5 −1 ±0 7≤8",
    "٣٫١٤ ١٬٠٠٠ ۱۲٬۳۴۵",
    "a1b2c3 1a2b3c A1B2 x86_64 utf8 mp3 h264 i18n",
)

# --- case -------------------------------------------------------------------------------------------------------------

CASE: tuple[str, ...] = (
    "camelCase PascalCase snake_case SCREAMING_SNAKE kebab-case",
    "parseHTTPResponse getURLFromXMLDoc iPhone eBay McDonald O'Neil",
    "HelloWorld helloWORLD HELLOworld hElLo",
    "ABCdef abcDEF AbC aBc A aB Ab",
    "верблюжийРегистр ПаскальРегистр ЗмеиныйРЕГИСТР приветМИР",
    "ПРИВЕТМир приВЕТ ПриветМирКакДела",
    "καμηλοΠεζά ΠασκάλΚεφαλαία ΚΕΦΑΛΑΙΑπεζά αΒγΔ",
    "ՀայերենԲառ հայԵՐԵՆ ԲԱՐԵՎաշխարհ",
    "ÉcoleNormale éCOLE ÀÉÎÕÜ àéîõü ÇA ça",
    "Straße STRASSE STRAẞE strasse",
    "İstanbul ISTANBUL ıstanbul istanbul Iİıi",
    "ΟΔΥΣΣΕΥΣ Οδυσσεύς οδυσσευσ ΣΑΣ σας",
    "ǅ ǈ ǋ Ǆ ǆ ᾈ ᾀ ᾼ ῼ",
    "ﬁrst ﬂoor ofﬁce ﬃ ﬅ",
    "ŁÓDŹ Łódź łódź ŠKODA Škoda ÆRØ ærø ÞÓR þór",
    "𝐁𝐨𝐥𝐝 𝐼𝑡𝑎𝑙𝑖𝑐 𝒮𝒸𝓇𝒾𝓅𝓉 𝔉𝔯𝔞𝔨𝔱𝔲𝔯 𝕆𝕡𝕖𝕟 𝖲𝖺𝗇𝗌 𝙼𝚘𝚗𝚘",
    "ＦＵＬＬＷＩＤＴＨ ｆｕｌｌｗｉｄｔｈ Ａｂ１２",
    "Ⓐⓑ ⒜⒝ 🄰🅱 ᴀʙᴄ ᵃᵇᶜ ₐₑ",
    "𐐔𐐯𐑅𐐨𐑉𐐯𐐻 𐐔𐐇𐐝𐐀𐐡𐐇𐐓 𐑄𐐲",
    "ꭰꭱ ᎠᎡ ᏸᏹ ⴀⴁ ႠႡ აბ ᲐᲑ",
    "HTML5Parser utf8ToUCS2 x2y3Z X2Y3z",
    "aÉb AéB eÉE жЖжЖ ЖжЖж",
    "HeLLo日本WoRLD日本",
    "the The THE tHE THe thE",
)

_SUFFIXES = ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d")

CONTRACTIONS: tuple[str, ...] = (
    "don't can't won't isn't it's she's we're they've I'm you'll he'd",
    "DON'T CAN'T WON'T ISN'T IT'S SHE'S WE'RE THEY'VE I'M YOU'LL HE'D",
    "Don'T cAn'T wE'Re tHEY'Ve i'M yOU'lL hE'D",
    "don’t it’s we’re they’ve I’m you’ll he’d",
    "DON’T IT’S WE’RE",
    *(f"x{suffix}y" for suffix in _SUFFIXES),
    *(f"X{suffix.upper()}Y" for suffix in _SUFFIXES),
    *(f" {suffix} " for suffix in _SUFFIXES),
    "'sit 'tis 'twas 'round 'em rock'n'roll o'clock",
    "'S'T'RE'VE'M'LL'D",
    "1's 2'd 3'll é's É'S 日's",
    "'ſ 'ſt it'ſ",
    "d'accord l'été qu'il aujourd'hui C'EST L'ÉTÉ",
    "п'ять об'єкт з'їзд",
    "''s '''t ' s ' t",
)

# --- punctuation ------------------------------------------------------------------------------------------------------

PUNCTUATION: tuple[str, ...] = (
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "Wait... what?! No way!!! (really?) [yes]; {no}: \"ok\" - 'fine'.",
    "“curly” ‘single’ „low“ ‚comma‘ «guillemets» ‹single› 「corner」 『white』 《title》",
    "em—dash en–dash hyphen-minus non‑breaking‑hyphen ―bar― −minus",
    "¿Cómo? ¡Ya! ‽ ⁇ ⁈ ⁉ ‼",
    "、。，．・：；？！（）【】〔〕〖〗～…‥",
    "،؛؟٪٭۔ ־׀׃״׳",
    "।॥ ॰ ฯ ๏ ๚ ། ༎ ༔ ၊ ။ ។ ៕ ፡ ። ፣ ᙮",
    "·•‣◦▪●○■□▲▼◆◇★☆",
    "† ‡ § ¶ © ® ™ ° ª º ¦ ¬ ¯ ´ ¨ ¸",
    "$€£¥¢₹₩₪₫₱₿ ¤",
    "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋ ∧ ∑ ∏ ∫ ∂ √ ∞ ≈ ≡ ⊂ ⊕",
    "`code` ~~strike~~ **bold** __under__ ==mark== ^sup^",
    "...---...---... ===== ***** ##### -----",
    "----------------------------------------------------------------",
    "a.b,c;d:e!f?g(h)i[j]k{l}m",
    ".a ,b ;c :d !e ?f (g )h",
    "a. b, c; d: e! f? g( h)",
    "( parenthesis ) [ bracket ] { brace } < angle >",
    "\"quoted\" 'quoted' ``quoted'' \"'nested'\"",
    "@user #tag $var %d &amp; *ptr ^caret _under_ ~tilde",
    "C++ C# .NET F# node.js a/b\\c and/or 24/7 AT&T R&D",
    '\\ \\\\ \\n \\t \\" \\u00e9 %20 %C3%A9',
    "‘’‛“”‟′″‴‵‶‷",
    "＂＃＄％＆＇（）＊＋－／＜＝＞＠［＼］＾＿｀｛｜｝～",
    "﹁﹂ ︵︶ ﹏﹏ ︽︾ ﹪ ﹫",
    "⟨a⟩ ⟪b⟫ ⦃c⦄ ⁅d⁆",
    "a_b __init__ _x_ x_ _",
    "!!! ??? ,,, ;;; ::: ''' \"\"\"",
    "x=-1;y=+2;z=*p;&q;!r;~s",
    "tab|sep|values||end|",
    "…and… so… on…",
    "。。。 ！！！ ？？？ ——",
    "1. 2) (3) a. b) •",
)

ADDRESSES: tuple[str, ...] = (
    "https://www.example.com/path/to/page.html?query=value&lang=en#section-2",
    "http://user:pass@example.org:8080/~name/index.php?id=42&x[]=1",
    "see www.example.net, or example.com/a_b-c.d!",
    "https://例え.テスト/パス?キー=値",
    "https://example.com/%E2%9C%93/na%C3%AFve",
    "first.last+tag@mail.example.co.uk",
    "Contact: info@example.org; <root@localhost>",
    "почта@пример.рф",
    "ftp://files.example.org/pub/linux-6.1.tar.gz",
    "C:\\Users\\Zoë\\Documents\\report (final).docx",
    "/usr/local/share/../lib/libfoo.so.1.2.3",
    "file:///home/user/a%20b.txt",
    "git@example.com:group/project.git",
    "mailto:someone@example.com?subject=Hello%20there",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA",
    "550e8400-e29b-41d4-a716-446655440000",
    "doi:10.1000/xyz123 ISBN 978-3-16-148410-0",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
    "#hashtag #日本 @mention_42 @имя",
)
