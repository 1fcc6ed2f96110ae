"""`schedmate slurm reset` gives back what was set, and forgets nothing that Slurm has not taken back."""

import json
from contextlib import closing

import pytest

from schedmate.clusters.managed import Refused, Unreachable
from schedmate.clusters.slurm import avoiding, ordering
from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.reset import reset
from schedmate.history.live import LiveStore

OUT_OF_REACH = "slurm_update error: Unable to contact slurm controller (connect failure)"
NO_RIGHT = "slurm_update error: Access/permission denied"
OVER = "slurm_update error: Invalid job id specified"


@pytest.fixture
def answering(tmp_path, monkeypatch):
    def answer(words):
        program = tmp_path / "scontrol"
        program.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 1\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    return answer


@pytest.mark.parametrize(("fact", "value"), [(avoiding.EXCLUDED, {"7": "gpu1"}), (ordering.FACTORS, {"7": 400})])
@pytest.mark.parametrize(("words", "error"), [(OUT_OF_REACH, Unreachable), (NO_RIGHT, Refused), (OVER, None)])
def test_nothing_is_forgotten_that_slurm_did_not_take(fact, value, words, error, answering, tmp_path):
    answering(words)
    with closing(LiveStore(tmp_path / "data")) as store:
        store.set_fact(fact, json.dumps(value))
        if error:
            with pytest.raises(error):
                reset(Commands(), store)
        else:
            reset(Commands(), store)
        assert json.loads(store.fact(fact)) == (value if error else {})
