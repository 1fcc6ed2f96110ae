"""Answers of servers that have a size, whatever the other side sends: a megabyte of gzip can unpack to gigabytes.

Answers are asked for unpacked and refused packed, so that what is counted is what is held. The hooks fit any of httpx's
makes: the OpenAI client brings one of its own.
"""

import sys
from typing import Any

PLAIN = {"Accept-Encoding": "identity"}

MOST_BYTES = 8 << 20
"""Many times the longest reply that is asked for."""
MOST_VECTOR_BYTES = 64 << 20


class TooLarge(Exception):
    """Say that an answer is larger than any that was asked for."""


def check_packing(response: Any) -> None:
    """Refuse what would grow when it is unpacked."""
    packing = response.headers.get("content-encoding", "").strip().lower()
    if packing not in {"", "identity"}:
        raise TooLarge(f"an answer packed as {packing[:20]!r}, which was not asked for")


def put(response: Any, body: bytearray) -> None:
    """Let the body be read once more, by those who understand it."""
    response.stream = sys.modules[type(response).__module__.partition(".")[0]].ByteStream(bytes(body))


def counted(body: bytearray, chunk: bytes, most_bytes: int) -> None:
    """Add a piece, unless that is too much."""
    body += chunk
    if len(body) > most_bytes:
        raise TooLarge(f"an answer of more than {most_bytes >> 20} MiB")


async def bound(response: Any) -> None:
    """Read a reply before the client does; a hook of an asynchronous client."""
    check_packing(response)
    body = bytearray()
    async for chunk in response.stream:
        counted(body, chunk, MOST_BYTES)
    await response.stream.aclose()
    put(response, body)


def bound_vectors(response: Any) -> None:
    """Read vectors before the client does; a hook of a client."""
    check_packing(response)
    body = bytearray()
    for chunk in response.stream:
        counted(body, chunk, MOST_VECTOR_BYTES)
    response.stream.close()
    put(response, body)
