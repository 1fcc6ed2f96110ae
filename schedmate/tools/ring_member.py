"""One node's part in the socket ring check; a process of its own, on that node, with nothing but the standard library.

It listens, says where, hears who the others are, sends each of them a block and has each of theirs come in: the largest
to its neighbour, as around a ring. It ends when its input does, so that nothing of it outlives the one who asked.
"""

import asyncio
import hashlib
import json
import os
import sys
from contextlib import suppress
from typing import Any

HEADER_BYTES = 24
"""A token of 16 bytes, the sender's place, and how many bytes follow."""
RING_BYTES = 8 << 20
PAIR_BYTES = 64 << 10
PIECE_BYTES = 1 << 18


class Broken(Exception):
    """Say what went wrong, and with whom."""


class Member:
    """What one node knows of the ring."""

    def __init__(self, orders: dict[str, Any], missing: set[int]) -> None:
        self.peers: list[tuple[str, int]] = [(host, port) for host, port in orders["peers"]]
        self.place = int(orders["place"])
        self.token = bytes.fromhex(orders["token"])
        self.missing = missing
        """Those whose block has not come in yet."""
        self.complete = asyncio.Event()
        self.bytes = os.urandom(RING_BYTES)

    def size_for(self, distance: int) -> int:
        """Give the neighbour most, the others enough to know that the way is open."""
        return RING_BYTES if distance == 1 else PAIR_BYTES

    async def hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take in one block and acknowledge what it is; who does not know the token is not listened to."""
        with suppress(OSError, asyncio.IncompleteReadError):
            header = await reader.readexactly(HEADER_BYTES)
            sender, size = int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:], "big")
            if header[:16] == self.token and sender < len(self.peers) and size <= RING_BYTES:
                digest = hashlib.sha256()
                while size:
                    piece = await reader.readexactly(min(size, PIECE_BYTES))
                    size -= len(piece)
                    digest.update(piece)
                writer.write(digest.digest())
                await writer.drain()
                self.missing.discard(sender)
                if not self.missing:
                    self.complete.set()
        with suppress(OSError):
            writer.close()
            await writer.wait_closed()

    async def send(self, place: int, size: int) -> None:
        """Send a block to one other and see that the same bytes arrived."""
        block = self.bytes[:size]
        header = self.token + self.place.to_bytes(4, "big") + size.to_bytes(4, "big")
        try:
            reader, writer = await asyncio.open_connection(*self.peers[place])
            writer.write(header)
            for start in range(0, size, PIECE_BYTES):
                writer.write(block[start : start + PIECE_BYTES])
                await writer.drain()
            answer = await reader.readexactly(32)
            writer.close()
        except (OSError, asyncio.IncompleteReadError) as error:
            raise Broken(f"nothing gets through to {self.peers[place][0]}: {error}") from error
        if answer != hashlib.sha256(block).digest():
            raise Broken(f"what arrives at {self.peers[place][0]} is not what was sent")

    async def take_part(self) -> None:
        """Send to the neighbour first, then ever further around the ring, and wait for everybody's blocks."""
        count = len(self.peers)
        for distance in range(1, max(2, count)):
            await self.send((self.place + distance) % count, self.size_for(distance))
        await self.complete.wait()


async def serve(orders_of: "asyncio.Queue[dict[str, Any] | None]", host: str) -> None:
    """Listen, take part, say how it went, and stay for those who are slower."""
    ready: asyncio.Future[Member] = asyncio.get_running_loop().create_future()

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await (await asyncio.shield(ready)).hear(reader, writer)

    server = await asyncio.start_server(hear, host, 0)
    say({"port": server.sockets[0].getsockname()[1]})
    orders = await orders_of.get()
    if orders is None:
        return
    count = len(orders["peers"])
    member = Member(orders, {place for place in range(count) if place != orders["place"]} or {0})
    ready.set_result(member)
    try:
        await member.take_part()
        say({"ok": True})
    except Broken as error:
        say({"error": str(error)})
    while await orders_of.get() is not None:
        pass


def say(answer: dict[str, Any]) -> None:
    """Answer in one line."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


async def main(host: str) -> None:
    """Read orders until there are no more, whatever else is going on."""
    reader = asyncio.StreamReader(limit=1 << 24)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    orders_of: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
    serving = asyncio.ensure_future(serve(orders_of, host))
    while line := await reader.readline():
        orders_of.put_nowait(json.loads(line))
    serving.cancel()
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
