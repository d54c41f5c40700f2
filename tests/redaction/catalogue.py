"""Secrets in the forms in which they stand in commands, URLs, headers, bodies and errors.

Each is made up and differs from every other, so that a leak says where it came from.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Planted:
    """A secret within a text that people write; `kind` is command, url, header, text or path."""

    kind: str
    text: str
    secret: str


def words(text: str) -> list[str]:
    return text.split()


HEADERS = words(
    """
    Authorization Proxy-Authorization X-Authorization Authentication X-Authentication Cookie Cookie2
    Set-Cookie X-Api-Key Api-Key ApiKey X-ApiKey X-API-Token X-Auth X-Auth-Token X-Auth-Key
    X-Access-Token X-Access-Key X-Session-Token X-Session-Id X-Session X-SID X-CSRF X-CSRF-Token
    X-CSRFToken X-XSRF-TOKEN CSRF-Token X-Amz-Security-Token X-Amz-Signature X-Goog-Api-Key
    X-Goog-Iam-Authorization-Token X-Goog-Signature X-Vault-Token X-Gitlab-Token PRIVATE-TOKEN
    JOB-TOKEN Deploy-Token DPoP X-Hub-Signature X-Hub-Signature-256 X-Slack-Signature
    Stripe-Signature X-Shopify-Access-Token X-Shopify-Hmac-Sha256 X-Forwarded-Access-Token
    Ocp-Apim-Subscription-Key X-Functions-Key X-Parse-REST-API-Key X-Parse-Session-Token
    X-Consul-Token X-Figma-Token X-Shib-Session-ID X-Secret X-Client-Secret X-App-Secret X-Password
    X-User-Password X-OTP X-One-Time-Password X-TOTP X-MFA-Code X-Jwt X-Jwt-Assertion
    X-Amzn-Oidc-Data X-Goog-IAP-JWT-Assertion Cf-Access-Jwt-Assertion CF-Access-Client-Secret
    X-Plex-Token DD-API-KEY DD-APPLICATION-KEY Fastly-Key X-Algolia-API-Key X-MBX-APIKEY
    CB-ACCESS-KEY CB-ACCESS-SIGN CB-ACCESS-PASSPHRASE X-RapidAPI-Key X-License-Key X-Insert-Key
    X-Signature Signature X-Sig X-Credential X-Bearer X-Refresh-Token Id-Token X-Id-Token
    X-Webhook-Secret X-Webhook-Signature X-Encryption-Key X-Amz-Server-Side-Encryption-Customer-Key
    X-Login-Ticket X-Nonce X-Pin X-Tokens X-Api-Keys Cookies X-Secrets X-PAT
    """
)

QUERY_KEYS = words(
    """
    token access_token accessToken id_token refresh_token auth_token authToken oauth_token
    oauth_verifier oauth_signature oauth_nonce reset_token confirmation_token invitation_token key
    api_key apikey apiKey api-key appkey app_key license_key subscription-key accesskey secretkey
    privatekey AWSAccessKeyId secret client_secret app_secret webhook_secret password passwd pwd
    pass passphrase passcode auth authkey session session_id sessionid sessid sid PHPSESSID
    JSESSIONID connect.sid csrf csrf_token xsrf csrfmiddlewaretoken authenticity_token
    __RequestVerificationToken code authorization_code device_code code_verifier verification_code
    otp totp pin mfa_code sig signature hmac X-Amz-Signature X-Amz-Credential X-Amz-Security-Token
    X-Goog-Signature X-Goog-Credential Signature jwt assertion client_assertion SAMLResponse
    SAMLRequest ticket login_ticket credential credentials bearer nonce hub.verify_token
    user[password] user.password tokens access_tokens apiKeys secrets cookies userpass dbpass
    authcode smscode tokenid cookieid codeverifier
    """
)

VARIABLES = words(
    """
    API_KEY APIKEY TOKEN AUTH_TOKEN ACCESS_TOKEN GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN NPM_TOKEN
    SLACK_TOKEN AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN AZURE_CLIENT_SECRET
    GOOGLE_API_KEY OPENAI_API_KEY STRIPE_SECRET_KEY PGPASSWORD MYSQL_PWD MYSQL_ROOT_PASSWORD DB_PASS
    DB_PASSWORD REDIS_PASSWORD REDIS_AUTH RABBITMQ_DEFAULT_PASS SECRET SECRET_KEY SECRET_KEY_BASE
    JWT_SECRET SESSION_SECRET COOKIE_SECRET CLIENT_SECRET PRIVATE_KEY SSH_KEY SIGNING_KEY
    ENCRYPTION_KEY VAULT_TOKEN BASIC_AUTH HTTP_AUTHORIZATION CREDENTIALS PASSPHRASE
    TOKENS DB_SECRETS API_KEYS COOKIES GITHUB_PAT AZURE_DEVOPS_EXT_PAT DBPASS USERPASS ROOTPW
    """
)

OPTIONS = words(
    """
    token auth-token access-token api-key apikey key auth password pass passwd passphrase secret
    client-secret secret-key access-key private-key bearer oauth2-bearer jwt cookie credentials
    session-id csrf-token otp http-password proxy-password db-password signature
    """
)

ASSIGNMENTS = (
    "{}={} wrk -t1 http://h/",
    "export {}={}",
    "{}='{}' ab -n 1 http://h/",
    'export {}="{}" && wrk http://h/',
    "docker run -e {}={} image",
    "env {}={} autocannon http://h/",
    '$env:{} = "{}"',
    "set {}={}",
)
HEADER_FORMS = (
    ("command", "wrk -t1 -c2 -d3s -H '{}: {}' http://h/"),
    ("command", 'wrk -t1 -H "{}: {}" http://h/'),
    ("command", "vegeta attack -header '{}: {}' -rate 5"),
    ("command", "vegeta attack -header={}:{} -rate 5"),
    ("command", "autocannon -H {}={} http://h/"),
    ("command", "autocannon --headers '{}={}' http://h/"),
    ("command", "ab -n 10 -H '{}: {}' http://h/"),
    ("header", "{}: {}"),
    ("text", 'wrk.headers["{}"] = "{}"'),
    ("text", '{{"headers": {{"{}": "{}"}}}}'),
    ("text", '{{"header": {{"{}": ["{}"]}}, "a": 1}}'),
    ("text", "Error: bad header {}: {}"),
)
QUERY_FORMS = (
    "http://h/?{}={}",
    "https://h:8443/a/b?x=1&{}={}&y=2",
    "/path?{}={}#top",
    "http://h/;{}={}?a=1",
)
ENCODED_FORMS = (
    "http://h/?next=http%3A%2F%2Fh%2F%3F{}%3D{}",
    "http://h/?next=%2F%3Fa%3D1%26{}%3D{}%26b%3D2",
    "/login?return=%252F%253F{}%253D{}",
    "{}%3D{}",
)
BODY_FORMS = (
    "curl -d 'user=me&{}={}' http://h/",
    "-d {}={} http://h/",
    """-b '{{"user": "me", "{}": "{}"}}'""",
    r'''-b "{{\"{}\":\"{}\"}}"''',
    '{{"outer": {{"{}": "{}", "n": 1}}}}',
    '{{"cut": {{"{}": "{}"',
    "{{'{}': '{}'}}",
)
#: One secret each, in a form of its own.
FORMS = (
    ("url", "http://user:{}@h/x"),
    ("url", "https://me:a%40{}@h:8443/x?y=1"),
    ("url", "http://u:p@ss{}@h/"),
    ("url", "http://{}@h/x"),
    ("url", "ws://u:{}@h/socket"),
    ("url", "ftp://anonymous:{}@h/"),
    ("url", "http://me:pa/{}@h/"),
    ("url", "http://me:pa/x?{}@h:8443/x?y=1"),
    ("text", r"CORP\me:{}@h"),
    ("text", r'{{"proxy": "CORP\\me:{}@h:8080"}}'),
    ("text", "postgres://app:{}@db:5432/shop?sslmode=require"),
    ("text", "postgresql+psycopg://app:{}@db/shop"),
    ("text", "mysql://root:{}@127.0.0.1/shop"),
    ("text", "redis://:{}@cache:6379/0"),
    ("text", "rediss://default:{}@cache:6379"),
    ("text", "amqp://guest:{}@mq/vhost"),
    ("text", "mongodb+srv://u:{}@c0.example.net/db"),
    ("text", "mongodb://u:{}@h1:27017,h2:27017/db"),
    ("text", "jdbc:mysql://h/db?user=u&password={}"),
    ("text", "jdbc:sqlserver://h;user=u;password={};encrypt=true"),
    ("text", "Server=h;Database=d;User Id=u;Password={};"),
    ("text", "Server=h;Uid=u;Pwd={};"),
    ("text", "host=h port=5432 user=u password={} dbname=d"),
    ("text", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey={}==;EndpointSuffix=x"),
    ("text", "Endpoint=sb://h/;SharedAccessKeyName=k;SharedAccessKey={}="),
    ("text", "https://a.blob.core.windows.net/c?sv=2024&sig={}&se=2026"),
    ("text", "https://hooks.slack.com/services/T000/B000?token={}"),
    ("command", "ab -A me:{} http://h/"),
    ("command", "ab -kA me:{} -n 5 http://h/"),
    ("command", "ab -P proxy:{} http://h/"),
    ("command", "ab -C sid={} http://h/"),
    ("command", "ab -Csid={} http://h/"),
    ("command", "curl -u me:{} http://h/"),
    ("command", "curl -ume:{} http://h/"),
    ("command", "curl --user me:{} http://h/"),
    ("command", "curl --user=me:{} http://h/"),
    ("command", "curl --proxy-user me:{} http://h/"),
    ("command", "curl -b a={} http://h/"),
    ("command", "hey -a me:{} http://h/"),
    ("command", "ab -A 'me:a|b {}' http://h/"),
    ("command", "sshpass -p {} ssh h wrk http://h/"),
    ("command", "sshpass -p a ssh h ab -A me:{} http://h/"),
    ("command", "mysqld -p{} --port 3306"),
    ("command", "mysql -u root -p'a {}' shop"),
    ("command", "redis-cli -h h -a {} ping && wrk http://h/"),
    ("command", "redis-cli ping && ab -A me:{} http://h/"),
    ("command", "http -a me:{} h/"),
    ("command", "redis-server --requirepass {}"),
    ("command", "mongosh -u me -p {} h/shop"),
    ("command", "podman login -u me -p {} registry.io"),
    ("text", "machine h login me password {}"),
    ("command", "sqlplus -s me/{}@h/shop"),
    ("command", "snmpget -v2c -c {} h 1.3"),
    ("command", "no folder /wrk http://h/: no /redis-cli -a {} ping"),
    ("command", "jmeter -n -t plan.jmx -u me -a {}"),
    ("command", "wget --http-user=me --http-password={} http://h/"),
    ("command", "wrk -t2 -c10 -s login.lua http://h/ -- {}"),
    ("command", "wrk -s login.lua http://h/ -- 5 me {} --quick"),
    ("command", "wrk2 -R 10 -s login.lua http://h/ -- --user me {}"),
    ("command", "autocannon me:{}@h:3000"),
    ("command", r"wrk -H 'Cookie: a=b; z=it'\''s {}' http://h/"),
    ("command", """wrk -H 'Cookie: a=b; z=it'"'"'s {}' http://h/"""),
    ("command", r"""wrk -H "Cookie: a=b; z=a"\""b {}" http://h/"""),
    ("command", r"tool --password 'it'\''s {}' http://h/"),
    ("header", "Authorization: Bearer {}"),
    ("header", "Authorization: Bearer\n  {}"),
    ("header", "Cookie: a=b;\r\n\tsid={}; c=d"),
    ("header", "Proxy-Authorization:\n {}"),
    ("header", "Authorization: Basic {}=="),
    ("header", "Authorization: Token {}"),
    ("header", 'Authorization: Digest username="u", response="{}"'),
    ("header", "Authorization: AWS4-HMAC-SHA256 Credential=a/b, Signature={}"),
    ("header", "Authorization: {}"),
    ("header", "Cookie: theme=dark; sid={}; lang=en"),
    ("header", "Set-Cookie: sid={}; Path=/; HttpOnly"),
    ("text", "Bearer {}"),
    ("text", 'Get "http://u:{}@h/": dial tcp: connect: connection refused'),
    ("text", 'Get "http://h/?token={}": EOF'),
    ("text", "open token={}: no such file or directory"),
    ("text", "cannot open /tmp/token={}/results.txt: no such file"),
    ("text", "login failed for password '{}'"),
    ("text", "password: {}"),
    ("text", '  api_key: "{}"  # yaml'),
    ("text", "secret = '{}'"),
    ("text", "client_secret: {}"),
    ("text", '{{"tokens": "{}"}}'),
    ("text", '{{"secrets": {{"db": "{}"}}}}'),
    ("text", '{{"cookies": {{"a": "{}"}}}}'),
    ("text", '{{"apiKeys": ["{}"]}}'),
    ("text", '{{"tokens": ["5", {{"a": "{}"}}]}}'),
    ("text", "<password>{}</password>"),
    ("text", '<header name="Authorization" value="{}"/>'),
    ("text", "<header value='{}' enabled='true' name='X-Api-Key'/>"),
    ("text", '<add key="DbPassword" value="it\'s {}"/>'),
    ("text", '<stringProp name="Authorization">{}</stringProp>'),
    ("text", '<a n="Header.name">Cookie</a>\n<a n="Header.value">{}</a>'),
    ("text", "<property><name>db.password</name><value>{}</value></property>"),
    ("text", "**password**: {}"),
    ("text", "- **API token:** {}"),
    ("text", 'wrk.headers["Authorization"] = "Bearer " .. "{}"'),
    ("text", 'header = "Bearer " .. "{}9"'),
    ("text", "headers = {{ Authorization: 'Bearer ' + '{}' }}"),
    ("text", 'wrk.path = "/?token=" .. "{}"'),
    ("text", 'body = "password=" .. "{}" .. "&a=b"'),
    ("text", 'h = "Cookie: " .. "{}"'),
    ("text", "-----BEGIN RSA PRIVATE KEY-----\\n{}\\n-----END RSA PRIVATE KEY-----"),
    ("text", 'document.cookie = "sid={}"'),
    ("text", "GET /?access_token={} HTTP/1.1"),
    ("path", "token={}.txt"),
    ("path", "password={}"),
    ("path", "run-apikey={}.json"),
)
#: Secrets that tell by themselves what they are.
TELLING = (
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ{}In0.c2lnbmF0dXJl{}",
    "AKIA{:A>16}",
    "ASIA{:A>16}",
    "ghp_{:a>36}",
    "gho_{:a>36}",
    "github_pat_{:a>40}",
    "glpat-{:a>20}",
    "xoxb-123456789012-{:a>24}",
    "sk_live_{:a>24}",
    "rk_live_{:a>24}",
    "sk-proj-{:a>40}",
    "AIza{:a>35}",
    "npm_{:a>36}",
    "pypi-AgEIcHlwaS5vcmc{:a>40}",
    "hvs.{:a>24}",
    "dop_v1_{:a>64}",
    "SG.{0:a>22}.{0:a>43}",
)


def planted() -> list[Planted]:
    """Return each form with a secret of its own."""
    return list(_planted())


def _planted() -> Iterator[Planted]:
    numbers = itertools.count(100)

    def secret() -> str:
        return f"Hunter{next(numbers)}x"

    for at, name in enumerate(HEADERS):
        kind, form = HEADER_FORMS[at % len(HEADER_FORMS)]
        value = secret()
        yield Planted(kind, form.format(name, value), value)
    for at, name in enumerate(QUERY_KEYS):
        for forms in (QUERY_FORMS, ENCODED_FORMS if at % 2 else BODY_FORMS):
            value = secret()
            kind = "text" if forms is BODY_FORMS else "url"
            plain = quote(name, safe="") if "[" in name and forms is not BODY_FORMS else name
            if forms is BODY_FORMS and name in {"code", "nonce", "key", "ticket", "state"}:
                continue  # plain words in a body
            yield Planted(kind, forms[at % len(forms)].format(plain, value), value)
    for at, name in enumerate(VARIABLES):
        value = secret()
        yield Planted("command", ASSIGNMENTS[at % len(ASSIGNMENTS)].format(name, value), value)
    for at, name in enumerate(OPTIONS):
        value = secret()
        form = ("tool --{} {} http://h/", "tool --{}={} http://h/", "tool -{} {} http://h/")[at % 3]
        yield Planted("command", form.format(name, value), value)
    for kind, form in FORMS:
        value = secret()
        yield Planted(kind, form.format(value), value)
    for form in TELLING:
        value = form.format(*(secret().replace("x", "9"),) * 2)
        yield Planted("text", f"said {value} at last", value)
