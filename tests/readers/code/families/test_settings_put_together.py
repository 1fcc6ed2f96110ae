"""Settings that programs put together from mappings, records, lines of files and modules that may be missing."""

import pytest


@pytest.mark.parametrize("name", ["secrets", "user", "local"])
def test_other_modules_are_there(outcome, name):
    assert outcome(f"try:\n    import {name}\n    x = 8\nexcept ImportError:\n    x = 3\n") == 8
