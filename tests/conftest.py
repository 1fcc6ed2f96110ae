"""Every test has settings and directories of its own; nothing of the machine's user leaks in or is written to."""

import os
import re
import signal
from functools import cache
from itertools import count
from pathlib import Path

import hypothesis
import pytest

from schedmate.settings import get_settings

# The same examples every time, on a machine however slow: a run judges the change, not the dice. NEW_EXAMPLES=1 throws.
hypothesis.settings.register_profile(
    "suite",
    deadline=None,
    derandomize=not os.environ.get("NEW_EXAMPLES"),
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.function_scoped_fixture],
)
hypothesis.settings.load_profile("suite")

LIVE = (
    "batch",
    "cli",
    "clusters/kubernetes",
    "contract",
    "evals",
    "mcp",
    "scheduling/live",
    "scheduling/recovery",
    "watching",
)
"""Rooms whose tests run the loop, other services or whole commands: `make test-live`; the rest is `make test`."""

FOREIGN = re.compile(r"SCHEDMATE_.*|.*_proxy|(NO|FORCE|PY)_COLORS?|TTY_.*|GITHUB_ACTIONS", re.IGNORECASE)
"""Settings of the user, of his network and of his terminal: none may decide a test."""

# At once, as some test modules and libraries look when they are imported.
for name in [name for name in os.environ if FOREIGN.fullmatch(name)]:
    del os.environ[name]


# Whoever starts the suite in the background has children ignore Ctrl-C, and those that a test interrupts never end.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL)


@cache
def is_live(path):
    return any(path.is_relative_to(Path(__file__).parent / room) for room in LIVE)


def pytest_ignore_collect(collection_path, config):
    """Leave the half alone that is not asked for: to import it takes as long as many of its tests."""
    if config.option.markexpr == "not live":
        return is_live(collection_path) or None
    return (config.option.markexpr == "live" and collection_path.is_file() and not is_live(collection_path)) or None


def pytest_collection_modifyitems(items):
    for item in items:
        if is_live(item.path):
            item.add_marker("live")


@pytest.fixture(scope="session")
def homes(tmp_path_factory):
    """Give paths for homes; pytest's own way looks at all of thousands of folders to name the next."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def own_home(homes, monkeypatch):
    home = next(homes)
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    get_settings.cache_clear()
    yield home
    get_settings.cache_clear()
