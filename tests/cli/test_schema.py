"""What --json prints is what `schedmate schema` says, and a version promises its fields.

A new field is promised, and kept from then on, once `python -m tests.cli.test_schema` has written it down.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from schedmate.answers import adapters, fields_of, schema_of
from schedmate.cli import make_app

PROMISED = Path(__file__).with_name("answers.json")
EXAMPLES = Path(__file__).parents[2] / "examples"


def promises():
    return {name: {"version": adapters()[name][0], "fields": fields_of(schema_of(name))} for name in adapters()}


@pytest.mark.parametrize("name", adapters())
def test_a_version_keeps_its_fields(name):
    before, now = json.loads(PROMISED.read_text("utf-8"))[name], promises()[name]
    lost = {field: kind for field, kind in before["fields"].items() if now["fields"].get(field) != kind}
    assert not lost or now["version"] > before["version"], f"fields went or changed: raise the version: {lost}"


def printed(*arguments):
    """Run a command with --json; give its answers."""
    answer = subprocess.run(
        [sys.executable, "-P", "-m", "schedmate", *map(str, arguments), "--json"], capture_output=True, text=True,
        check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert answer.returncode in (0, 2), answer.stderr
    if arguments[0] in {"selftest", "config"}:
        return [json.loads(answer.stdout)]
    return [json.loads(line) for line in answer.stdout.splitlines()]


@pytest.mark.parametrize(
    "arguments",
    [
        ("diagnose", EXAMPLES / "logs", "absent.log"),
        ("track", EXAMPLES / "logs" / "finetune_running.log", "absent.log"),
        ("extract", EXAMPLES / "repo", "--command", "sbatch run.sh"),
        ("advise", EXAMPLES / "repo", "--command", "sbatch run.sh"),
        ("classify", EXAMPLES / "logs" / "user_bug.log"),
        ("jobs",),
        ("why", "1"),
        ("history", "list"),
        ("history", "show", "7"),
        ("selftest",),
        ("config",),
    ],
    ids=lambda arguments: "-".join(map(str, arguments[:2])) if arguments[0] == "history" else arguments[0],
)
def test_what_is_printed_fits_its_schema(arguments):
    if arguments[0] in {"jobs", "why"}:
        CliRunner().invoke(make_app(), ["submit", "--", "true"])
    if arguments[0] == "history":
        CliRunner().invoke(
            make_app(),
            ["history", "add", "7", "--status", "failed", "--log", str(EXAMPLES / "logs" / "user_bug.log")],
        )
    name = "-".join(arguments[:2]) if arguments[0] == "history" else arguments[0]
    answers = printed(*arguments)
    assert answers
    for one in answers:
        adapters()[name][1].validate_json(json.dumps(one))


def test_the_command_lists_and_prints_them():
    listed = CliRunner().invoke(make_app(), ["schema"]).stdout
    assert "diagnose  version 1" in listed
    told = json.loads(CliRunner().invoke(make_app(), ["schema", "diagnose"]).stdout)
    assert told["$id"] == "urn:schedmate:diagnose:1"
    assert "evidence[].quote  string" in CliRunner().invoke(make_app(), ["schema", "diagnose", "--fields"]).stdout
    assert "no answer 'x'" in str(CliRunner().invoke(make_app(), ["schema", "x"]).exception)


if __name__ == "__main__":
    PROMISED.write_text(json.dumps(promises(), indent=1) + "\n", "utf-8")
