"""Kinds of secrets: what the one who holds it calls it, and what it looks like. Values are drawn, none is real."""

import random
import string
from collections.abc import Callable
from dataclasses import dataclass

LOWER_HEX = "0123456789abcdef"
LETTERS = string.ascii_letters + string.digits
BASE64 = LETTERS + "+/"
URL_SAFE = LETTERS + "-_"
WORDS = ("hunter", "dragon", "sunshine", "monkey", "winter", "letmein", "tiger", "shadow")

Draw = Callable[[random.Random], str]


def drawn(prefix: str, letters: str, count: int, end: str = "") -> Draw:
    """Make a token of some letters after a prefix."""
    return lambda rng: prefix + "".join(rng.choices(letters, k=count)) + end


def word(rng: random.Random) -> str:
    """Make a password of the kind that people choose: a word and a digit, a word alone, or signs among them."""
    base = rng.choice(WORDS)
    return rng.choice(
        (base + str(rng.randrange(10, 99)), base + "X", f"{base[:3]}@{base[3:]}!{rng.randrange(9)}", base)
    )


def pin(rng: random.Random) -> str:
    """Make one of digits alone."""
    return str(rng.randrange(100_000, 999_999))


@dataclass(frozen=True)
class Kind:
    """One kind of secret."""

    name: str
    """Words with a blank between them, as in `aws secret access key`."""
    draw: Draw


KINDS = (
    Kind("aws secret access key", drawn("", BASE64, 40)),
    Kind("aws access key id", drawn("AKIA", string.ascii_uppercase + "234567", 16)),
    Kind("aws session token", drawn("IQoJb3JpZ2luX2Vj", BASE64, 200)),
    Kind("azure storage key", drawn("", BASE64, 86, "==")),
    Kind("azure client secret", drawn("", LETTERS + "~.-_", 40)),
    Kind("google api key", drawn("AIza", URL_SAFE, 35)),
    Kind("db pass", word),
    Kind("db password", word),
    Kind("mysql pwd", word),
    Kind("pgpassword", word),
    Kind("redis password", drawn("", LETTERS, 20)),
    Kind("password", word),
    Kind("passwd", pin),
    Kind("passphrase", word),
    Kind("smtp pass", word),
    Kind("api key", drawn("", string.ascii_lowercase, 6)),
    Kind("apikey", drawn("", LOWER_HEX, 32)),
    Kind("secret key", drawn("", LETTERS, 24)),
    Kind("client secret", drawn("", URL_SAFE, 40)),
    Kind("private token", drawn("glpat-", URL_SAFE, 20)),
    Kind("github token", drawn("ghp_", LETTERS, 36)),
    Kind("github pat", drawn("github_pat_", LETTERS + "_", 82)),
    Kind("hf token", drawn("hf_", LETTERS, 34)),
    Kind("wandb api key", drawn("", LOWER_HEX, 40)),
    Kind("ngc api key", drawn("nvapi-", URL_SAFE, 64)),
    Kind("openai api key", drawn("sk-proj-", URL_SAFE, 48)),
    Kind("anthropic api key", drawn("sk-ant-api03-", URL_SAFE, 93)),
    Kind("slack bot token", drawn("xoxb-1234567890-", LETTERS, 24)),
    Kind("discord token", drawn("", LETTERS + "-_", 59)),
    Kind("telegram bot token", drawn("5129384756:AA", URL_SAFE, 33)),
    Kind("access token", drawn("", LETTERS, 32)),
    Kind("auth token", drawn("", LOWER_HEX, 20)),
    Kind("refresh token", drawn("1//0", URL_SAFE, 60)),
    Kind("session token", drawn("", BASE64, 64)),
    Kind("jwt", drawn("eyJhbGciOiJIUzI1NiJ9.eyJ", URL_SAFE, 60, ".c2lnbmF0dXJl")),
    Kind("pypi token", drawn("pypi-AgEIcHlwaS5vcmc", URL_SAFE, 80)),
    Kind("npm token", drawn("npm_", LETTERS, 36)),
    Kind("docker password", drawn("dckr_pat_", URL_SAFE, 27)),
    Kind("databricks token", drawn("dapi", LOWER_HEX, 32)),
    Kind("vault token", drawn("hvs.", URL_SAFE, 90)),
    Kind("datadog api key", drawn("", LOWER_HEX, 32)),
    Kind("sentry auth token", drawn("sntrys_", LETTERS, 60)),
    Kind("encryption key", drawn("", BASE64, 43, "=")),
    Kind("signing key", drawn("", LETTERS, 32)),
    Kind("comet api key", drawn("", LETTERS, 25)),
    Kind("neptune api token", drawn("eyJhcGlfYWRkcmVzcyI6", LETTERS, 80, "==")),
    Kind("kaggle key", drawn("", LOWER_HEX, 32)),
    Kind("replicate api token", drawn("r8_", LETTERS, 37)),
)
