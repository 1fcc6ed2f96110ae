"""A web server as a process of its own, on a store of its own."""

import pytest

pytest.importorskip("jinja2", reason="the extra web is not installed")
pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytest.importorskip("python_multipart", reason="the extra web is not installed")

from tests.scheduling.live.conftest import make_up, rules  # noqa: F401
from tests.web.web_process import Web


@pytest.fixture
def make_web(tmp_path):
    made = []

    def make(data_dir=None, *options):
        made.append(Web(tmp_path, data_dir or tmp_path / "data", *options))
        return made[-1]

    yield make
    for web in made:
        web.close()
