"""Texts that an engine has not seen: random, from a seed, and near enough to real ones.

The engine remembers what it made of a pre-token, so a text measures something only where its words are new.  Latin
words are drawn letter by letter, each by the two before it, from the sentences of ``mtok_export.texts``, and no word is
given out twice.  Chinese and Japanese clauses are put together from frequent words; it is the clauses that are new.
"""

from __future__ import annotations

import random
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator

from mtok_export.texts import languages

LINE = 42
"""Columns of a wrapped line: with whole words it comes out at about 40 characters."""

_LANGUAGES = ("English", "German", "French", "Spanish", "Portuguese", "Italian", "Dutch", "Swedish", "Polish")
_CLOSE = 0.8
"""So often a letter is drawn by two letters before it, else by one: there are not enough words otherwise."""

_CHINESE = (
    "我们 你们 他们 今天 明天 昨天 时候 问题 工作 学生 老师 学校 中国 世界 社会 经济 发展 技术 研究 科学 历史 "
    "文化 城市 农村 北京 上海 公司 市场 产品 服务 管理 系统 数据 网络 信息 计算机 软件 手机 电话 汽车 火车 飞机 "
    "地方 国家 政府 法律 教育 健康 医院 医生 朋友 家庭 孩子 父母 生活 音乐 电影 新闻 天气 春天 夏天 早上 晚上 "
    "因为 所以 但是 如果 虽然 已经 可以 应该 需要 没有 不是 这个 那个 什么 怎么 为什么 非常 一起 开始 结束 使用 "
    "提高 解决 认为 知道 喜欢 希望 觉得 来自 通过 关于 的 了 在 是 和 有 就 不 人 都 一 上 也 很 到 说 要 去 会 "
    "着 看 好 自己 這裡 經濟 學習 電腦"
)
_JAPANESE = (
    "私 彼女 今日 明日 昨日 時間 問題 仕事 学生 先生 学校 日本 世界 社会 経済 技術 研究 東京 会社 電車 "
    "コンピューター データ システム サービス インターネット ニュース テレビ コーヒー は が を に で と も の へ "
    "から まで より です ます でした ました している された という ことが ために について これは それは あります "
    "ありません できる できない とても また しかし だから 一緒に 始める 終わる 使う 思います 知って 好きな 新しい "
    "大きな 小さい 美しい 食べる 飲んだ 行きました 来ました 友だち 子ども"
)
_HAN = (0x4E00, 0x9FA6)
_RARE = 0.02
"""The share of words that are one character from anywhere in the block, as names are."""

_STATEMENTS = (
    "def {0}({1}, {2}=None):\n    return {1}.{3}({2}) + {n}\n",
    "for {0} in {1}.{2}():\n    if {0} != {n}:\n        {3}[{0}] = {1}\n",
    "const {0} = ({1}, {2}) => {{\n\treturn {1}.{3}[{n}] ?? {2};\n}};\n",
    "static int {0}(const {1} *{2}) {{\n    return {2}->{3} << {n};\n}}\n",
    '// {0} {1}\nthrow new {2}("{3}: " + {n});\n',
    "let {0}: Vec<{1}> = {2}.iter().map(|x| x.{3} * {n}).collect();\n",
    "SELECT {0}, COUNT(*) FROM {1} WHERE {2} >= {n} GROUP BY {3};\n",
)


class Words:
    """An endless supply of Latin words of which none comes twice; their lengths stay the same to the end."""

    def __init__(self, rng: random.Random, given: set[str], *, ascii_only: bool) -> None:
        self._rng = rng
        self._given = given
        self._follow: dict[str, list[str]] = defaultdict(list)
        for language in _LANGUAGES:
            for sentence in languages()[language]:
                for word in filter(str.isalpha, sentence.lower().split()):
                    for at, letter in enumerate(word):
                        if letter.isascii() or not ascii_only:
                            self._follow[word[max(0, at - 2) : at]].append(letter)
                            self._follow[word[max(0, at - 1) : at]].append(letter)

    def new(self) -> str:
        """A word of four to twelve letters."""
        (size,) = self._rng.choices(range(4, 13), (8, 12, 15, 16, 15, 13, 10, 7, 4))
        while True:
            word = ""
            while len(word) < size:
                back = 2 if self._rng.random() < _CLOSE else 1
                word += self._rng.choice(self._follow.get(word[-back:]) or self._follow[""])
            if word not in self._given:
                self._given.add(word)
                return word


class Materials:
    """Texts by kind; all from one seed, so that two files are given the same ones."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)
        given: set[str] = set()
        self._words = Words(self._rng, given, ascii_only=False)
        self._ascii_words = Words(self._rng, given, ascii_only=True)

    def text(self, kind: str, size: int) -> str:
        """A text of ``size`` characters, of a kind of ``KINDS``."""
        parts: list[str] = []
        have = 0
        for part in KINDS[kind](self):
            parts.append(part)
            have += len(part)
            if have >= size:
                return "".join(parts)[:size]
        raise AssertionError("texts have no end")

    def _latin(self) -> Iterator[str]:
        while True:
            words = [self._words.new() for _ in range(self._rng.randint(5, 15))]
            words[0] = words[0].capitalize()
            words[self._rng.randrange(1, len(words) - 1)] += self._rng.choice((",", ",", ";", ""))
            yield " ".join(words) + self._rng.choice((". ", ". ", ". ", "? ", "! "))

    def _latin_lines(self) -> Iterator[str]:
        sentences = self._latin()
        while True:
            yield textwrap.fill("".join(next(sentences) for _ in range(20)), LINE) + "\n"

    def _east_asian(self) -> Iterator[str]:
        japanese = _JAPANESE.split()
        for words in _alternately(_CHINESE.split(), japanese):
            for ending in (*"，" * self._rng.randint(0, 3), "。"):
                clause = (self._word_of(words) for _ in range(self._rng.randint(3, 10)))
                yield "".join(clause) + ("、" if words is japanese and ending == "，" else ending)

    def _word_of(self, words: list[str]) -> str:
        return chr(self._rng.randrange(*_HAN)) if self._rng.random() < _RARE else self._rng.choice(words)

    def _code(self) -> Iterator[str]:
        while True:
            names = [self._identifier() for _ in range(4)]
            yield self._rng.choice(_STATEMENTS).format(*names, n=self._rng.randrange(10_000))

    def _identifier(self) -> str:
        words = [self._ascii_words.new() for _ in range(self._rng.randint(1, 3))]
        return self._rng.choice(("_".join(words), words[0] + "".join(word.capitalize() for word in words[1:])))


def _alternately(*choices: list[str]) -> Iterator[list[str]]:
    while True:
        yield from choices


KINDS: dict[str, Callable[[Materials], Iterator[str]]] = {
    "Latin": Materials._latin,
    "Latin, lines of 40": Materials._latin_lines,
    "Chinese, Japanese": Materials._east_asian,
    "code": Materials._code,
}
"""Kinds of text; ``Latin`` has no line ends."""
