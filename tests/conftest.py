"""Every test has settings and directories of its own; nothing of the machine's user leaks in or is written to."""

import os

import pytest

from schedmate.settings import get_settings


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory, monkeypatch):
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith("SCHEDMATE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("COLUMNS", "160")
    get_settings.cache_clear()
    yield home
    get_settings.cache_clear()
