"""Where settings and the user's files lie; standard library alone, since reading the settings takes time."""

import os
from contextlib import suppress
from pathlib import Path

PREFIX = "SCHEDMATE_"
FILE_NAME = "schedmate.toml"

STORE_NAME = "history.sqlite3"
"""The one store, in the data directory."""
MOST_BYTES = 1 << 20
"""A settings file that is larger is none."""


def config_text() -> tuple[Path, bytes] | None:
    """Read the one settings file that counts: the one $SCHEDMATE_CONFIG names, the working directory's, the user's.

    Anybody's checkout may hold a schedmate.toml that sends prompts and keys elsewhere, so the working directory's
    counts only as long as it reads as it did when the user said that he trusts it.
    """
    if named := os.environ.get(f"{PREFIX}CONFIG"):
        return Path(named), Path(named).read_bytes()
    here, users = file_here(), config_directory() / FILE_NAME
    if here is not None and mark_of_trust(*here).exists():
        return here
    return (users, users.read_bytes()) if users.is_file() else None


def ignored_file() -> Path | None:
    """Name the working directory's settings file where nobody has said that it is trusted."""
    if os.environ.get(f"{PREFIX}CONFIG"):
        return None
    here = file_here()
    return None if here is None or mark_of_trust(*here).exists() else here[0]


def file_here() -> tuple[Path, bytes] | None:
    """Read the working directory's settings file; None where there is none that could be."""
    with suppress(OSError):
        path = Path(FILE_NAME).absolute()
        if path.is_file():
            with path.open("rb") as file:
                text = file.read(MOST_BYTES + 1)
            return (path, text) if len(text) <= MOST_BYTES else None
    return None


def mark_of_trust(path: Path, text: bytes) -> Path:
    """Name the file that stands for the user's trust in this text at this place."""
    from hashlib import sha256

    return config_directory() / "trusted" / sha256(os.fsencode(path) + b"\0" + text).hexdigest()


def trust_file_here() -> Path | None:
    """Remember that the working directory's settings file is trusted as it reads now; None where there is none."""
    here = file_here()
    if here is None:
        return None
    mark = mark_of_trust(*here)
    mark.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    mark.write_text(f"{here[0]}\n", "utf-8", errors="backslashreplace")
    return here[0]


def user_directory(variable: str, default: str) -> Path:
    """Follow the XDG convention, by which a relative path counts as none."""
    base = os.environ.get(variable, "")
    return (Path(base) if os.path.isabs(base) else Path.home() / default) / "schedmate"


def config_directory() -> Path:
    """Name the place of the user's own settings, and of what he trusts."""
    return user_directory("XDG_CONFIG_HOME", ".config")


def data_directory() -> Path:
    """Name the default place of what is learnt and kept."""
    return user_directory("XDG_DATA_HOME", ".local/share")


def cache_directory() -> Path:
    """Name the place of what can be made again, as long as no configuration file names another."""
    chosen = os.environ.get(f"{PREFIX}CACHE_DIR")
    return Path(chosen) if chosen else user_directory("XDG_CACHE_HOME", ".cache")


def data_may_lie_elsewhere() -> bool:
    """Tell whether the settings can name another data directory at all."""
    return f"{PREFIX}DATA_DIR" in map(str.upper, os.environ) or config_text() is not None


def anything_is_set() -> bool:
    """Tell whether the settings can differ from their defaults at all."""
    return any(name.startswith(PREFIX) for name in os.environ) or config_text() is not None
