import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit import redaction
from benchkit.redaction import MARK, redact
from benchkit.redaction.names import is_secret
from benchkit.redaction.takers import Taker
from tests.shares import share
from tests.timing import growth, processor_s

from .catalogue import Planted, planted

HIDDEN = [
    # words of a shell, of which a quote ends and the next part begins
    'wrk -H "Authorization: Bearer "hunter2 http://h/',
    "wrk -H 'Authorization: Bearer '\"hunter2\" http://h/",
    "wrk -H 'Authorization: Bearer 'a'hunter2' http://h/",
    'wrk -H "Authorization: Bearer ""hunter2" http://h/',
    'wrk "http://u:"hunter2"@h/"',
    'mysql --password="a"hunter2 -h db',
    # headers, as each tool takes them
    "wrk -H 'Authorization: Bearer hunter2' http://h/",
    'vegeta attack -header "Authorization: Basic hunter2==" -rate 5',
    "vegeta attack -header=X-API-Key:hunter2 -rate 5",
    "wrk -H Authorization:hunter2 http://h/",
    "wrk -HCookie:a=hunter2 http://h/",
    "autocannon -H Authorization=hunter2 http://h/",
    'autocannon -H "Authorization=Bearer hunter2" http://h/',
    "autocannon -H Authorization=Bearer hunter2 http://h/",
    "autocannon -H Cookie=a=hunter2 http://h/",
    "autocannon -H X-Api-Key=hunter2 http://h/",
    'wrk -H "Accept: a\\r\\nCookie: hunter2" http://h/',
    'curl -H "Authorization: Bearer $(cat hunter2)" http://h/',
    # headers in text
    "Proxy-Authorization: Basic hunter2",
    "Set-Cookie: a=1; b=hunter2; Path=/",
    "Cookie:a=1; b=hunter2",
    "x-auth-token: hunter2",
    'Authorization: Digest username="hunter2", realm="hunter2", response="hunter2"',
    "| Authorization: Bearer hunter2 | 200 |",
    'wrk.headers["Authorization"] = "Bearer hunter2"',
    "headers: { 'x-api-key': 'hunter2' }",
    "token.json:hunter2 token.json=hunter2 token.value: hunter2",
    "the server answered 'Cookie: a=hunter2; b=…' to line 3",
    # options
    "ab -n 10 -C sid=hunter2 -A user:hunter2 -P u:hunter2 http://h/",
    "ab -A user:hunter2 -C sid=hunter2 http://h/",
    "ab -kA user:hunter2 -Cs=hunter2 http://h/",
    "C:\\tools\\abs.exe -A \"user:hunter2\" -C 'a=hunter2' https://h/",
    "curl -u me:hunter2 -b a=hunter2 http://h/",
    "tool --token hunter2 http://h/",
    'tool --password "x hunter2" http://h/',
    "tool --password='x hunter2' http://h/",
    "tool -api-key=hunter2 http://h/",
    "API_KEY=hunter2 wrk -t1 http://h/",
    "export TOKEN='a hunter2' && ab http://h/",
    # URLs
    "http://user:hunter2@host/x",
    "http://user:s3@hunter2@host:80/x",
    'Get "http://u:hunter2@h/": dial tcp',
    "autocannon u:hunter2@localhost:3000",
    "http://h/?a=1&token=hunter2&b=2",
    "http://h/?api%5Fkey=hunter2",
    "/x;jsessionid=hunter2?a=1",
    "[x](http://h/?key=hunter2) and more",
    "https://h/?X-Amz-Credential=hunter2&X-Amz-Signature=hunter2",
    # bodies
    "-d 'user=me&password=hunter2' http://h/",
    "-d password=hunter2 http://h/",
    "user[password]=hunter2&a=1",
    """-b '{"password":"hunter2","a":1}'""",
    r'''-b "{\"password\":\"hunter2\"}"''',
    '{"header": {"Authorization": ["Bearer hunter2"]}, "a": 1}',
    '{"token": "hunter2", "token": null}',
    '{"cut": {"apiKey": "hunter2"}',
    # unmistakable without a name
    "as Bearer hunter2abcdef it failed",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzM2NyM3QifQ.hunter2",
    # as the review of an earlier state found them
    "X-CSRF: hunter2",
    "http://h/?code=hunter2",
    "http://h/?next=%2Fa%3Fapikey%3Dhunter2%26b%3D1",
    "wrk -s a.lua http://h/ -- hunter2",
    "TOKEN := hunter2",
    "user: me, pass: hunter2",
    "wget --http-password \\\n  hunter2 http://h/",
    "ab -A \\\n  me:hunter2 http://h/",
    "http://h/?%74oken=hunter2",
    "http://h/?f=%7B%22password%22%3A%22hunter2%22%7D&a=1",
    "http://h/?f=%257B%2522password%2522%253A%2522hunter2%2522%257D",
    "http://h/?H=X-Api-Key%3A+hunter2",
    "http://h/?H=X-Api-Key%3A+a/hunter2",
    r'{"\u0074oken": "hunter2"}',
    "cannot write Authorization: Bearer\n  hunter2",
    "bad header Cookie: a=b;\r\n\tc=hunter2",
    # programs beside load generators
    "sshpass -p hunter2 ssh me@h ab -A me:hunter2 http://h/",
    "SSHPASS=hunter2 sshpass -e ssh h; sshpass -phunter2 scp a h:b",
    "mysqld -phunter2 && mysql -u root -p'x hunter2' -e 'a; b' shop",
    "docker exec db redis-cli -h h -a hunter2 ping && ab -A me:hunter2 http://h/",
    "https -a me:hunter2 h/ && http -A bearer -a hunter2 h",
    "redis-server --requirepass hunter2 --masterauth hunter2",
    "mongosh -u me -p hunter2; sqlcmd -P hunter2; ldapsearch -w hunter2; smbclient -U me%hunter2",
    "over http ab -A me:hunter2 http://h/",
    "ab -A 'me:a|b;c hunter2' http://h/",
    '["sshpass", "-p", "hunter2", "mysql", "-phunter2"]',
    "docker exec --name mysql mysql -phunter2",
    "sudo -E mysql -phunter2",
    "docker login -u me -p hunter2 registry.io && helm registry login -phunter2 h",
    "machine h login me password hunter2",
    "openssl pkcs12 -in a.p12 -passin pass:hunter2 -out b",
    "openssl rsa -passout=pass:hunter2",
    "curl -E c.pem:hunter2 https://h/",
    "curl --cert ./c.p12:hunter2 https://h/",
    'requests.get(u, auth=("me", "hunter2"))',
    "curl -skE client.pem:hunter2 https://h/",
    "curl -E c.PEM:hunter2",
    "curl -E 'my cert.pem:hunter2'",
    "curl -Ec.cert:hunter2",
    '["curl", "-E", "c.pem:hunter2"]',
    """s.auth = ("o'brien", 'hunter2')""",
    "get(u, auth=HTTPBasicAuth(user, 'hunter2'))",
    "get(u, http_auth=(\n    'me',\n    'hunter2'))",
    "machine h password hunter2 login me account x",
    "a\nmachine h password hunter2\n",
    "sqlplus -s scott/hunter2@//h:1521/shop && wrk http://h/",
    "sqlldr userid=scott/hunter2@db control=a.ctl; rman target sys/hunter2@db",
    "isql -U me -P hunter2; snmpget -v3 -u me -A hunter2 -X hunter2 h",
    "keytool -storepass hunter2 -keypass hunter2 -srcstorepass hunter2",
    '["sqlplus", "scott/hunter2@db"]',
    "sqlplus scott/hunter2",
    "rman target sys/hunter2 cmdfile x",
    "expdp \"'sys/hunter2 as sysdba'\" full=y",
    "snmpinform -v2c -c hunter2 h",
    '["openssl", "rsa", "-passin", "pass:hunter2", "-out", "k.pem"]',
    "docker --config /tmp/c login -u me -p hunter2 h; az acr login -n reg -p hunter2",
    '["docker", "login", "-u", "me", "-p", "hunter2"]',
    "default\n  login me\n  password hunter2\n",
    '["/usr/bin/redis-cli", "-a", "hunter2", "ping"]',
    # lists of words, pairs and names
    '{"argv": ["wrk", "--token", "hunter2"]}',
    '["ab","-kA","me:hunter2","http://h/"]',
    '["ab", "-Csid=hunter2", "http://h/"]',
    '["wrk", "-s", "a.lua", "http://h/", "--", "hunter2"]',
    '[["Authorization", "hunter2"]]',
    '["Host", "h", "X-Api-Key", "hunter2"]',
    '[{"name": "X-Api-Key", "value": "hunter2"}]',
    "[('Authorization', 'hunter2')]",
    "(b'authorization', b'hunter2')",
    "['wrk', '--token', 'hunter2']",
    r"{\"argv\": [\"--token\", \"hunter2\"",
]
INNOCENT = [
    "BACKEND=mongo ab -n 1000 -p body.json http://h/",
    "DB=mongo autocannon -c 100 -p 10 http://h/",
    "docker login registry.io; autocannon -c 10 -p 10 http://h/login -p 5",
    "the machine login page password reset",
    "of the machine the password reset",
    "wrk http://h/sqlplus/a@b",
    "sqlplus /nolog @scripts/load.sql",
    "german/english@h",
    '["openssl", "-passin", "env:PASS", "-bypass", "a"]',
    '["sqlplus", "-s", "@scripts/load.sql"]',
    "the default login page password field",
    "docker compose run login -p 10",
    '["docker", "run", "-p", "80:80", "login"]',
    "docker run -d --name mongo -p 27017:27017 mongo:7",
    '["docker", "run", "--name", "mongo", "-p", "80:80", "mongo"]',
    "sshpass -e ssh -p 2222 me@h wrk http://h/",
    '["sshpass", "-e", "ssh", "-p", "2222", "h"]',
    '<metric name="tokens" value="5"/>',
    "docker://registry.io:main/foo@sha256:abc",
    "/keyboard?hotkey=1",
    "monkey=3",
    "author=me",
    "Host: web",
    "HTTP/1.1 200 OK",
    "-H 'Host: web' -H \"Accept: text/html\"",
    "the token bucket: a limiter; Session: 5; author: me; session affinity: on",
    "Key: fast is better, pass: 3 fail: 0, bearer authentication",
    "pass=3 fail=0",
    '{"key": 5, "keys": "small", "max_tokens": 5, "auth": true}',
    "/?max_tokens=100&key_size=16&secretary=1",
    "vegeta attack -key client.pem -cert client.crt -keepalive=false",
    "ab -n 10 -c 5 -k -t 10 -p body.json -T application/json http://h:80/",
    "ab -A http://h/",
    "mailto:me@example.com, npx autocannon@7.0.0, npm:autocannon@7",
    "docker run williamyeh/wrk:latest@sha256:abcdef -t 4",
    "curl -u user http://h:80/a@b",
    "Keep-Alive requests: 100",
    "12:30:05 a=b",
    "auth key.txt: expected an output of ab",
    "status code: 503, exit_code=3, response-code: 200",
    "wrk -- a modern HTTP benchmarking tool",
    "wrk -s a.lua http://h/ -- 5 --quick 10k",
    "/a%20b?next=%2Fhome%3Fpage%3D2",
    "<title>a key to it</title>",
    "KeyError: 'rss_bytes'",
    "Unexpected token '<' in JSON at position 0",
    "a pin number 5, the nonce, a ticket for the train",
    "--user me --user-agent=a:b",
    "user: me, passed: 3",
    '["-key", "client.pem", "-cert", "client.crt"]',
    '["key", "value"]',
    '[{"name": "size", "value": "big"}]',
    "('token_count', 'latency')",
    "/?q=%7B%22key%22%3A5%7D&next=%2Fkey%3A5",
    # names that hold a secret's, and how many there are of something
    "/?bypass=cache&compass=n&author=me&tokenizer=bpe&tokenizerid=7&barcode=1&postcode=2",
    "tokens_per_second=fast tokens: 500, max_tokens=some Prompt-Tokens: few tokens=1,200",
    "keyspace=wide pass-through=nginx pass_through=a key-pattern=R:R num_keys=few hot-keys=a",
    '{"tokens": 500, "cookies": "12", "prompt_tokens": {"a": "b"}, "redis_keys": "small"}',
    '{"tokens": {"sent": 500, "got": "1.5k"}, "tokenizer": {"id": "bpe"}, "spath": "x"}',
    "--tokens 500 --no-cookies on --keyspace wide --token-bucket a --bypass b http://h:80/",
    "url_pat=/a* name-pat=b pattern=c path=d patch=e spat=f",
    '{"a": ["key"]} is a list, "size": {"a": "b"} is an object',
    # options of other programs, and without a value
    "mysql -u root -p shop; ssh -p 22 h, redis-server -p 6379 -a b",
    "ab -p body.json http://h/ && ssh -p 22 h; the http of h -v; http -v h:80/a; redis-cli -p 6379",
    '["mysql", "-u", "root", "-p", "shop"]',
    '["ssh", "-p", "22", "h"]',
    # what is nearly one of the forms
    "http://h:80/a@b http://h:/a@b http://[::1]:80/a@b http://h:$PORT/a@b http://h:PORT/a@b",
    "http://h/a:b/c@d https://h:{{port}}/@scope/name@1.0 http://h:80/?a=b@c",
    r"C:\dir\me:12 \\server\share a\b:c",
    '<header name="Accept" value="a"/><input name="size" value="5"><a href="x">name</a>',
    '<stringProp name="Accept">text/html</stringProp><name>size</name><value>5</value>',
    "**variant**: nginx, **Key**: fast, *pass*: 3",
    '"a " .. "b" + \'c\' "Accept: " .. "text/html"',
    "Accept: a\n  2 threads and 10 connections",
]
SIZE = 60_000
MOST = 9
HOSTILE = [
    *("a", "a ", "'", '"', "\\", "%", "[", "key=", 'key="', "key:`", "key:[ ", '"key":"'),
    *("Cookie:", "Cookie: ", "'Cookie: ", '"Cookie: \\"', "\nCookie: a", 'Cookie: ="', "Cookie=\\"),
    *("ab ", "ab -A ", "ab -A '", "ab |", 'ab \\"', "a://", "a://@", "a@", "a:b@", "a:"),
    *("%3D", "token%3D", "%25", "%", "<a>", "<token>", "<token>a</", "password '", "-----BEGIN "),
    *("-----BEGIN PRIVATE KEY-----", "sk-a", "SG.", "wrk http://h/ -- ", "wrk -- ", "--user a:"),
    *("%7B%22a%22%3A", "a%2", "a=%41", "'a',", "['token', '", "('-a','", "-token \\\n", "\\u"),
    *(
        "user:",
        "user: a pass: ",
        "[ ",
        "%22token%22%3A",
        "''",
        "'\\''",
        "Cookie:\n ",
        "\n\n Cookie:",
    ),
    *("a://b:c/", "a://b:c?", "a\\", "a\\b:", "<a b=''", "<a b='c' ", "<a name='token'", ">a</b>"),
    *(
        "><value>",
        ">token</a><value ",
        "**token**: ",
        "*",
        "'Cookie: ' .. ",
        "'..",
        '"token=" .. "',
    ),
    *("sshpass ", "http ", "http -a ", "http -a '", "ab &", 'ab "\\"', "mysql -p ", "mysql -p'"),
    *('"key":[', '"key":{"', '"key":[\'a ', "ab -a wrk curl -u http -a mysql "),
    *("tokens=5 ", "tokens='5", "Bearer '..", "' + '"),
    *("eyJ", "eyJaaaaaaaaa.", "Bearer ", "Bearer a ", "-token ", "--token '", '{"key":'),
]


@pytest.mark.parametrize("text", HIDDEN)
def test_a_secret_is_hidden(text: str) -> None:
    shown = redact(text)
    assert "hunter2" not in shown
    assert MARK in shown


@pytest.mark.parametrize("secret", planted(), ids=lambda each: each.text)
def test_a_planted_secret_is_hidden(secret: Planted) -> None:
    shown = redact(secret.text)
    assert secret.secret not in shown
    assert MARK in shown
    assert redact(shown) == shown


@pytest.mark.parametrize("text", HIDDEN)
def test_what_was_redacted_stays_as_it_is(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize("text", INNOCENT)
def test_innocent_text_stays(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no results in token=gone; 2 files", "no results in token=[redacted]; 2 files"),
        ("token=gone: expected a file", "token=[redacted]: expected a file"),
        ('-H "X-Token: gone" "http://h/"', '-H "X-Token: [redacted]" "http://h/"'),
        ("{'token': 'gone', 'rate': '5'}", "{'token': '[redacted]', 'rate': '5'}"),
        (
            "ab -k -A me:pw -n 5 http://h/?a=1&key=k&b=2",
            "ab -k -A [redacted] -n 5 http://h/?a=1&key=[redacted]&b=2",
        ),
        ("wrk -H Cookie: a=b; c=d -t2 http://h/", "wrk -H Cookie: [redacted] -t2 http://h/"),
        ("https://me:pw@h:8443/a?b=c", "https://[redacted]@h:8443/a?b=c"),
        ("user=me&password=pw&x=y", "user=me&password=[redacted]&x=y"),
        (r"-H 'Cookie: it'\''s a' -t2 'http://h/'", "-H 'Cookie: [redacted]' -t2 'http://h/'"),
        ("http://me:a/b@h:80/x?y=z@a", "http://[redacted]@h:80/x?y=z@a"),
        ("Cookie: a\n b\n  Host: h\nAccept: c", "Cookie: [redacted]\n  Host: h\nAccept: c"),
        ("bad Cookie: a=b\n  at main.js", "bad Cookie: [redacted]\n  at main.js"),
        ('<a name="token" value="x" b="c">', '<a name="token" value="[redacted]" b="c">'),
        ("**Password:** pw and **size:** 5", "**Password:** [redacted] and **size:** 5"),
        ('a {"token": {"a": ["x", "]"]}, "b": 1}', 'a {"token": [redacted], "b": 1}'),
        ('"/?token=" .. "x" .. b', '"/?token=" .. "[redacted]" .. b'),
    ],
)
def test_what_stands_around_a_secret_stays(text: str, shown: str) -> None:
    assert redact(text) == shown


def test_a_secret_is_hidden_in_an_address_that_is_encoded_within_another() -> None:
    shown = redact("http://h/?f=%7B%22password%22%3A%22pw%22%7D&a=%20b")
    assert shown == "http://h/?f=%7B%22password%22%3A%20%22[redacted]%22%7D&a=%20b"


def test_what_an_option_of_one_letter_takes_is_hidden_whatever_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redaction, "takers", lambda: {"load": Taker(credentials={"a": ""})})
    monkeypatch.setattr(redaction, "_program", redaction._program.__wrapped__)
    assert redact("load -n -u me -a pw -t plan") == "load -n -u me -a [redacted] -t plan"
    assert redact('["load", "-a", "pw", "-t"]') == '["load", "-a", "[redacted]", "-t"]'


def test_json_stays_json() -> None:
    text = json.dumps({"run": 'wrk -H "Cookie: a" http://h/', "level": 3, "token": ["x", 5]})
    assert json.loads(redact(text)) == {
        "run": 'wrk -H "Cookie: [redacted]" http://h/',
        "level": 3,
        "token": [MARK, MARK],
    }


def redaction_grows(text: Callable[[int], str]) -> float:
    """Return how much longer four times the characters take."""
    return growth(lambda size: processor_s(lambda: redact(text(size))), SIZE, 4 * SIZE, most=MOST)


@pytest.mark.parametrize("part", share(HOSTILE, 10), ids=repr)
def test_time_is_linear_in_hostile_text(part: str) -> None:
    assert redaction_grows(lambda size: "-H 'Cookie: x' key " + part * (size // len(part))) < MOST


@pytest.mark.parametrize(
    ("before", "blank", "after"), [("key", "\\", "x"), ("key", " ", "x"), ("Cookie: a", " \t", "b")]
)
def test_time_is_linear_in_blanks_before_a_value(before: str, blank: str, after: str) -> None:
    assert redaction_grows(lambda size: before + blank * size + after) < MOST


@given(st.text(alphabet="ab -=:'\"\\&?;@/|[]{},\nkeyCookie", max_size=60))
def test_any_text_is_redacted_without_a_mishap(text: str) -> None:
    assert isinstance(redact(f"ab {text} token"), str)


@pytest.mark.parametrize("name", ["apiKey", "X-API-Key", "APIKEY", "accessToken", "PHPSESSID"])
def test_names_are_read_in_any_spelling(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize(
    "name",
    [
        *("hotkey", "monkey", "keyboard", "author", "keys", "key_size", "bypass", "compass"),
        *("tokenizer", "trespass", "surpass", "firstpass", "opcode", "statuscode", "keyspace"),
        *("pass-through", "passthrough", "tokens_per_second", "maxTokens", "maxtokens", "numKeys"),
        *("secretary", "ignore_cookies", "cookies_enabled", "token_bucket", "namePat", "pathname"),
    ],
)
def test_names_that_only_contain_such_a_word_are_innocent(name: str) -> None:
    assert not is_secret(name)
