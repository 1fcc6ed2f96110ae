"""Where settings and the user's files lie; standard library alone, since reading the settings takes time."""

import os
from pathlib import Path

PREFIX = "SCHEDMATE_"


def config_file() -> Path:
    """Name the file that is read: $SCHEDMATE_CONFIG, else schedmate.toml in the working directory."""
    return Path(os.environ.get(f"{PREFIX}CONFIG") or "schedmate.toml")


def user_directory(variable: str, default: str) -> Path:
    """Follow the XDG convention, so that data and caches lie where the user's other programs keep theirs."""
    base = os.environ.get(variable)
    return (Path(base) if base else Path.home() / default) / "schedmate"


def data_directory() -> Path:
    """Name the default place of what is learnt and kept."""
    return user_directory("XDG_DATA_HOME", ".local/share")


def cache_directory() -> Path:
    """Name the place of what can be made again, as long as no configuration file names another."""
    chosen = os.environ.get(f"{PREFIX}CACHE_DIR")
    return Path(chosen) if chosen else user_directory("XDG_CACHE_HOME", ".cache")


def anything_is_set() -> bool:
    """Tell whether the settings can differ from their defaults at all."""
    return any(name.startswith(PREFIX) for name in os.environ) or config_file().exists()
