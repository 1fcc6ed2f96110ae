"""Recovery with failures that are handed to it."""

import pytest

from tests.scheduling.recovery.ward import Ward


@pytest.fixture
def ward(tmp_path):
    made = []

    def make(**options):
        made.append(Ward(tmp_path, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()
