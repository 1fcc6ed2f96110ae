"""A loop as a process, ended after each test with all its jobs."""

import shlex

import pytest

from tests.scheduling.live.accounts import make_shared  # noqa: F401
from tests.scheduling.live.up_process import Up


@pytest.fixture
def make_up(tmp_path):
    made = []

    def make(*options, **environment):
        made.append(Up(tmp_path, *options, **environment))
        made[-1].start()
        return made[-1]

    yield make
    for up in made:
        up.close()


@pytest.fixture
def rules(tmp_path):
    """Rules that name a program in the place of nccl-tests: it fails wherever node2 takes part."""
    program = tmp_path / "all_reduce_perf"
    calls = shlex.quote(str(tmp_path / "calls"))
    lines = [
        "#!/bin/sh",
        f'echo "$SCHEDMATE_NODES" >> {calls}',
        'case ",$SCHEDMATE_NODES," in *,node2,*) exit 3;; esac',
    ]
    program.write_text("\n".join([*lines, "echo '# Out of bounds values : 0 OK'"]) + "\n")
    program.chmod(0o755)
    path = tmp_path / "rules.toml"
    path.write_text(f"[tools]\nnccl_test = '{program}'\ndcgmi = 'no-dcgmi-here'\n")
    return path
