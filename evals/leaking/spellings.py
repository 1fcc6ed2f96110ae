"""How a secret gets into a log, and shapes of secrets that have no name beside them."""

import base64
import json
import random
from collections.abc import Iterator
from urllib.parse import quote

from evals.leaking.kinds import BASE64, KINDS, LETTERS, LOWER_HEX, Kind, drawn, word

HEAD = ("2026-03-02 04:16:11 INFO ", "[rank3]: ", "+ ", "", "node-b07: ")


def spelt(kind: Kind, value: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Give the ways that a value with a name is written, each with the name of the way."""
    words = kind.name.split()
    upper, snake, kebab = "_".join(words).upper(), "_".join(words), "-".join(words)
    camel = words[0] + "".join(map(str.title, words[1:]))
    yield "env", rng.choice((f"export {upper}={value}", f"{upper}={value}", f"    {upper}={value} python train.py"))
    yield "flag", rng.choice((f"train.py --{kebab} {value} --lr 0.1", f"train.py --{snake}={value} --lr 0.1"))
    yield "argv", f"args: ['train.py', '--{kebab}', '{value}', '--lr', '0.1']"
    yield "yaml", rng.choice((f"  {snake}: {value}", f"{camel}: '{value}'", f'  {snake}: "{value}"'))
    pairs = {"lr": 0.1, rng.choice((snake, camel, kebab)): value, "epochs": 3}
    yield "json", rng.choice((json.dumps(pairs), json.dumps(json.dumps(pairs)), str(pairs)))
    yield "url", f"GET https://api.example.org/v1/runs?project=a&{snake}={quote(value, safe='')}&page=2 200"
    yield "header", rng.choice((f"X-{'-'.join(map(str.title, words))}: {value}", f"Authorization: Bearer {value}"))
    yield (
        "locals",
        rng.choice((f"│ {snake} = '{value}'   │", f"    {snake} = {value!r}", f"Namespace(lr=0.1, {snake}={value!r})")),
    )
    yield "code", f'    client = Client({snake}="{value}", retries=3)'
    yield "table", f"  {snake} {'.' * 30} {value}"


def nameless(rng: random.Random) -> Iterator[tuple[str, str, str]]:
    """Give (way, text, secret) of secrets that stand in commands, addresses, blocks and manifests."""
    password, long = word(rng), drawn("", LETTERS, 24)(rng)
    basic = base64.b64encode(f"jdoe:{password}".encode()).decode()
    hook = drawn("", LETTERS, 24)(rng)
    yield "userinfo", f"pip install --index-url https://jdoe:{long}@pypi.example.org/simple", long
    yield "userinfo", f"postgresql://jdoe:{password}@db.example.org:5432/runs", password
    yield "userinfo", f"fatal: could not read from https://{drawn('ghp_', LETTERS, 36)(rng)}@github.com/a/b.git", "ghp_"
    yield "slack", f"POST https://hooks.slack.com/services/T01234567/B01234567/{hook}", hook
    yield "discord", f"https://discord.com/api/webhooks/123456789012345678/{hook}{hook}", hook
    yield "teams", f"https://corp.webhook.office.com/webhookb2/{hook}/IncomingWebhook/{hook}", hook
    yield "telegram", f"https://api.telegram.org/bot5129384756:AA{hook}/sendMessage", hook
    yield "basic", f"> Authorization: Basic {basic}", basic
    yield "cookie", f"Cookie: _ga=GA1.2; session={long}; theme=dark", long
    yield "cookie", f"Set-Cookie: sid={long}; Path=/; HttpOnly", long
    yield "curl", f"+ curl -u jdoe:{long} https://files.example.org/x", long
    yield "sshpass", f"+ sshpass -p {long} ssh jdoe@login", long
    yield "mysql", f"+ mysql -ujdoe -p{long} runs", long
    yield "docker", f"+ docker login -u jdoe -p {long} registry.example.org", long
    yield "wandb", f"+ wandb login {drawn('', LOWER_HEX, 40)(rng)}", "login "
    yield "sas", f"https://a.blob.core.windows.net/c/x?sv=2022-11-02&sr=b&sig={quote(long + '=', safe='')}", long
    yield (
        "signed",
        f"https://b.s3.amazonaws.com/k?X-Amz-Credential=AKIAABCDEFGHIJKLMNOP%2F2026&X-Amz-Signature={long}",
        long,
    )
    yield (
        "account",
        f"DefaultEndpointsProtocol=https;AccountName=a;AccountKey={drawn('', BASE64, 86, '==')(rng)};x",
        "AccountKey=",
    )
    yield "ado", f"Server=db;Database=runs;User Id=jdoe;Password={long};Encrypt=true", long
    yield "netrc", f"machine api.example.org login jdoe password {long}", long
    yield "sql", f"CREATE USER jdoe IDENTIFIED BY '{long}';", long
    yield "xml", f"<server><password>{long}</password></server>", long
    yield "k8s", f'{{"name": "DB_PASS", "value": "{long}"}}', long
    yield "k8s", f"        - name: DB_PASS\n          value: {long}", long
    yield "environ", f"environ({{'HOME': '/root', 'DB_PASS': '{long}'}})", long
    yield "typed", f'    password: str = "{password}"', password
    body = ["".join(rng.choices(BASE64, k=64)) for _ in range(6)]
    for name in ("RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY", "PGP PRIVATE KEY BLOCK"):
        prefix = rng.choice(("", "  ", "2026-03-02 04:16:11 INFO "))
        lines = [f"-----BEGIN {name}-----", *body, f"-----END {name}-----"]
        yield "block", "\n".join(prefix + line for line in lines), body[3]
        yield "block", json.dumps({"private_key": "\n".join(lines)}), body[2]


def leaks(seed: int, each: int = 5) -> Iterator[tuple[str, str, str]]:
    """Give (what, text, secret): `each` spellings of every kind, and all shapes without a name."""
    rng = random.Random(seed)
    for kind in KINDS:
        value = kind.draw(rng)
        ways = list(spelt(kind, value, rng))
        for way, text in rng.sample(ways, min(each, len(ways))):
            yield (
                f"{kind.name}, {way}",
                rng.choice(HEAD if way in {"env", "json"} else ("",)) + text,
                as_written(value, text),
            )
    for way, text, secret in nameless(rng):
        yield way, text, tail_of(text, secret)


def as_written(value: str, text: str) -> str:
    """Give the value as it stands in the text: addresses quote it."""
    return value if value in text else quote(value, safe="")


def tail_of(text: str, secret: str) -> str:
    """Take a short secret's neighbours, which make it one of its own, for the secret."""
    if secret in {"ghp_", "login ", "AccountKey="}:
        rest = text.partition(secret)[2]
        return rest[: next((at for at, letter in enumerate(rest) if letter in "@;"), len(rest))]
    return secret
