"""A host with a Slurm of some version."""

import pytest

from schedmate.clusters.slurm.versions import version


@pytest.fixture
def slurm_of(tmp_path, monkeypatch):
    """Let this host have a Slurm of some version."""
    tool = tmp_path / "sinfo"

    def use(says):
        tool.write_text(f"#!/bin/sh\necho {says}\n")
        tool.chmod(0o755)
        version.cache_clear()

    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    yield use
    version.cache_clear()
