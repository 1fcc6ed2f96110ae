"""What somebody sees who has just installed it: nothing is there yet, and each command says what to do."""

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app


def run(*words):
    return CliRunner().invoke(make_app(), words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("jobs",), "no jobs; hand one in with: schedmate submit"),
        (("actions",), "no recovery step has been planned yet"),
        (("history", "stats"), "fill it with: schedmate history import"),
        (("history", "list"), "no such jobs; schedmate history stats"),
        (("remember", "list"), "nothing is remembered"),
        (("watch", "absent/*.log", "--once"), "no log matches absent/*.log"),
        (("knowledge", "test", "absent.toml"), "absent.toml: cannot be read: No such file or directory; not used"),
    ],
)
def test_where_nothing_is_yet_a_command_says_so(words, said):
    answer = run(*words)
    assert said in answer.stdout + answer.stderr


@pytest.mark.parametrize("command", ["prune"])
def test_no_word_of_the_help_is_taken_for_a_colour(command):
    assert "as the keep table of policy.toml says" in " ".join(run(command, "--help").stdout.split())
