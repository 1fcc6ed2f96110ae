"""A password that stands in the URL of a setting is shown by no command, whatever it says of that server."""

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app
from schedmate.errors import SchedMateError
from schedmate.settings import get_settings

SECRET = "hunter2plus4"
URLS = (
    f"http://ada:{SECRET}@127.0.0.1:9/v1",
    f"http://:{SECRET}@127.0.0.1:9/v1",
    f"http://{SECRET}:@127.0.0.1:9/v1",
    f"http://{SECRET}@127.0.0.1:9/v1",
    f"http://127.0.0.1:9/v1?api_key={SECRET}",
    f"http://127.0.0.1:9/v1?x=1&token={SECRET}",
    f"http://ada:x@{SECRET}@127.0.0.1:9/v1",
)
COMMANDS = (
    "config", "config --json", "selftest", "diagnose job.log", "diagnose job.log --engine model", "classify job.log",
    "extract . --command true --engine model", "track job.log --engine model", "history stats", "advise . --gpus 1",
    "diagnose job.log --json", "history reindex",
)  # fmt: skip


def shown(words):
    """Give all that a command shows, its error too."""
    answer = CliRunner().invoke(make_app(), words.split())
    error = answer.exception
    told = f"{error.message} {error.hint}" if isinstance(error, SchedMateError) else f"{error or ''}"
    return answer.output + answer.stderr + told


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("setting", ["LLM_URL", "EMBEDDER", "VECTORS"])
def test_no_command_shows_a_password_of_a_url(tmp_path, monkeypatch, url, setting):
    (tmp_path / "job.log").write_text("step 1\nKeyError: 'lr'\nslurmstepd: error: task exited with code 1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(f"SCHEDMATE_{setting}", url)
    monkeypatch.setenv("SCHEDMATE_LLM_ATTEMPTS", "1")
    for words in COMMANDS:
        get_settings.cache_clear()
        assert SECRET not in shown(words).replace("\n", ""), words
