"""Every test has settings and directories of its own; nothing of the machine's user leaks in or is written to."""

import os

import hypothesis
import pytest

from schedmate.settings import get_settings

# The machine that decides whether a change lands draws the same examples every time; a developer's draws new ones.
hypothesis.settings.register_profile("suite", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("suite")


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
