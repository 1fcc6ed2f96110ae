"""Lots that are drawn once for each job, and fall the same whenever one asks."""

from functools import lru_cache
from hashlib import blake2b


@lru_cache(1 << 18)
def drawn(what: str, seed: int, number: int) -> float:
    """Draw evenly from 0 to 1."""
    digest = blake2b(f"{what} {seed} {number}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
