"""Commands of a shell that download data: what they are asked for by name, or from which address."""

import posixpath
from itertools import pairwise

import re2

from schedmate.knowledge.datasets import known_dataset
from schedmate.readers.code.fields.data.fetched_data import OF_NETWORKS

FETCHERS = frozenset({"wget", "curl", "aria2c", "gdown"})
"""Programs that fetch what lies at an address."""
HUBS = frozenset({"huggingface-cli", "hf"})
"""What the hub's own program is called."""
FLAGS = {
    "kaggle": frozenset({"-o", "--force", "-q", "--quiet", "--unzip", "-w", "--wp", "-h", "--help"}),
    "hub": frozenset({"--force-download", "--resume-download", "--quiet", "--dry-run", "-h", "--help"}),
}
"""Options that take no value, by the tool that has them."""
ASKING = frozenset({"-c", "--competition", "-d", "--dataset"})
"""Kaggle's options by which a set is named."""
SEVERAL = frozenset({"--include", "--exclude"})
"""Options of the hub's that take all words up to the next option."""
BESIDE = frozenset({"-e", "--referer", "-x", "--proxy", "-H", "--header", "-A", "--user-agent", "-U"})
"""Options behind which an address is not what is fetched."""
OWNED = re2.compile(r"^[\w.-]+/[\w.-]+$")
"""A name on a hub: of its owner, and its own."""
NAME = re2.compile(r"^[\w-]+(?:/[\w-]+)?$")


def downloaded_by(words: list[str]) -> str:
    """Name what a command downloads: what is asked for by name, else a known set; nothing for a network."""
    tool = posixpath.basename(words[0])
    if tool in FETCHERS:
        found = (known_dataset(text) for text in addresses(words) if not OF_NETWORKS.search(text))
        return next((one.name for one in found if one is not None), "")
    name = of_kaggle(words[1:]) if tool == "kaggle" else of_hub(words[1:]) if tool in HUBS else ""
    if not name or OF_NETWORKS.search(name):
        return ""
    known = known_dataset(name)
    return known.name if known is not None else posixpath.basename(name)


def addresses(words: list[str]) -> list[str]:
    """Give the addresses that are fetched."""
    return [
        word for before, word in pairwise(words) if word.startswith(("http://", "https://")) and before not in BESIDE
    ]


def of_kaggle(words: list[str]) -> str:
    """Give the competition or data set that Kaggle's tool is asked for."""
    if words[:2] not in (["competitions", "download"], ["datasets", "download"]):
        return ""
    options, free = parted(words[2:], FLAGS["kaggle"])
    asked = [value for name, value in options if name in ASKING] or free
    return next((text for text in asked if NAME.search(text)), "")


def of_hub(words: list[str]) -> str:
    """Give the data set that the hub's tool is asked for; by itself it loads networks."""
    options, free = parted(words[1:], FLAGS["hub"])
    if words[:1] != ["download"] or ("--repo-type", "dataset") not in options:
        return ""
    return free[0] if free and OWNED.search(free[0]) else ""


def parted(words: list[str], flags: frozenset[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Part a command's options, with the values that they take, from its other words."""
    options: list[tuple[str, str]] = []
    free: list[str] = []
    name = ""
    for word in words:
        if word.startswith("-") and len(word) > 1:
            told, equals, value = word.partition("=")
            if equals:
                options.append((told, value))
            name = "" if equals or told in flags else told
        elif name:
            options.append((name, word))
            name = name if name in SEVERAL else ""
        else:
            free.append(word)
    return options, free
