"""Unpack gzip, zstd, xz, bzip2 and UTF-16 into a temporary file of bounded size; what cannot go on ends there."""

import bz2
import codecs
import lzma
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO, Any, Literal

from schedmate.errors import InputError

Packing = Literal["", "gzip", "zstd", "xz", "bzip2", "utf-16"]

MAGIC: tuple[tuple[bytes, Packing], ...] = (
    (b"\x1f\x8b\x08", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"BZh", "bzip2"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Suffixes lie, first bytes do not. UTF-16 is what Windows shells write when output is redirected."""

CHUNK_BYTES = 1 << 20

PACKED_BYTES = 1 << 13
"""What is unpacked at once: where the packed data are damaged, no more than this is lost before the damage."""
UNPACKED_LIMIT_BYTES = 64 << 30

SHARE_OF_DISK = 4
"""A small file can unpack to petabytes: of the disk's free space no more than one part in so many is used."""
UNPACKER_MEMORY_BYTES = 256 << 20


class Unpackable(Exception):
    """Say that not a byte could be unpacked: it only begins like something packed."""


def is_packed(source: IO[bytes] | bytes) -> Packing:
    """Name the packing by the first bytes; an empty string for none."""
    if isinstance(source, bytes):
        head = source
    else:
        head = source.read(8)
        source.seek(0)
    return next((packing for magic, packing in MAGIC if head.startswith(magic)), "")


def unpacked_chunks(source: IO[bytes], packing: Packing) -> Iterator[bytes]:
    """Give the plain bytes a piece at a time, up to where the packed ones end or are damaged."""
    if packing == "zstd":
        import zstandard

        stream = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(source, read_across_frames=True)
        yield from iter(lambda: stream.read(CHUNK_BYTES), b"")
    elif packing == "utf-16":
        decoder = codecs.getincrementaldecoder("utf-16")("replace")
        while chunk := source.read(CHUNK_BYTES):
            yield decoder.decode(chunk).encode("utf-8", "replace")
    elif packing:
        yield from members(source, packing)
    else:
        yield from iter(lambda: source.read(CHUNK_BYTES), b"")


def members(source: IO[bytes], packing: Packing) -> Iterator[bytes]:
    """Unpack one packed member after another; Python's own files lose what they hold when the data end too early."""
    makers: dict[str, Callable[[], Any]] = {
        "gzip": lambda: zlib.decompressobj(31),
        "bzip2": bz2.BZ2Decompressor,
        "xz": lambda: lzma.LZMADecompressor(memlimit=UNPACKER_MEMORY_BYTES),
    }
    make = makers[packing]
    unpacker, rest = make(), b""
    while True:
        packed = rest or source.read(PACKED_BYTES)
        if not packed:
            raise EOFError("the packed data end too early")
        chunk = unpacker.decompress(packed, CHUNK_BYTES)
        rest = unpacker.unconsumed_tail if packing == "gzip" else b""
        if chunk:
            yield chunk
        while packing != "gzip" and not unpacker.eof and not unpacker.needs_input:
            yield unpacker.decompress(b"", CHUNK_BYTES)
        if unpacker.eof:
            rest = (unpacker.unused_data + source.read(PACKED_BYTES)).lstrip(b"\0")
            if is_packed(rest) != packing:  # what follows the last member is padding, or no part of it
                return
            unpacker = make()


def spool(source: IO[bytes], name: str, packing: Packing) -> tuple[IO[bytes], bool]:
    """Stream into an unnamed temporary file; also tell whether there was more than could be had."""
    target = tempfile.TemporaryFile("w+b")  # noqa: SIM115 - the log owns it and closes it
    written, cut_short = 0, False
    most = min(UNPACKED_LIMIT_BYTES, shutil.disk_usage(tempfile.gettempdir()).free // SHARE_OF_DISK)
    try:
        for chunk in unpacked_chunks(source, packing):
            if written + len(chunk) > most:
                target.write(chunk[: most - written])
                cut_short = True
                break
            target.write(chunk)
            written += len(chunk)
    except Exception as error:  # each packing has its own; zstandard's is imported late
        cut_short = True
        if not written:
            target.close()
            raise Unpackable(str(error)) from error
    if cut_short and not written:
        target.close()
        raise InputError(f"no room to unpack {name} in {tempfile.gettempdir()}", "set TMPDIR to a larger disk")
    with suppress(OSError):  # a full disk: what is there is there
        target.flush()
    os.lseek(target.fileno(), 0, os.SEEK_SET)
    return target, cut_short
