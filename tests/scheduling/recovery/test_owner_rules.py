"""policy.toml: what is not understood is an error with a name, never a rule that silently does not hold."""

import pytest

from schedmate.errors import InputError
from schedmate.scheduling.recovery.owner_rules import Rules, read_rules


def test_defaults_hold_without_a_file(tmp_path):
    assert read_rules(tmp_path / "policy.toml") == Rules()
    with pytest.raises(InputError, match="there is no file"):
        read_rules(tmp_path / "policy.toml", required=True)


def test_what_is_written_holds(tmp_path):
    path = tmp_path / "policy.toml"
    path.write_text('[recovery]\nrestarts = 1\n[notify]\nfile = "f"\n')
    assert read_rules(path).recovery.restarts == 1
    assert read_rules(path).notify.file == "f"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[recovery]\nrestart = 1\n", r"recovery.restart: unknown; did you mean recovery.restarts\?"),
        ("[recovery]\nisolate_share = 2\n", "recovery.isolate_share: it must be less than"),
        ("[recovery\n", "policy.toml"),
        ("restarts = 1\n", "restarts"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, said):
    path = tmp_path / "policy.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_rules(path)
