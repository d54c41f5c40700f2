"""A folder's or file's name in tokens, each with its kind: split, and classify one by one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise, zip_longest
from typing import Any, Final, Literal

from benchkit import registry


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, for tables of them."""
    return frozenset(text.split())


Kind = Literal["word", "plain", "number", "load", "repeat", "when", "warm-up"]

#: Words that state a load, by the param that they state; single letters may mean something else.
_LOAD_WORDS: Final[Mapping[str, str]] = {
    word: param
    for param, words in {
        "connections": "c con conn conns connection connections conc concurrency concurrent "
        "client clients user users vu vus",
        "threads": "t th thread threads",
        "workers": "w worker workers",
        "rate": "rate rps qps tps",
        "requests": "n req reqs request requests",
        "pipelining": "p pipe pipeline pipelining pipelined",
        "duration": "d dur duration secs seconds",
    }.items()
    for word in words.split()
}
#: Behind these a rate is a share, or one of something else than requests.
_OF_OTHERS: Final = words_of(
    "error errors failure failures fail failed success hit hits miss misses cache drop dropped "
    "loss packet transfer transferred data bit byte bytes sample sampling frame refresh clock"
)
#: A rate of these is that of the requests: `target-rate-100`.
_OF_REQUESTS: Final = words_of("target offered request requests")
#: A rate in these is none of requests.
_UNITS_OF_OTHERS: Final = words_of(
    "hz khz mhz b kb kib mb mib gb bytes kbytes mbytes bps kbps mbps percent pct"
)
_REPEAT_WORDS: Final = words_of(
    "r run rep repeat repetition round iter iteration it try trial attempt pass take sample "
    "session cycle series i nr"
)
#: Words of a name that tell a tool, a format or that it is a result, not which.
_PLAIN_WORDS: Final = words_of(
    "report reports result results res out output outputs csv tsv json jsonl bin gob stdout "
    "stderr bench benches benchmark benchmarks benchmarking loadtest percentiles percentile hist "
    "histogram hdrplot gnuplot summary run runs rep repeat repetition round iter iteration trial "
    "attempt sample stats"
)
#: Words that say as little where nothing else stands beside them.
_PLAIN_ALONE: Final = words_of(
    "data raw log logs txt tmp err perf load test tests testing pct hdr values buckets table "
    "metrics measure measurement measurements measured requests responses attack file "
    "files plot e g"
)
#: Endings that tell a format; any other is a part of the name.
_ENDINGS: Final = words_of(
    "txt text log out output json jsonl ndjson csv tsv bin gob dat data md rst html htm ipynb yaml "
    "yml gz zst xz bz2 zip res result results report bench hdr hgrm hlog jtl xml db sqlite sqlite3 "
    "plot cjs js stdout stderr err e g"
)
#: A number right behind them tells a version, unless several have the same ones from 1 on.
_LANGUAGES: Final = words_of(
    "php node nodejs java python py go golang ruby rust dotnet spring postgres mysql"
)
#: A number right behind them tells a version or which of several, not a repetition.
_NUMBERED: Final = _LANGUAGES | words_of(
    "v version http h https tls ssl jdk jre net boot es ipv server service app backend proxy "
    "gateway config cfg case setup variant option impl candidate host machine box"
)
#: A number behind them that does not count from 1 is a name, such as that of a change: `pr-41`.
_IDENTIFIED: Final = words_of("pr mr cl issue ticket build commit rev revision release")

SEPARATORS: Final = r"_\-. /+,;~@=()\[\]{}#:&!"
_SEPARATED: Final = re.compile(rf"[{SEPARATORS}]*")
_CLOCK: Final = r"(?:[01]\d|2[0-3])"
_DATE: Final = (
    r"(?:19|20)\d\d(?P<between>[-_.]?)(?:0[1-9]|1[0-2])(?P=between)(?:0[1-9]|[12]\d|3[01])"
    rf"(?:(?:[T_ .-]?{_CLOCK}(?:[:h.-][0-5]\d){{1,2}}m?|[T_ .-]?{_CLOCK}[0-5]\d[0-5]\d"
    rf"|T{_CLOCK}[0-5]\d)(?:\.\d{{1,9}})?(?:Z|[+-]\d\d:?\d\d)?)?"
)
_KEYS: Final = "|".join(sorted({*_LOAD_WORDS, *_REPEAT_WORDS}, key=len, reverse=True))
_UNITS: Final = "|".join(
    sorted((w for w in _LOAD_WORDS if len(w) > 2 or w in {"c", "t"}), key=len, reverse=True)
)
_TOKEN: Final = re.compile(
    rf"""(?:
    (?P<when>{_DATE}|20\d\d[-_.]?w[0-5]\d|1[4-9]\d{{8}}(?:\d{{3}}){{0,3}}|\d{{1,2}}h[0-5]\d(?:m(?:\d\ds?)?)?
        |\d{{1,2}}:[0-5]\d(?::[0-5]\d)?|[0-3]?\d[-.](?:0[1-9]|1[0-2])[-.]20\d\d
        |[0-3]?\d[-_.]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{{0,6}}[-_.]?20\d\d)
    |(?P<warm>(?:pre)?warm[-_ ]?ups?|prim(?:e|ing|er)|preheat)
    |(?P<without>no[-_ ]?|without[-_ ]?|non[-_ ]?)?(?P<keep>keep[-_ ]?alive|(?<=[{SEPARATORS}])k)
        (?:[-_=:](?P<state>on|off|true|false|yes|no))?
    |(?:run|rep|repeat|round|iter)?[-_]?(?P<of>\d{{1,6}})(?:of|-of-|_of_)\d{{1,6}}
    |第?(?P<nth>\d{{1,6}})(?:回目?|次|번째?)
    |(?P<copy>(?<=[ ]-[ ])(?:copy|kopie|copie|copia)|(?<!.)(?:copy[ ]of|kopie[ ]von|copie[ ]de))
    |(?P<version>i[3-6]86|[a-z]{{1,3}}\d[a-z]{{0,3}}\.(?:nano|micro|small|medium|large|\d*xlarge|metal)
        |[nectam]\d[a-z]?-(?:standard|highmem|highcpu)-\d+
        |standard_[a-z]{{1,2}}\d+[a-z]*_v\d|(?:v\d++(?>(?:\.\d++)*)|(?<![.#])\d++(?>(?:\.\d++)+)(?!\.)
        |(?!(?:{_KEYS})\d)[^\W\d_][^{SEPARATORS}]{{0,40}}?\d++(?>(?:\.\d++)+))
        (?:-?(?:rc|beta|alpha|pre|preview|dev)\.?\d*|-\d+-(?:generic|lowlatency|aws|azure|gcp))?)
    |(?P<key>{_KEYS})(?P<amount>\d{{1,12}})(?P<scaled>[ks])?
    |(?P<counted>\d{{1,12}})(?P<kilo>k)?(?P<unit>{_UNITS})
    |(?P<time>(?:0\.)?\d{{1,9}})(?P<scale>s|secs?|seconds?|m|mins?|minutes?|h|hours?)
    |(?P<number>\d{{1,18}})(?P<suffix>k|kb|kib|mb|mib|gb|b|bytes|ms|us|ns|pct)?
    )(?=[{SEPARATORS}]|$)""",
    re.VERBOSE | re.IGNORECASE,
)
#: A dot that separates words, and numbers where dots do.
_DOTS: Final = re.compile(r"[^\W\d]\.(?!\d+$)|\.[^\W\d]")
_DOTTED: Final = re.compile(
    r"(?!\d{1,6}(?:\.\d{1,6}){2}-?(?:rc|beta|alpha|pre|dev))"
    r"(?:v\d{1,6}(?:\.\d{1,6}){1,2}|\d{1,6}(?:\.\d{1,6}\.\d{1,6})?)(?=\.)",
    re.IGNORECASE,
)
_WORD: Final = re.compile(rf"[^{SEPARATORS}]++")
_SCALES: Final = {"s": 1, "m": 60, "h": 3600}
#: So many `m` are no minutes.
_MEMORY: Final = 64
#: So many copies of a file count themselves behind the name of a language.
_MOST_COPIES: Final = 3
#: Folders that only hold others.
_CONTAINERS: Final = words_of(
    "results result res out output outputs report reports stdout stderr log logs tmp data raw "
    "bench benches benchmark benchmarks benchmarking loadtest runs run"
)
#: What stands before the number of a repetition: `nginxRun1`.
_CAPITAL: Final = re.compile(r"(?<=[a-z])(?:Run|Rep|Repeat|Round|Iter|Trial|Try)$")
#: A word and the number at its end, or of what reads like a version the last one.
_GLUED: Final = re.compile(
    r"(.*[^\W\d_]|(?!v\d++\.\d++$)(?:[^\W\d_].*|[\d.]*)\d(?=\.))\.?(\d{1,6})", re.IGNORECASE
)
#: What Kubernetes puts behind the name of a pod: of its version, and of itself.
_OF_POD: Final = (
    re.compile(r"[0-9a-f]{8,10}"),
    re.compile(r"(?=[a-z]{0,4}[0-9])[bcdfghjklmnpqrstvwxz2456789]{5}"),
)
_LETTERED: Final = re.compile(r"[^\W\d_]\d{1,6}")


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a name.

    Attributes:
        text: As it is written.
        before: The separators in front of it.
        param: What a load states: connections, threads, rate, …
        value: The number that it states, None without any.
        letter: The one letter by which it states that, which may stand for a repetition as well.
    """

    text: str
    kind: Kind
    before: str = ""
    param: str = ""
    value: Any = None
    letter: str = ""

    @property
    def lower(self) -> str:
        """Its text for comparing."""
        return self.text.lower()


def stem_of(name: str) -> str:
    """Return a file's name without what tells its format, of several endings without each."""
    while True:
        stem, dot, ending = name.rpartition(".")
        if not dot or not stem or not (ending.lower() in _ENDINGS or ending.lower() in _tools()):
            return name
        name = stem


@lru_cache(maxsize=4096)
def split(text: str) -> tuple[Token, ...]:
    """Return the tokens of a folder's or file's name, numbers bound to what they belong to."""
    tokens = _bound(list(_scan(text)))
    words = [token for token in tokens if token.kind in {"word", "plain"}]
    if all(token.kind == "plain" or token.lower in _PLAIN_ALONE for token in words):
        return tuple(replace(t, kind="plain") if t.kind == "word" else t for t in tokens)
    return tuple(tokens)


def _scan(text: str) -> Iterator[Token]:
    at, dotted = 0, _DOTS.search(text) is not None
    while True:
        separated = _SEPARATED.match(text, at)
        before = separated[0] if separated else ""
        at += len(before)
        if at >= len(text):
            return
        matched = (dotted and _DOTTED.match(text, at)) or _TOKEN.match(text, at)
        if matched and matched.re is _DOTTED:
            kind: Kind = "word" if "." in matched[0] else "number"
            yield Token(matched[0], kind, before, value=None if kind == "word" else int(matched[0]))
        elif matched is not None:
            yield replace(_read(matched), before=before)
        else:
            matched = _WORD.match(text, at)
            if matched is None:  # pragma: no cover - what is no separator is a word
                return
            yield Token(matched[0], _kind(matched[0]), before)
        at = matched.end()


def _kind(word: str) -> Kind:
    return "plain" if word.lower() in _PLAIN_WORDS or word.lower() in _tools() else "word"


@cache
def _tools() -> frozenset[str]:
    """Return the names of load generators and their programs, in small letters."""
    return frozenset(name.lower() for name in (*registry.tools(), *registry.programs()))


def _read(matched: re.Match[str]) -> Token:  # noqa: PLR0911 - a line for each kind
    text, part = matched[0], matched.groupdict()
    if part["when"]:
        return Token(text, "when")
    if part["warm"]:
        return Token(text, "warm-up")
    if part["keep"]:
        off = bool(part["without"]) != ((part["state"] or "").lower() in {"off", "false", "no"})
        return Token(text, "load", param="keepalive", value=not off)
    if part["of"] or part["nth"]:
        return Token(text, "repeat", value=int(part["of"] or part["nth"]))
    if part["version"] or part["copy"]:
        return Token(text, "word" if part["version"] else "plain")
    value: int | float
    if part["key"]:
        value = int(part["amount"]) * (1000 if (part["scaled"] or "").lower() == "k" else 1)
        return keyed(text, part["key"], value)
    if part["unit"]:
        value = number(part["counted"]) * (1000 if part["kilo"] else 1)
        return Token(text, "load", param=_LOAD_WORDS[part["unit"].lower()], value=value)
    if part["time"]:
        value = number(part["time"]) * _SCALES[part["scale"][0].lower()]
        if part["scale"] in {"m", "M"} and value >= _MEMORY * _SCALES["m"]:
            return Token(text, "word")
        return Token(text, "load", param="duration", value=value)
    value = int(part["number"]) * (1000 if (part["suffix"] or "").lower() == "k" else 1)
    return Token(text, "number", value=value)


def keyed(text: str, key: str, value: float) -> Token:
    """Return what a word says that states a load or a repetition with a number."""
    word = key.lower()
    letter = word if len(word) == 1 else ""
    if word in _LOAD_WORDS:
        return Token(text, "load", "", _LOAD_WORDS[word], value, letter)
    return Token(text, "repeat", "", "rate" if word == "r" else "", value, letter)


def number(text: str) -> int | float:
    """Return a number as short as it is."""
    value = float(text)
    return int(value) if value.is_integer() else value


def _bound(tokens: Sequence[Token]) -> list[Token]:
    """Join words that state something whatever the other names are: `rep-3`, `rate=100`, `#3`."""
    bound: list[Token] = []
    for token, behind in zip_longest(tokens, tokens[1:]):
        last, value = bound[-1] if bound else None, _value(token)
        of_others = token.lower == "rate" and last and last.lower in _OF_OTHERS
        is_other = last and last.lower == "rate" and behind and behind.lower in _UNITS_OF_OTHERS
        if last and (of_others or is_other):
            bound[-1] = replace(last, text=f"{last.text}{token.before}{token.text}", kind="word")
        elif last and _is_requests_rate(last, token, behind):
            bound[-1] = replace(token, before=last.before)
        elif last and value is not None and _states(last, token.before):
            bound[-1] = _joined(last, token, last.text, value)
        elif _is_copy(last, token, behind):
            bound.append(replace(token, kind="repeat"))
        else:
            bound.append(token)
    return bound


def _is_requests_rate(word: Token, token: Token, behind: Token | None) -> bool:
    """Whether a word tells no more of a rate, and of its number behind it, than of what it is."""
    is_rate = _LOAD_WORDS.get(token.lower) == "rate" and token.value is None
    return is_rate and word.lower in _OF_REQUESTS and bool(behind and behind.kind == "number")


def _is_copy(word: Token | None, token: Token, behind: Token | None) -> bool:
    """Whether it is a number alone in brackets, and no version: `node (20)`."""
    if token.kind != "number" or "(" not in token.before:
        return False
    if behind is not None and ")" not in behind.before:
        return False
    is_version = word is not None and word.lower in _LANGUAGES and token.value > _MOST_COPIES
    return not is_version


def _joined(first: Token, second: Token, key: str, value: float) -> Token:
    text = f"{first.text}{second.before}{second.text}"
    return replace(keyed(text, key, value), before=first.before)


def _value(token: Token) -> int | float | None:
    if token.kind == "number":
        value: int = token.value
        return value
    return number(token.text) if re.fullmatch(r"\d{1,9}\.\d{1,9}", token.text) else None


def _states(token: Token, between: str) -> bool:
    explicit = "=" in between or ":" in between
    repeats = len(token.text) > 1 and token.lower in _REPEAT_WORDS
    return token.value is None and (repeats or (explicit and token.lower in _LOAD_WORDS))


@dataclass(frozen=True, slots=True)
class KeyValue:
    """A word that may state a load and the number beside it; whether the word stands behind."""

    at: int
    key: str
    value: int
    behind: bool = False


def pairs_in(tokens: Sequence[Token]) -> list[KeyValue]:
    """Return the words that may state a load, each with the number behind or in front of it."""
    pairs: list[KeyValue] = []
    for at, (first, second) in enumerate(pairwise(tokens)):
        if pairs and pairs[-1].at == at - 1:
            continue  # its number is taken
        if second.kind == "number" and _may_state(first):
            pairs.append(KeyValue(at, first.lower, second.value))
        elif first.kind == "number" and len(second.text) > 2 and _may_state(second):
            after = tokens[at + 2] if at + 2 < len(tokens) else None
            if after is None or after.kind != "number" or ")" in after.before:
                pairs.append(KeyValue(at, second.lower, first.value, behind=True))
    return pairs


def _may_state(token: Token) -> bool:
    letter = len(token.text) == 1 and token.lower in _REPEAT_WORDS
    return token.value is None and (letter or token.lower in _LOAD_WORDS)


def with_pairs(tokens: Sequence[Token], keys: Collection[str]) -> list[Token]:
    """Return the tokens with the words of some keys bound to the numbers beside them."""
    bound = list(tokens)
    for pair in reversed(pairs_in(tokens)):
        if pair.key in keys:
            first, second = bound[pair.at : pair.at + 2]
            bound[pair.at : pair.at + 2] = [_joined(first, second, pair.key, pair.value)]
    return bound


def glued(token: Token) -> tuple[str, int] | None:
    """Return a word and the number at its end, as in `nginx3`, None where there is none.

    Of `nginx1.24` they are `nginx1` and 24; of `v1.2` there is none.
    """
    matched = _GLUED.fullmatch(token.text) if token.kind in {"word", "plain"} else None
    return (matched[1], int(matched[2])) if matched else None


def is_tool(token: Token) -> bool:
    """Whether a token is the name of a load generator or its program."""
    return token.lower in _tools()


def is_container(token: Token) -> bool:
    """Whether a folder of that name only holds others."""
    return token.lower in _CONTAINERS


def pod_in(tokens: Sequence[Token]) -> int | None:
    """Return where the two words of a pod stand, None where there are none."""
    pairs = enumerate(pairwise(tokens))
    fits = (
        at
        for at, two in pairs
        if all(p.fullmatch(t.text) for p, t in zip(_OF_POD, two, strict=True))
    )
    return next((at for at in fits if {"word"} == {t.kind for t in tokens[at : at + 2]}), None)


def param_of(word: str) -> str:
    """Return the param of the load that a word states, empty where it states none."""
    return _LOAD_WORDS.get(word.lower(), "")


def is_lettered(token: Token) -> bool:
    """Whether a token is a letter and a number behind it: `A1`, `c50`."""
    return _LETTERED.fullmatch(token.text) is not None


def is_numbered(word: str) -> bool:
    """Whether a number behind a word tells a version or which of several: `http2`, `server1`."""
    return word.rstrip("0123456789").lower() in _NUMBERED


def is_language(word: str) -> bool:
    """Whether a word is that of a language or the like, which may be measured several times."""
    return word.rstrip("0123456789").lower() in _LANGUAGES


def identified(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield where a number stands that is a name with the word before it, and the number."""
    for at, (first, second) in enumerate(pairwise(tokens), 1):
        if first.lower in _IDENTIFIED and second.kind == "number" and second.text.isdigit():
            yield at, second.value


def with_name(tokens: Sequence[Token], at: int) -> list[Token]:
    """Return the tokens, a word and the number behind it joined: `pr-41`."""
    word, number = tokens[at - 1 : at + 1]
    text = f"{word.text}{number.before}{number.text}"
    return [*tokens[: at - 1], replace(word, text=text, kind="word"), *tokens[at + 1 :]]


def parted(token: Token) -> list[Token]:
    """Return a word and the number at its end as two tokens."""
    pair = glued(token)
    if pair is None:
        return [token]
    word = _CAPITAL.sub("", pair[0])
    end = token.text[len(pair[0]) :]
    number = end.removeprefix(".")
    return [
        Token(word, _kind(word), token.before),
        Token(number, "number", end.removesuffix(number), value=pair[1]),
    ]
