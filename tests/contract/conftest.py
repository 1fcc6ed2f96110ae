"""Every contract test runs on every cluster there is."""

import pytest

from tests.contract.bench import BENCHES, MANAGED


@pytest.fixture(params=BENCHES)
def bench(request):
    made = BENCHES[request.param]()
    yield made
    made.close()


@pytest.fixture(params=MANAGED)
def managed(request):
    made = MANAGED[request.param]()
    yield made
    made.close()
