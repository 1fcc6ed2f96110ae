"""A loop as a process, ended after each test with all its jobs."""

import pytest

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
