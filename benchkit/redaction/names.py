"""Which names stand for a secret: of headers, parameters, keys and options."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
#: One of these among a name's words, and whatever it holds is a secret.
_STRONG: Final = {
    *("token", "secret", "password", "passwords", "passwd", "passphrase", "passcode", "pwd"),
    *("authorization", "cookie", "credential", "credentials", "jwt", "bearer", "csrf", "xsrf"),
    *("otp", "totp", "hmac", "saml", "oidc", "dpop"),
}
#: These are secrets where somebody passes them along, and plain words in prose.
_WEAK: Final = {
    *("key", "auth", "oauth", "pass", "session", "sid", "sig", "signature", "creds"),
    *("assertion", "ticket", "nonce", "pin"),
}
#: These are plain words but alone in a query, and behind one of the others.
_PLAIN: Final = {"code", "sign", "verifier"}
_QUALIFYING: Final = {
    *("access", "activation", "authorization", "client", "code", "device", "invite", "login"),
    *("mfa", "reset", "sms", "verification"),
}
#: Words that are written together: `accesstoken`, `PHPSESSID`.
_ENDINGS: Final = (
    *("token", "secret", "password", "passwd", "apikey", "accesskey", "secretkey", "authkey"),
    *("appkey", "privatekey", "licensekey", "sessionid", "sessid", "setcookie"),
)
#: What a secret's name ends in when it says something about the secret.
_ABOUT: Final = {
    *("size", "count", "length", "len", "bits", "type", "name", "file", "path", "ttl", "expiry"),
    *("expires", "rate", "limit", "policy", "algorithm", "method", "mode", "url", "uri", "error"),
}
_HEADERS: Final = {"authorization", "authentication", "cookie", "setcookie"}


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
    if words[-1] in _PLAIN and (query or not _QUALIFYING.isdisjoint(words[:-1])):
        return True
    if "".join(words) in _STRONG or words[-1] in _HEADERS:
        return True
    if any(word in _STRONG or word.endswith(_ENDINGS) for word in words):
        return True
    # `api-key` and `x-auth-user` are as clear as `token`; a lone `key` is not.
    return not _WEAK.isdisjoint(words) and (weak or len(words) > 1)


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
