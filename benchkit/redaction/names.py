"""Which names stand for a secret: of headers, parameters, keys and options."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
#: One of these among a name's words, and whatever it holds is a secret.
_STRONG: Final = {
    *("token", "secret", "secrets", "password", "passwords", "passwd", "passwds", "passphrase"),
    *("passphrases", "passcode", "passcodes", "pwd", "pwds", "authorization", "authorizations"),
    *("cookie", "credential", "credentials", "jwt", "jwts", "bearer", "csrf", "xsrf"),
    *("otp", "otps", "totp", "hmac", "saml", "oidc", "dpop"),
}
#: Strong ones at the end of a name, unless it says how many there are: `max_tokens`.
_COUNTED: Final = {"tokens", "cookies"}
_COUNTING: Final = {
    *("max", "maximum", "min", "minimum", "num", "number", "n", "total", "avg", "mean", "per"),
    *("prompt", "completion", "input", "output", "generated", "cached", "special", "stop"),
    *("no", "without", "ignore", "clear", "load", "save", "keep", "disable", "enable"),
    *("expected", "unexpected"),
}
#: So many of them, whatever they are called.
_NUMBER: Final = re.compile(r"[0-9][0-9.,_]*+[kKMG%]?")
#: These are secrets where somebody passes them along, and plain words in prose.
_WEAK: Final = {
    *("key", "auth", "oauth", "pass", "pw", "session", "sid", "sig", "signature", "creds"),
    *("assertion", "ticket", "nonce", "pin"),
}
#: These are plain words but alone in a query, and behind one of the others.
_PLAIN: Final = {"code", "sign", "verifier"}
_QUALIFYING: Final = {
    *("access", "activation", "authorization", "client", "code", "device", "invite", "login"),
    *("mfa", "reset", "sms", "verification"),
}
#: Before `keys` these make more than the keys of a store, and before `pat` more than a pattern.
_BEHIND: Final[Mapping[str, Collection[str]]] = {
    "keys": ("api", "access", "auth", "encryption", "license", "private", "signing", "ssh"),
    "pat": (
        *("ado", "azure", "bitbucket", "devops", "ext", "gh", "git", "github", "gitlab", "jira"),
        "x",
    ),
}
#: Words that are written together: `accesstoken`, `PHPSESSID`.
_ENDINGS: Final = tuple(
    f"{word}{plural}"
    for plural in ("", "s")
    for word in (
        *("secret", "password", "passwd", "apikey", "accesskey", "secretkey", "authkey", "appkey"),
        *("privatekey", "licensekey", "sessionid", "sessid", "authcookie", "sessioncookie"),
        *("token", "setcookie"),
    )
)
#: `userpass` and `dbpwd` rather than `bypass`, `authcode` rather than `barcode`, `tokenid` rather
#: than `tokenizer`.
_TOGETHER: Final = re.compile(
    r"(?:admin|app|auth|basic|client|db|default|ftp|http|imap|keystore|ldap|login|mail|master|my"
    r"|mongo|mysql|new|old|pg|postgres|proxy|redis|require|root|smtp|sql|ssh|sudo|system|truststore"
    r"|user|vpn|web|wifi|(?:dest|src)?(?:key|store))(?:pass(?:word)?|pw|pwd)s?"
    r"|(?:access|activation|auth|authorization|device|invite|login|mfa|otp|reset|security|sms"
    r"|verification)codes?"
    r"|(?:apikey|cookie|passwd|password|secret|token)(?:data|hash|id|key|string|val|value)"
    r"|(?:gh|github|gitlab)pat|codeverifier|masterauth"
)
#: What a secret's name ends in when it says something about the secret.
_ABOUT: Final = {
    *("size", "count", "length", "len", "bits", "type", "name", "file", "path", "ttl", "expiry"),
    *("expires", "rate", "limit", "policy", "algorithm", "method", "mode", "url", "uri", "error"),
    *("through", "space", "pattern", "prefix", "distribution", "bucket", "affinity"),
}
_HEADERS: Final = {"authorization", "authentication", "cookie", "cookies", "setcookie"}


@lru_cache(maxsize=4096)
def is_secret(name: str, *, weak: bool = True, query: bool = False) -> bool:
    """Whether a value of this name is to be hidden.

    Args:
        name: As written, in any case, with any separators, `%5F` included.
        weak: Whether words count that are plain ones elsewhere: key, session, …
        query: Whether it stands in the query of a URL, where `code` is one for a login.
    """
    words = _words(name)
    if not words or words[-1] in _ABOUT:
        return False
    first = frozenset(words[:-1])
    if words[-1] in _COUNTED:
        return _COUNTING.isdisjoint(first)
    if words[-1] in _PLAIN and (query or not _QUALIFYING.isdisjoint(first)):
        return True
    if (
        "".join(words) in _STRONG
        or words[-1] in _HEADERS
        or not first.isdisjoint(_BEHIND.get(words[-1], ()))
    ):
        return True
    if any(map(_is_strong, words)):
        return True
    # `api-key` and `x-auth-user` are as clear as `token`; a lone `key` is not.
    return not _WEAK.isdisjoint(words) and (weak or len(words) > 1)


def _is_strong(word: str) -> bool:
    if word in _COUNTED or word.removesuffix("tokens") in _COUNTING:
        return False
    return word in _STRONG or word.endswith(_ENDINGS) or _TOGETHER.fullmatch(word) is not None


def is_count(name: str, value: str) -> bool:
    """Whether a value says how many there are of what would be secrets: `tokens: 500`."""
    last = "".join(_words(name)[-1:])
    return last in _COUNTED and _NUMBER.fullmatch(value) is not None


@lru_cache(maxsize=4096)
def is_header(name: str) -> bool:
    """Whether this is the name of a header whose whole line is a secret."""
    words = _words(name)
    together = "".join(words[-2:])
    return bool(words) and (
        words[-1] in _HEADERS or together in _HEADERS or ("-" in name and is_secret(name))
    )


def _words(name: str) -> list[str]:
    plain = unquote(unquote(name)) if "%" in name else name
    return [word.lower() for word in _WORDS.findall(plain)]
