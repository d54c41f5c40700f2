"""Takes secrets out of strings before anything is shown or exported.

Reports get published. Values of authorisation, cookie and API-key headers, user
info in URLs, query parameters that are named like a secret, and the options by
which load generators take credentials are replaced by `[redacted]`.
"""

from __future__ import annotations

import re
from typing import Final

MARK: Final = "[redacted]"

_NAME: Final = (
    r"[\w.\-]*(?:token|secret|passw(?:or)?d|passphrase|credential|signature|api[-_]?key|"
    r"access[-_]?key|auth|session(?:id)?|jwt|(?<![a-z])key(?![a-z])|(?<![a-z])sig(?![a-z])|pwd)[\w.\-]*"
)
_HEADER_NAME: Final = (
    r"(?:proxy-)?authorization|(?:set-)?cookie2?|[\w-]*api-?key[\w-]*|[\w-]*(?:token|secret)[\w-]*"
    r"|x-[\w-]*(?:auth|key)[\w-]*"
)
_PATTERNS: Final = (
    # Header: value, up to the end of the quoted or bare argument or of the line
    (
        re.compile(
            rf"(?i)(\"?\b(?:{_HEADER_NAME})\"?\s*:\s*)(?!//)(?:\"(?:[^\"\\]|\\.)*\"|[^\"'\r\n]+)"
        ),
        1,
    ),
    (re.compile(rf"(?i)(\b(?:{_HEADER_NAME})=)(?=[\"']?(?:Bearer|Basic)\b)[^\"'\r\n]+"), 1),
    # scheme://user:password@host
    (re.compile(r"(?i)(\b[a-z][a-z0-9+.\-]*://)[^\s/@?#\"']+@"), 1),
    # ?name=value
    (re.compile(rf"(?i)([?&;]{_NAME}=)[^&\s#\"';|>]*"), 1),
    # name=value or --name value on a command line, and in form bodies
    (re.compile(rf"(?i)((?:^|[\s\"'{{,&]){_NAME}=)(?![=\s])[^&\s\"']+"), 1),
    (re.compile(rf"(?i)(\s--?{_NAME}[=\s]+)(?!-)(?:\"[^\"]*\"|'[^']*'|\S+)"), 1),
    # "name": "value" in a JSON body
    (re.compile(rf"(?i)([\"']{_NAME}[\"']\s*:\s*)(?:\"(?:[^\"\\]|\\.)*\"|'[^']*'|[\w.+/=\-]+)"), 1),
)
# ab: -A and -P take user:password, -C a cookie; curl-like -u and -b likewise.
_AB_OPTION: Final = re.compile(
    r"((?:^|[\s/\\])ab[s2]?(?:\.exe)?\s(?:.*?\s)?-[APC]\s*)(\"[^\"]*\"|'[^']*'|\S+)"
)


def redact(text: str) -> str:
    """Return `text` without the values of secrets; without secrets, `text` itself."""
    for pattern, kept in _PATTERNS:
        at = "@" if "://)" in pattern.pattern else ""
        text = pattern.sub(lambda m, k=kept, a=at: m[k] + MARK + a, text)  # type: ignore[misc]
    previous = None
    while previous != text:
        previous = text
        text = _AB_OPTION.sub(
            lambda m: m[0] if m[2] == MARK else m[1] + MARK,
            text,
        )
    return text
