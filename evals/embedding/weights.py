"""Write the built-in embedder's table so that the same numbers always give the same bytes."""

from collections.abc import Sequence
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

EPOCH = (1980, 1, 1, 0, 0, 0)


def quantize(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.uint8]]:
    """Bring each row to whole numbers of one byte, and a whole-number scale of one byte."""
    greatest = np.abs(table).max(axis=1)
    unit = greatest.max() / (127 * 255)
    scales = np.clip(np.ceil(greatest / (127 * unit)), 1, 255)
    rows = np.rint(table / (scales[:, None] * unit))
    return np.clip(rows, -127, 127).astype(np.int8), scales.astype(np.uint8)


def write_weights(path: Path, words: Sequence[str], pairs: Sequence[str], table: NDArray[np.float32]) -> None:
    """Store vocabulary and table; the version names their content."""
    rows, scales = quantize(table)
    arrays = {
        "words": np.frombuffer("\n".join(words).encode(), np.uint8),
        "pairs": np.frombuffer("\n".join(pairs).encode(), np.uint8),
        "rows": rows,
        "scales": scales,
    }
    digest = blake2b(b"".join(array.tobytes() for array in arrays.values()), digest_size=4).digest()
    arrays["version"] = np.frombuffer(digest, np.uint8)
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            buffer = BytesIO()
            np.lib.format.write_array(buffer, array, allow_pickle=False)
            entry = ZipInfo(f"{name}.npy", EPOCH)
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, buffer.getvalue())
