"""Takes secrets out of strings before anything is shown or exported.

Reports get published. Values of authorisation, cookie and API-key headers, user
info in URLs, parameters and keys that are named like a secret, and the options
by which load generators take credentials are replaced by `[redacted]`.

Strings come from files of strangers, so every pass is linear in their length:
patterns begin at the start of a word and never give back what they took.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote, unquote, unquote_plus

from benchkit.redaction.names import is_count, is_header, is_secret
from benchkit.redaction.takers import Taker, takers

MARK: Final = "[redacted]"
#: Returns which part of a text is to be hidden, for a match; an empty one for nothing.
_Span = Callable[[str, re.Match[str]], tuple[int, int]]

#: Without any of these, in small letters, and without an option or what a script is handed there
#: is nothing to look for.
_HINTS: Final = (
    *("auth", "cookie", "token", "secret", "pass", "pwd", "key", "sig", "cred", "sess", "sid"),
    *("jwt", "bearer", "eyj", "@", "csrf", "xsrf", "otp", "hmac", "saml", "oidc", "dpop", "pw"),
    *("assertion", "ticket", "nonce", "pin", "code", "verifier", "akia", "asia", "gh", "glpat"),
    *("github_pat", "xox", "rk_", "rk-", "sk_", "sk-", "aiza", "npm_", "pypi-", "hvs.", "dop_"),
    *("sg.", "private", "_pat", "-pat", "hpat", "bpat"),
    *("sqlplus", "sqlldr", "expdp", "impdp", "rman target"),
)
_DASH: Final = re.compile(r"[\s\"']-")
_PAIR: Final = re.compile(
    r"(?P<before>(?<!\\)\\*+[\"'`]|[?&;]|(?<![\w%.\-\[\]])(?:-{1,2}(?:H(?=[A-Z]))?|))"
    r"(?P<name>[\w%.\[][\w%.\-\[\]]*+)"
    r"(?P<after>\\{0,7}+[\"'`])?\]?(?>\*{0,3})(?P<gap>[ \t]*+)(?P<sep>=>|:?=(?!=)|:(?!//))"
    r"(?>(?:[*_]{1,3}(?=[ \t]))?)[ \t]*+"
)
#: `token.json: expected …` is a line about a file.
_FILE: Final = re.compile(
    r"\.(?:bin|csv|dat|gob|gz|html?|ini|jsonl?|log|md|out|te?xt|toml|tsv|xml|ya?ml|zip)$",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(r"\[?[ \t]*+(\\{0,7}+[\"'`])")
_BRACKETED: Final = re.compile(
    r"\"(?>(?:[^\"\\\r\n]|\\.)*)\"?|'[^'\r\n]*+'?|\\.?|[\[\]{}\r\n]|[^\"'\\\[\]{}\r\n]++"
)
#: What ends a quoted text and begins it anew: as shells and tables have a quote in it, and `..`.
_JOINT: Final = re.compile(
    r"'(?:\\'|\"'\")?(?P<single>')|\"(?:\\\"|'\"')?(?P<double>\")"
    r"|\\{0,7}+[\"'`][ \t]*+(?:\.\.|\+)[ \t]*+(?P<further>\\{0,7}+[\"'`])"
)
_IN_QUERY: Final = re.compile(r"[^&\s#\"'`<>|;)]*+")
_WORD: Final = re.compile(
    r"(?:\"(?:[^\"\\\n]++|\\.)*\"?|'[^'\n]*+'?|\\.|[^\s\"'\\,}])+",
)
_SCHEME: Final = re.compile(
    r"(?:Bearer|Basic|Digest|Token|ApiKey|Negotiate|NTLM)(?:\\?[ \t])+", re.IGNORECASE
)
#: A header's value that stands in no quotes: up to an option, a URL, a cell or a quote.
_HEADER_VALUE: Final = re.compile(
    r"(?:[^\s\"'`\\=]++|=(?:\\{0,7}[\"'][^\"'\r\n]*+[\"']?)?|\\++(?![\"'`])"
    r"|(?<![ \t])[ \t]++(?!-{1,2}[A-Za-z]|https?://|\|(?:\s|$)))*"
)
#: A header may go on in the next line behind blanks, unless another begins there: one that is a
#: line of its own, or whose value is not at its end.
_FOLD: Final = re.compile(r"[ \t]*+\r?\n[ \t]++(?=\S)(?![\w\-]++[ \t]*+:)")
_HEADER_OPTION: Final = re.compile(r"-{1,2}(?:H|headers?)[ \t=]*$")

#: A shell's line may go on in the next one, between an option and its value too.
_OPTION: Final = re.compile(r"(?<!\S)(--?([A-Za-z][\w-]*+)(?>(?:[ \t]++|[\\^`]\r?\n)+))(?![-\s])")
#: `'--token', 'value'` in a list of words, `('Authorization', 'value'` in one of pairs.
_LISTED: Final = re.compile(
    r"(?P<opening>[(\[][ \t]{0,8}b?)?(?P<quote>(?<!\\)\\{0,7}[\"'])(?P<dashes>-{0,2})"
    r"(?P<name>[A-Za-z][\w-]*+)(?P=quote)[ \t]*+,\s*+b?(?=(?P<value>\\{0,7}[\"']))"
)
_LOGIN: Final = re.compile(
    r"\b(?:user(?:name)?|login)[ \t]*+[:=][ \t]*+[^\s,;:=]++[,;]?[ \t]++pass[ \t]*+[:=][ \t]*+",
    re.IGNORECASE,
)
#: Words of a netrc file in any order, of one machine.
_NETRC: Final = re.compile(
    r"(?:\bmachine[ \t]++\S++|^default)(?:"
    r"(?>(?:\s++(?:login|account)[ \t]++\S++){1,2})\s++password[ \t]++|"
    r"\s++password[ \t]++(?=\S++\s++(?:login|account)\s))(?=(?P<value>[^\s\"'`]*+))",
    re.MULTILINE,
)
#: Such a machine without a login, where its line begins.
_NETRC_PASSWORD: Final = re.compile(
    r"(?:^|[\"'`])machine[ \t]++\S++\s++password[ \t]++(?P<value>[^\s\"'`]++)", re.MULTILINE
)
#: Programs of Oracle, and their `user/password@host`; without a user it is none.
_TAKES_LOGINS: Final = re.compile(r"\b(?:sqlplus|sqlldr|expdp|impdp|rman)\b")
_SLASHED_LOGIN: Final = re.compile(r"[\"']{0,2}(?:userid=)?[\w$#.]++/[^\s/].*+", re.DOTALL)
#: Where OpenSSL takes a password from, and what curl has behind a certificate; words of a list too.
_PASS_SOURCE: Final = re.compile(
    r"-pass(?:in|out|word)?[\"']?(?:[ \t]++|=|,[ \t]*+)[\"']?pass:(?P<value>[^\s\"'`]++)"
)
_CERT_OPTION: Final = (
    r"(?<![\w-])-(?:[A-Za-z]{0,9}E|-(?:proxy-)?cert)[\"']?(?:[ \t]++|=|,[ \t]*+|(?=[^\s]))"
)
_CERT_ENDS: Final = r"(?:(?<=\.(?i:pem|crt|cer|p12|pfx|key))|(?<=\.(?i:cert)))"
_CERTIFICATE: Final = re.compile(
    rf"{_CERT_OPTION}(?![\"'])(?:[A-Za-z]:[\\/])?[^\s:\"'`]{{1,200}}+{_CERT_ENDS}:"
    r"(?P<value>[^\s\"'`]++)"
)
_QUOTED_CERTIFICATE: Final = re.compile(
    rf"{_CERT_OPTION}[\"'](?:[A-Za-z]:[\\/])?[^:\"'\r\n]{{1,200}}+{_CERT_ENDS}:"
    r"(?P<value>[^\"'\r\n]++)"
)
#: A login as a pair of Python: `auth=("me", "…")`, `auth=HTTPBasicAuth(user, '…')`.
_LOGIN_PAIR: Final = re.compile(
    r"auth\w{0,20}+\s{0,9}+=\s{0,9}+(?:[A-Za-z_][\w.]{0,60}+)?\(\s{0,40}+"
    r"(?:\"[^\"\r\n]{0,200}+\"|'[^'\r\n]{0,200}+'|[^\s,()\"']{1,200}+)\s{0,9}+,\s{0,40}+[\"']"
    r"(?P<value>[^\"'\r\n]*+)"
)
#: What calls another program.
_RUNS: Final = frozenset({"run", "exec", "compose"})
_KEY_FILE: Final = re.compile(r"\.(?:pem|key|crt|cer|p12|pfx)[\"']?$", re.IGNORECASE)
_AUTHORITY: Final = re.compile(
    r"(?<![a-zA-Z0-9+.\-])([a-zA-Z][a-zA-Z0-9+.\-]*+://)([^\s/?#\"'`<>]++)"
)
_BARE_AUTHORITY: Final = re.compile(
    r"(?<![^\s\"'`=(/])(?!mailto:|npm:)[\w.%+\-]++(?>(?:\\{1,4}[\w.%+\-]++)?)"
    r":[^\s/@:\"'`]++@(?!sha256:)(?=[\w\[])"
)
#: `me:pass/word@h`, where what stands behind the colon is no port.
_NO_PORT: Final = re.compile(r"[\w.%+\-\\]*+:(?![\d/?#{$]|\Z)(?!port\b)[^/?#:@]++\Z", re.IGNORECASE)
_LONGEST_LOGIN: Final = 300
_LOGIN_END: Final = re.compile(
    r"[^\s@\"'`<>]*+(?>(?:@[^\s/?#@\"'`<>]*+(?=@))*)@(?!sha256:)(?=[\w\[])"
)
_BEARER: Final = re.compile(
    r"\b(Bearer\s++(?>(?:\\{0,7}+[\"'`][ \t]*+(?:\.\.|\+)[ \t]*+\\{0,7}+[\"'`])?))"
    r"(?=[^\s\d]*+\d)[\w.~+/=\-]{8,}+",
    re.IGNORECASE,
)
_JWT: Final = re.compile(r"\beyJ[\w\-]{8,}+\.[\w\-]{8,}+(?:\.[\w\-]*+)?")
#: What tells by itself that it is a key: of AWS, GitHub, GitLab, Slack, Stripe, Google and others.
_TELLING: Final = re.compile(
    r"\b(?:A[KS]IA\w{16}|gh[a-z]_\w{16,}+|github_pat_\w{16,}+|glpat-[\w-]{16,}+"
    r"|xox[a-z]-[\w-]{16,}+|[rs]k_(?:live|test)_\w{16,}+|sk-[\w-]{20,}+|AIza[\w-]{30,}+"
    r"|npm_\w{30,}+|pypi-[\w-]{30,}+|hvs\.[\w-]{16,}+|do[a-z]_v1_\w{30,}+"
    r"|SG\.[\w-]{16,}+\.[\w-]{16,}+)"
)
_PRIVATE: Final = re.compile(
    r"(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)(?>(?:[^-]++|-(?!----END))+)", re.DOTALL
)
#: What a shell goes on with behind the closing quote of a word: `"Authorization: Bearer "x`.
_GLUED: Final = re.compile(
    rf"({re.escape(MARK)}(?:\"(?>(?:\"(?=\w))?)(?=[\w'])|'(?>(?:'(?=\w))?)(?=[\w\"])))"
    r"(?>(?:[\w$+/=.%~-]++|\"[^\"\r\n]*+\"?|'[^'\r\n]*+'?)+)"
)
#: A password in quotes of its own within a URL.
_QUOTED_LOGIN: Final = re.compile(
    r"://[^\s/?#\"'`@:]{0,200}+:[\"']{1,2}+(?P<value>[^\s\"'`@]++)[\"']{1,2}+@"
)
_ELEMENT: Final = re.compile(r"(?<=<)([\w:.\-]++)(\s[^<>]*+)?>(?=[^<>\s][^<>]*+<)")
#: `<name>password</name><value>`
_NAMED_ELEMENT: Final = re.compile(
    r">([\w.\-]++)</[\w:.\-]++>\s*+<([\w:.\-]++(?>(?:\s[^<>]*+)?))>(?=[^<>\s][^<>]*+<)"
)
_ATTRIBUTE: Final = re.compile(r"(?<![\w:.\-])([\w:.\-]++)\s*+=\s*+(?:\"([^\"<]*+)|'([^'<]*+))")
_TAG: Final = re.compile(
    r"<[A-Za-z][\w:.\-]*+(?>(?:\s++[\w:.\-]++\s*+=\s*+(?:\"[^\"<]*+\"?|'[^'<]*+'?))+)"
)
_QUOTED: Final = re.compile(
    r"\bpass(?:word|wd|phrase|code)[ \t]++(?:is[ \t]++|of[ \t]++)?([\"'`])", re.IGNORECASE
)
_ENCODED_EQUALS: Final = re.compile(r"%(?>(?:25)*)3D", re.IGNORECASE)
#: What stands before the name of an encoded pair, and behind its value.
_ENCODED_BEFORE: Final = re.compile(r"%(?>(?:25)*)(?:2[036F]|3[ABDF])|[^\w.\-\[\]%]", re.IGNORECASE)
_ENCODED_END: Final = re.compile(r"%(?>(?:25)*)(?:2[36]|3B)|[&\s#\"'`<>|;)]", re.IGNORECASE)
_LONGEST_NAME: Final = 100
#: A value or a part of a path with something encoded in it, and what follows up to the next value.
_ENCODED: Final = re.compile(
    r"(?<![^\s&#\"'`<>|;)=?/])[^\s&#\"'`<>|;)=?/%]*+%[0-9A-Fa-f]{2}[^\s&#\"'`<>|;)]*+"
)
#: So often a value may be encoded.
_ENCODED_TIMES: Final = 3
#: Keys of an object under which a name stands, and those for what is called so.
_NAMING: Final = ("name", "key", "header", "field", "option", "variable")
_NAMED: Final = frozenset({"value", "values", "val", "content"})
_LISTED_OPTION: Final = re.compile(r"--?([A-Za-z][\w-]*+)")


#: What a script is handed, and is no credential: an option, a number, a URL (seen to elsewhere).
_PLAIN_ARGUMENT: Final = re.compile(r"-.*+|\d[\d.,]*+[A-Za-z%]{0,2}|.*?://.*+", re.DOTALL)
#: What makes the word behind it a name: of a container, a backend.
_CALLED: Final = re.compile(
    r"(?:(?<=[\w\]])=|--(?:name|host|hostname|network|network-alias|service)[ \t]+)\Z"
)
_LONGEST_CALL: Final = 40
#: A command up to the next one, over quoted ends of commands.
_COMMAND: Final = re.compile(
    r"(?>(?:[^\n|;&\"'\\]|\\(?:\r\n|[\s\S])?|&(?!&)|'(?:[^'\n]*+')?"
    r"|\"(?:(?>(?:[^\"\\\n]|\\.)*)\")?)*)"
)


def redact(text: str) -> str:
    """Return `text` without the values of secrets; without secrets, `text` itself."""
    shown = _redacted(text)
    return _ENCODED.sub(_encoded_anew, shown) if "%" in shown else shown


def _redacted(text: str) -> str:
    """Return `text` without secrets, but those in which letters are written by their numbers."""
    if not _is_suspect(text):
        return text
    if text[:1] in "{[":
        try:
            value = json.loads(text, object_pairs_hook=once_each)
            clean = redact_json(value)
        except (ValueError, RecursionError):
            pass  # not JSON after all, or nothing that a program would read as such
        else:
            return text if clean == value else json.dumps(clean, ensure_ascii=False)
    if _DASH.search(text) or ("/" in text and _TAKES_LOGINS.search(text)):
        text = _credentials(text)
    text = _BEARER.sub(rf"\1{MARK}", text)  # before headers, which end where their line does
    for needed, pattern, span in _SPANS:
        text = _replaced(text, pattern, span) if needed in text else text
    text = _PRIVATE.sub(rf"\1{MARK}", text)
    text = _GLUED.sub(r"\1", text) if MARK in text else text
    return _TELLING.sub(MARK, _JWT.sub(MARK, text))


def _is_suspect(text: str) -> bool:
    """Whether there may be a secret; quickly, as hardly any text has one."""
    small = text.lower()
    if not small.isascii():  # of which patterns take some letters for those of ASCII
        return True
    if "\\u" in small:  # as JSON may write any letter
        return True
    small = _decoded(small)
    return any(map(small.__contains__, _HINTS)) or _DASH.search(small) is not None


def redact_json(value: Any, *, secret: bool = False) -> Any:  # noqa: ANN401 - JSON values
    """Return a JSON value without its secrets: those below a key that is named like one."""
    if isinstance(value, dict):
        name = _name_in(value)
        names = {key: name if key.lower() in _NAMED else "" for key in value}
        return {
            redact(key): redact_json(
                below, secret=secret or _hides(key, below) or _hides(names[key], below)
            )
            for key, below in value.items()
        }
    if isinstance(value, list):
        hidden = [True] * len(value) if secret else _hidden_in(value)
        return [redact_json(each, secret=hides) for each, hides in zip(value, hidden, strict=True)]
    if secret and value is not None and not isinstance(value, bool):
        return MARK
    return redact(value) if isinstance(value, str) else value


def _hides(name: str, value: Any) -> bool:  # noqa: ANN401 - JSON values
    # {"key": 5} is a factor of a benchmark rather than a key.
    hides = is_secret(name, weak=not isinstance(value, int | float))
    return hides and not _are_counts(name, value)


def _are_counts(name: str, value: Any) -> bool:  # noqa: ANN401 - JSON values
    """Whether numbers stand below a name of what is counted: `"tokens": {"sent": 5}`."""
    below = [*value.values()] if isinstance(value, dict) else value
    below = below if isinstance(below, list) else [value]
    return all(isinstance(each, str | int | float) and is_count(name, str(each)) for each in below)


def _name_in(value: Mapping[str, Any]) -> str:
    """Return the name of a secret in `{"name": "X-Api-Key", "value": …}`, nothing in others."""
    if _NAMED.isdisjoint(map(str.lower, value)):
        return ""
    names = (below for key, below in value.items() if key.lower() in _NAMING)
    return next((name for name in names if isinstance(name, str) and is_secret(name)), "")


def _hidden_in(values: Sequence[Any]) -> Sequence[bool]:
    """Return which of the values in a list are secrets by what stands before them.

    It may be the words of a command, or a name and its value.
    """
    words = [value if isinstance(value, str) else "" for value in values]
    hidden = [
        bool(before) and _announces(before, value, pair=len(values) == 2)
        for before, value in zip(["", *words], values, strict=False)
    ]
    if any(word[:1] == "-" or _TAKES_LOGINS.search(word) for word in words):
        hidden = [named or given for named, given in zip(hidden, _taken(words), strict=True)]
    return hidden


def _announces(before: str, value: Any, *, pair: bool) -> bool:  # noqa: ANN401 - JSON values
    option = _LISTED_OPTION.fullmatch(before)
    if option is None:
        return is_secret(before, weak=False) if pair else is_header(before)
    if not isinstance(value, str):
        return _hides(option[1], value)
    if value.startswith("pass:") and _PASS_SOURCE.match(f"{before} {value}"):
        return True
    is_file = _KEY_FILE.search(value) and not is_secret(option[1], weak=False)
    return is_secret(option[1]) and value[:1] != "-" and not is_file


def once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON.

    Raises:
        ValueError: a key stands there twice: the earlier would be lost, and is in the text.
    """
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a key twice")
    return values


def _replaced(text: str, pattern: re.Pattern[str], span: _Span) -> str:
    """Replace the span of each match."""
    parts: list[str] = []
    done = at = 0
    while matched := pattern.search(text, at):
        start, end = span(text, matched)
        at = max(matched.end(), end, at + 1)
        if end > start:
            parts += [text[done:start], MARK]
            done = end
    return "".join([*parts, text[done:]]) if parts else text


# --- name%3Dvalue, <name>value</name>, password 'value' ---


def _encoded_value(text: str, matched: re.Match[str]) -> tuple[int, int]:
    """Return the value of a pair within a URL that is itself a value, encoded once or more."""
    start, end = matched.end(), matched.end()
    before = text[max(0, matched.start() - _LONGEST_NAME) : matched.start()]
    if is_secret(_ENCODED_BEFORE.split(before)[-1], query=True):
        stop = _ENCODED_END.search(text, start)
        end = stop.start() if stop else len(text)
    return start, end


def _content(text: str, matched: re.Match[str]) -> tuple[int, int]:
    start, attributes = matched.end(), _ATTRIBUTE.finditer(matched[2] or "")
    hides = is_secret(matched[1]) or any(map(_names_secret, attributes))
    return start, text.index("<", start) if hides else start


def _named_content(text: str, matched: re.Match[str]) -> tuple[int, int]:
    start = matched.end()
    hides = "value" in matched[2].lower() and is_secret(matched[1])
    return start, text.index("<", start) if hides else start


def _attribute_value(text: str, matched: re.Match[str]) -> tuple[int, int]:
    """Return what the value is in `<header name="Authorization" value="…"/>`."""
    attributes = [*_ATTRIBUTE.finditer(text, matched.start(), matched.end())]
    value = next((each for each in attributes if each[1].lower() in _NAMED), None)
    names = [_attribute(each) for each in attributes if _names_secret(each)]
    if value is None or not names or all(is_count(name, _attribute(value)) for name in names):
        return 0, 0
    return value.span(value.lastindex or 0)


def _names_secret(attribute: re.Match[str]) -> bool:
    return attribute[1].lower() in _NAMING and is_secret(_attribute(attribute))


def _attribute(matched: re.Match[str]) -> str:
    return str(matched[matched.lastindex or 0])


def _decoded(text: str) -> str:
    """Return a text with the letters that `%74` and the like stand for."""
    plain = text
    for _ in range(_ENCODED_TIMES if "%" in text else 0):
        plain = unquote(plain)
    return plain


def _encoded_anew(matched: re.Match[str]) -> str:
    """Return an encoded value without the secrets in what it stands for, encoded once."""
    plain = _decoded(unquote_plus(matched[0]))
    shown = _redacted(plain)
    return matched[0] if shown == plain else quote(shown, safe="/[]")


# --- name: value, name=value ---


def _pair_value(text: str, matched: re.Match[str]) -> tuple[int, int]:
    start, end = _named_value(text, matched)
    return start, start if is_count(matched["name"], text[start:end]) else end


def _named_value(text: str, matched: re.Match[str]) -> tuple[int, int]:
    start = matched.end()
    passed = bool(matched["before"] or matched["after"])
    query = matched["before"] in {"?", "&", ";"}
    if not is_secret(matched["name"], weak=passed or matched["sep"] in {"=", ":="}, query=query):
        return start, start if not passed else _login_end(text, matched["name"], start)
    colon = matched["sep"] == ":" and matched["gap"] == "" and text[start - 1] == " "
    if colon and not passed and _FILE.search(matched["name"]):
        return start, start
    joint = _JOINT.match(text, start) if matched["before"] else None
    if joint and joint["further"]:  # "token=" .. "…"
        return joint.end(), _closing(text, joint.end(), joint["further"])
    if matched["after"] and text[start : start + 1] in {"[", "{"}:
        return start, _bracket_end(text, start)
    opening = _OPENING.match(text, start)
    if opening:
        return opening.end(), _closing(text, opening.end(), opening[1])
    return start, _value_end(text, matched, passed=passed)


def _bracket_end(text: str, start: int) -> int:
    """Return the end of a list or an object, at the latest its line's."""
    depth, end = 0, start
    for piece in _BRACKETED.finditer(text, start):
        depth += (piece[0] in {"[", "{"}) - (piece[0] in {"]", "}"})
        if piece[0] in {"\r", "\n"}:
            break
        end = piece.end()
        if depth == 0:
            break
    return end


def _value_end(text: str, matched: re.Match[str], *, passed: bool) -> int:
    """Return the end of a value that stands in no quotes of its own."""
    start, before, name = matched.end(), matched["before"], matched["name"]
    colon = matched["sep"] == ":"
    if before.endswith(("'", '"', "`")) and not matched["after"]:
        inside = colon or is_header(name)
        return _closing(text, start, before) if inside else _query_end(text, start)
    if before in {"?", "&", ";"}:
        return _query_end(text, start)
    if colon and not matched["after"] and is_header(name):
        return _header_end(text, matched)
    end = _scheme_end(text, start)
    if not colon and "&" in text[start:end]:
        return text.index("&", start)
    # `pass=3` is a secret in a form and a count in a log.
    count = not passed and not is_secret(name, weak=False) and text[start:end].isdigit()
    return start if count else end


def _query_end(text: str, start: int) -> int:
    matched = _IN_QUERY.match(text, start)
    end = matched.end() if matched else start
    joint = _JOINT.match(text, end)
    return _closing(text, joint.end(), joint["further"]) if joint and joint["further"] else end


def _scheme_end(text: str, start: int) -> int:
    """Return the end of a shell word, or of two: `Bearer` and what it bears.

    What parts it from the clause behind it is no part of it: `token=…; the keys are …`.
    """
    scheme = _SCHEME.match(text, start)
    word = _WORD.match(text, scheme.end() if scheme else start)
    if scheme and not word:
        return scheme.end()
    end = word.end() if word else start
    parted = end - 1 > start and text[end - 1] in ";:" and text[end : end + 1] in {" ", "\n"}
    return end - 1 if parted else end


def _header_end(text: str, matched: re.Match[str]) -> int:
    start = matched.end()
    option = _HEADER_OPTION.search(text[max(0, matched.start() - 12) : matched.start("name")])
    if option and text[start - 1] == ":":
        return _scheme_end(text, start)
    end = _words_end(text, start)
    begins = not matched["before"] and text[max(0, matched.start() - 1) : matched.start()] in {
        "",
        "\n",
    }
    while (fold := _FOLD.match(text, end)) and (begins or _is_unfinished(text[start:end])):
        end = _words_end(text, fold.end())
    return end


def _is_unfinished(value: str) -> bool:
    return value[-1:] in {"", ";", ","} or _SCHEME.fullmatch(f"{value} ") is not None


def _words_end(text: str, start: int) -> int:
    value = _HEADER_VALUE.match(text, start)
    return value.end() if value else start


def _closing(text: str, start: int, quote: str) -> int:
    """Return the end of the quoted text that began before `start`, with what is joined to it."""
    end = _first_closing(text, start, quote)
    while joint := _JOINT.match(text, end):
        end = _first_closing(text, joint.end(), joint[joint.lastgroup or 0])
    return end


def _first_closing(text: str, start: int, quote: str) -> int:
    """Return the next place where such a quoted text ends, at the latest its line's."""
    if len(quote) > 1:
        pattern = re.compile(re.escape(quote) + r"|[\r\n]|$")
    elif quote == '"':
        pattern = re.compile(r"(?<!\\)\"|(?<=[^\\]\\\\)\"|[\r\n]|$")
    else:
        pattern = re.compile(rf"{quote}|[\r\n]|$")
    matched = pattern.search(text, start)
    return matched.start() if matched else len(text)


# --- --name value ---


def _option_value(text: str, matched: re.Match[str]) -> tuple[int, int]:
    start, name = matched.end(), matched[2]
    if not is_secret(name):
        return start, _login_end(text, name, start)
    opening = _OPENING.match(text, start)
    end = _scheme_end(text, start)
    if _KEY_FILE.search(text[start:end]) and not is_secret(name, weak=False):
        return start, start
    if is_count(name, text[start:end]):
        return start, start
    if opening:
        return opening.end(), _closing(text, opening.end(), opening[1])
    return start, end


def _login_end(text: str, name: str, start: int) -> int:
    """Return the end of `user:password`, where the option of that name takes it; else `start`."""
    if not name.lower().endswith("user"):
        return start
    end = _scheme_end(text, start)
    value = text[start:end]
    return end if ":" in value and "://" not in value else start


def _listed_value(text: str, matched: re.Match[str]) -> tuple[int, int]:
    """Return the quoted text behind an option or, in a pair, behind a name."""
    start, nothing = matched.end("value"), (matched.end(), matched.end())
    name, dashes = matched["name"], bool(matched["dashes"])
    if not (dashes or matched["opening"]) or not is_secret(name, weak=dashes):
        return nothing
    end = _closing(text, start, matched["value"])
    is_file = _KEY_FILE.search(text[start:end]) and not is_secret(name, weak=False)
    return nothing if is_file or text[start : start + 1] == "-" else (start, end)


def _login_value(text: str, matched: re.Match[str]) -> tuple[int, int]:
    start = matched.end()
    opening = _OPENING.match(text, start)
    if opening:
        return opening.end(), _closing(text, opening.end(), opening[1])
    return start, _scheme_end(text, start)


# --- ab -A user:password ---


@cache
def _program() -> re.Pattern[str]:
    names = "|".join(map(re.escape, takers()))
    return re.compile(rf"(?<![\w.\-])({names})(?:\.exe)?(?=[ \t])")


def _programs(text: str) -> Sequence[re.Match[str]]:
    """Return the programs that a text names, but for what is called after one."""
    return [each for each in _program().finditer(text) if not _CALLED.search(text, *_before(each))]


def _before(program: re.Match[str]) -> tuple[int, int]:
    return max(0, program.start() - _LONGEST_CALL), program.start()


def _credentials(text: str) -> str:
    parts: list[str] = []
    done = 0
    for program in _programs(text):
        if program.start() < done:
            continue
        command = _COMMAND.match(text, program.end())
        stop = command.end() if command else program.end()
        parts += [text[done : program.start()], _called(text[program.start() : stop])]
        done = stop
    return "".join([*parts, text[done:]]) if parts else text


def _called(text: str) -> str:
    """Return a command without the credentials that any of the programs in it takes."""
    parts: list[str] = []
    done = 0
    programs = _programs(text)
    for program, following in zip_longest(programs, programs[1:]):
        taker = takers()[program[1]]
        if taker.ends:
            stop = following.start() if following else len(text)
            parts += [text[done : program.end()], _arguments(text[program.end() : stop], taker)]
            done = stop
    shown = "".join([*parts, text[done:]]) if parts else text
    starts: dict[Taker, int] = {}
    for program in _programs(shown):
        starts.setdefault(takers()[program[1]], program.end())
    for taker, start in reversed(starts.items()):
        if not taker.ends:
            shown = shown[:start] + _arguments(shown[start:], taker)
    return shown


def _arguments(text: str, program: Taker) -> str:
    options, dashes, further = text, "", ""
    if program.scripted and " -- " in text:
        options, dashes, further = text.partition(" -- ")
    if "://" not in options:  # no call, but words about it
        options, dashes, further = text, "", ""
    shown = _WORD.sub(lambda w: w[0] if _PLAIN_ARGUMENT.fullmatch(w[0]) else MARK, further)
    return _option_arguments(options, program) + dashes + shown


def _option_arguments(text: str, program: Taker) -> str:
    wanted, switches = program.credentials, program.switches
    parts: list[str] = []
    done = 0
    must: str | None = None
    behind, logged = program.behind, False
    for word in _WORD.finditer(text):
        if behind:
            if word[0] in _RUNS:
                break
            behind = "" if word[0] == behind else behind
            continue
        start = word.start()
        if must is None:
            skipped = _cluster(word[0], wanted, switches)
            if program.login and not logged and _SLASHED_LOGIN.fullmatch(word[0]):
                logged = True
                parts += [text[done:start], MARK]
                done = word.end()
                continue
            if skipped is None:
                if program.leads and word[0][:1] != "-":
                    break  # the command that it calls
                continue
            must = wanted[word[0][skipped]]
            start += skipped + 1
            if start == word.end():
                must = None if program.attached else must
                continue
        if must in text[start : word.end()] and "://" not in text[start : word.end()]:
            inner = text[start : word.end()].strip("\"'")
            at = text.index(inner, start) if inner else start
            parts += [text[done:at], MARK]
            done = at + len(inner)
        must = None
    return "".join([*parts, text[done:]])


def _taken(words: Sequence[str]) -> Iterator[bool]:
    """Yield of each word whether an option, or a script, takes it as a credential."""
    none = Taker(ends=True)
    program, must, handed, before = none, None, False, ""
    pending: Taker | None = None  # until its command is named
    logged = False
    for word in words:
        may_be = must is None and program.ends and not _CALLED.search(f"{before} ")
        named = _named(word) if may_be else None
        begun = program.leads and must is None and word[:1] != "-"
        program = named or (none if begun else program)
        if named is not None and named.behind:
            program, pending = none, named
        elif pending is not None and word in {pending.behind, *_RUNS}:
            program, pending = (pending if word == pending.behind else none), None
        before = word
        at = None if must is not None else _cluster(word, program.credentials, program.switches)
        value = word
        if at is not None:
            must, value = program.credentials[word[at]], word[at + 1 :]
        taken = bool(value) and must is not None and must in value and "://" not in value
        login = program.login and not logged and _SLASHED_LOGIN.fullmatch(word) is not None
        logged, taken = logged or login, taken or login
        yield taken or (handed and _PLAIN_ARGUMENT.fullmatch(word) is None)
        handed = handed or (program.scripted and word == "--")
        must = must if at is not None and not value and not program.attached else None


def _named(word: str) -> Taker | None:
    return takers().get(PurePath(word).name.removesuffix(".exe"))


def _cluster(word: str, wanted: Mapping[str, str], switches: str) -> int | None:
    """Return the index of a wanted letter in a word such as `-kA`; None where it has none."""
    if word[:1] != "-" or word[:2] == "--":
        return None
    for at, letter in enumerate(word[1:], 1):
        if letter in wanted:
            return at
        if letter not in switches:
            return None
    return None


# --- scheme://user:password@host ---


def _user_info(text: str, matched: re.Match[str]) -> tuple[int, int]:
    start = matched.start(2)
    if "@" not in matched[2] and _NO_PORT.match(matched[2]):
        login = _LOGIN_END.match(text, start, start + _LONGEST_LOGIN)
        return start, login.end() - 1 if login else start
    return start, max(start, text.rfind("@", start, matched.end()))


def _own_value(_: str, matched: re.Match[str]) -> tuple[int, int]:
    return matched.span("value")


#: What a text must have for it, what is looked for, and which span of that is hidden, in order.
_SPANS: Final[Sequence[tuple[str, re.Pattern[str], _Span]]] = (
    ("%", _ENCODED_EQUALS, _encoded_value),
    ("pass:", _PASS_SOURCE, _own_value),
    (":", _CERTIFICATE, _own_value),
    (":", _QUOTED_CERTIFICATE, _own_value),
    ("auth", _LOGIN_PAIR, _own_value),
    ("<", _TAG, _attribute_value),
    ("", _PAIR, _pair_value),
    ("", _OPTION, _option_value),
    (",", _LISTED, _listed_value),
    ("ass", _LOGIN, _login_value),
    ("ogin", _NETRC, _own_value),
    ("achine", _NETRC_PASSWORD, _own_value),
    ("@", _QUOTED_LOGIN, _own_value),
    ("@", _AUTHORITY, _user_info),
    ("@", _BARE_AUTHORITY, lambda _, login: (login.start(), login.end() - 1)),  # the @ stays
    ("<", _ELEMENT, _content),
    ("</", _NAMED_ELEMENT, _named_content),
    ("", _QUOTED, lambda text, quote: (quote.end(), _closing(text, quote.end(), quote[1]))),
)
