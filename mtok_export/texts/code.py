"""Pieces of programs and of other formal languages."""

from __future__ import annotations

CODE: dict[str, tuple[str, ...]] = {
    "Python": (
        "def mean(values: list[float]) -> float:\n    return sum(values) / len(values) if values else 0.0\n",
        'for i, (key, value) in enumerate(sorted(table.items()), start=1):\n\tprint(f"{i:>3} {key!r}: {value:.2f}")\n',
        'class Lamp:\n    """A lamp."""\n\n    def __init__(self, *, on=False):\n        self._on = on\n\n\n',
        "x = [n**2 for n in range(10) if n % 2 == 0]  # squares\nassert x[-1] == 64, 'no'",
        "@lru_cache(maxsize=None)\nasync def fetch_all(urls: Iterable[str]) -> dict[str, bytes | None]: ...",
        "try:\n    raise ValueError(r'\\d+\\n')\nexcept (ValueError, KeyError) as e:\n    pass\n",
    ),
    "C": (
        '#include <stdio.h>\n\nint main(void) {\n    printf("%d\\n", 42);\n    return 0;\n}\n',
        "static inline uint32_t rotl32(uint32_t x, int k) { return (x << k) | (x >> (32 - k)); }",
        "/* walk */\nfor (struct node *p = head; p != NULL; p = p->next)\n        count += !!(p->flags & 0x7F);\n",
        "#define MAX(a, b) (((a) > (b)) ? (a) : (b))\r\n#ifdef _WIN32\r\n#  pragma once\r\n#endif\r\n",
        'std::vector<std::pair<int, std::string>> v{{1, "one"}, {2, "two"}};',
        "template <typename T, size_t N>\nconstexpr auto size(const T (&)[N]) noexcept -> size_t { return N; }",
    ),
    "JavaScript": (
        "const sum = (...xs) => xs.reduce((a, b) => a + b, 0);\nconsole.log(`total: ${sum(1, 2, 3)}`);\n",
        "document.querySelectorAll('a[href^=\"#\"]').forEach(el => el.addEventListener('click', e => e.stop()));",
        "export default class extends Base {\n  #count = 0;\n  get count() { return this.#count ?? -1; }\n}\n",
        "if (a !== b && !(c || d)) { x ||= y?.z ?? []; }\n\n\n// TODO: remove\n",
        "type Tree<T> = { value: T; left?: Tree<T>; right?: Tree<T> } | null;",
        "var s = 'it\\'s';var re=/^\\s*(\\w+)=[\"']?([^\"']*)/gi;",
    ),
    "Rust": (
        'fn main() {\n    let xs: Vec<_> = (1..=5).map(|n| n * n).collect();\n    println!("{xs:?}");\n}\n',
        "impl<'a, T: Ord + 'a> Iterator for Merge<'a, T> {\n    type Item = &'a T;\n}",
        "match value {\n    Some(n) if n > 0 => n,\n    Some(_) | None => 0,\n}",
        "let s = r#\"raw \"quoted\" text\"#; let b = b'\\x7f'; let c = '\\u{1F600}';",
        "#[derive(Debug, Clone, PartialEq)]\npub(crate) struct Point { x: f64, y: f64 }",
        "let total_bytes = 1_000_000u64.checked_mul(8).unwrap_or(u64::MAX);",
    ),
    "Java": (
        "public static void main(String[] args) throws Exception {\n\tSystem.out.println(\"Hi, \" + args[0] + '!');\n}",
        "List<Map.Entry<String, Integer>> entries = new ArrayList<>(counts.entrySet());",
        "@Override\npublic boolean equals(Object o) {\n    return o instanceof Point p && p.x == x && p.y == y;\n}",
        "int mask = 0xFF_EC_DE_5E >>> 3; long big = 9223372036854775807L; float f = 1.0e-5f;",
        "private final HttpURLConnectionFactoryBean urlConnectionFactory2 = getXMLHttpRequest();",
        "// ------------------------------------------------\n/** @see java.util.Optional#orElse(Object) */",
    ),
    "Shell": (
        '#!/bin/sh\nset -eu\nfor f in *.txt; do\n  [ -f "$f" ] && mv -- "$f" "${f%.txt}.md"\ndone\n',
        "find . -name '*.py' -print0 | xargs -0 grep -nE '^(def|class) [A-Z_]+' | sort -u > out.log 2>&1",
        'export PATH="$HOME/.local/bin:$PATH"; echo $((1 + 2)) $? $# $@',
        "cat <<'EOF' | sed -e 's/\\t/    /g' -e '/^$/d'\na\tb\n\nEOF",
        "git log --oneline --since=2.weeks -- 'src/*.rs' && make -j\"$(nproc)\" || exit 1",
        'curl -fsSL -H "Accept: application/json" https://example.org/api?x=1\\&y=2',
    ),
    "Other formal languages": (
        '{"name": "étoile", "tags": [null, true, -1.5e+10], "nested": {"a": {}}}',
        "SELECT c.name, COUNT(*) AS n FROM cities c LEFT JOIN trips t ON t.city_id = c.id GROUP BY 1 HAVING n >= 2;",
        "<!DOCTYPE html>\n<p class=\"note\">5 &lt; 6 &amp; <a href='#'>x</a></p><!-- end -->",
        "\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a} \\quad \\text{and} \\quad \\sum_{i=0}^{\\infty} x_i",
        "# Title\n\n* item **bold** _it_\n  1. `code`\n\n| a | b |\n|---|---|\n",
        "key: |\n  folded\n    more\nlist:\n- 1\n- {a: b}\n---\n...\n",
        "-- Haskell\nquicksort (p:xs) = quicksort [x | x <- xs, x < p] ++ [p] ++ quicksort [x | x <- xs, x >= p]",
        "SUB R1, R2, #0x10\n\tBNE .loop_2\n; comment",
    ),
}
