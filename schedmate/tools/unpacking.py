"""Unpack gzip, zstd, xz, bzip2 and UTF-16 into a temporary file of bounded size."""

import bz2
import codecs
import gzip
import lzma
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from typing import IO, Any, Literal

from schedmate.errors import InputError

Packing = Literal["", "gzip", "zstd", "xz", "bzip2", "utf-16"]

MAGIC: tuple[tuple[bytes, Packing], ...] = (
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"BZh", "bzip2"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Suffixes lie, first bytes do not. UTF-16 is what Windows shells write when output is redirected."""

CHUNK_BYTES = 1 << 20
UNPACKED_LIMIT_BYTES = 64 << 30
DISK_RESERVE_BYTES = 1 << 30
"""A small file can unpack to petabytes; neither the disk nor the patience of the node may be used up by one."""


def is_packed(source: IO[bytes] | bytes) -> Packing:
    """Name the packing by the first bytes; an empty string for none."""
    if isinstance(source, bytes):
        head = source
    else:
        head = source.read(8)
        source.seek(0)
    return next((packing for magic, packing in MAGIC if head.startswith(magic)), "")


def reader(source: IO[bytes], packing: Packing) -> Any:
    """Wrap a byte stream in the reader of its packing."""
    if packing == "gzip":
        return gzip.GzipFile(fileobj=source)
    if packing == "xz":
        return lzma.LZMAFile(source)
    if packing == "bzip2":
        return bz2.BZ2File(source)
    if packing == "zstd":
        import zstandard

        return zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(source, read_across_frames=True)
    return source


def unpacked_chunks(source: IO[bytes], packing: Packing) -> Iterator[bytes]:
    """Give the plain bytes a piece at a time."""
    stream = reader(source, packing)
    decoder = codecs.getincrementaldecoder("utf-16")("replace") if packing == "utf-16" else None
    while chunk := stream.read(CHUNK_BYTES):
        yield decoder.decode(chunk).encode("utf-8", "replace") if decoder else chunk


def spool(source: IO[bytes], name: str, packing: Packing) -> tuple[IO[bytes], bool]:
    """Stream into an unnamed temporary file; also tell whether the packed data ended too early."""
    target = tempfile.TemporaryFile("w+b")  # noqa: SIM115 - the log owns it and closes it
    written, cut_short = 0, False
    try:
        for chunk in unpacked_chunks(source, packing):
            written += len(chunk)
            if written > UNPACKED_LIMIT_BYTES:
                raise InputError(f"{name} unpacks to more than {UNPACKED_LIMIT_BYTES >> 30} GiB", "unpack a part of it")
            if shutil.disk_usage(tempfile.gettempdir()).free < DISK_RESERVE_BYTES + len(chunk):
                raise InputError(f"no room to unpack {name} in {tempfile.gettempdir()}", "set TMPDIR to a larger disk")
            target.write(chunk)
    except InputError:
        target.close()
        raise
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        cut_short = True
        if not written:
            target.close()
            raise InputError(f"{name} cannot be unpacked: {error}", "is it whole?") from error
    except Exception as error:  # zstandard raises its own class, which is imported late
        target.close()
        raise InputError(f"{name} cannot be unpacked: {error}", "is it whole?") from error
    target.flush()
    os.lseek(target.fileno(), 0, os.SEEK_SET)
    return target, cut_short
