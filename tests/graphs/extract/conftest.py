"""Small repositories on disk for a model to explore."""

import textwrap

import pytest


@pytest.fixture
def repository(tmp_path):
    def make(files):
        root = tmp_path / "repo"
        for name, text in files.items():
            place = root / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(textwrap.dedent(text).lstrip("\n"))
        return root

    return make
