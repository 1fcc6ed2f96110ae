"""What --json prints is what `schedmate schema` says, and a version promises its fields.

A new field is promised, and kept from then on, once `python -m tests.cli.test_schema` has written it down.
"""

import json
import os
import time
from contextlib import closing
from pathlib import Path

import click
import pytest
import typer
from typer.testing import CliRunner

from schedmate.answer_fields import fields_of, meanings_of
from schedmate.answers import adapters, schema_of
from schedmate.cli import make_app
from schedmate.history.live import LiveStore
from schedmate.history.proposals import ProposalFile
from schedmate.knowledge.site import site_files
from schedmate.mcp.tools import Tools
from schedmate.tools.roots import Roots

PROMISED = Path(__file__).with_name("answers.json")
EXAMPLES = Path(__file__).parents[2] / "examples"
DEATH = 'step 1/9 loss 2.0\nTraceback (most recent call last):\n  File "t.py", line 1, in <module>\nIndexError: out\n'


def promises():
    return {name: {"version": adapters()[name][0], "fields": fields_of(schema_of(name))} for name in adapters()}


@pytest.mark.parametrize("name", adapters())
def test_a_version_keeps_its_fields(name):
    before, now = json.loads(PROMISED.read_text("utf-8"))[name], promises()[name]
    lost = {field: kind for field, kind in before["fields"].items() if now["fields"].get(field) != kind}
    assert not lost or now["version"] > before["version"], f"fields went or changed: raise the version: {lost}"


def printed(*arguments):
    """Run a command; give its answers."""
    answer = CliRunner().invoke(make_app(), arguments)
    bad = 1 if arguments[0] in {"watch", "selftest"} else 2  # a job has died; this machine has a Slurm that is down
    assert answer.exit_code in (0, bad), answer.stderr
    if arguments[0] in {"selftest", "config"}:
        return [json.loads(answer.stdout)]
    return [json.loads(line) for line in answer.stdout.splitlines()]


ENTRY = """[[failure]]
id = "our.flux"
pattern = 'flux capacitor lost'
literal = 'flux capacitor lost'
role = "root"
category = "infrastructure"
subcategory = "node"
restart = "elsewhere"
weight = 0.9
meaning = "It is lost."
action = "Look for it."
sample = ['flux capacitor lost']
"""

HANDED_IN = ["submit", "--", "true"]
REMEMBERED = ["diagnose", str(EXAMPLES / "logs" / "user_bug.log"), "--remember", "framework"]
KEPT = ["history", "add", "7", "--status", "failed", "--log", str(EXAMPLES / "logs" / "user_bug.log")]

PRINTED = {
    "diagnose": ([], ["diagnose", EXAMPLES / "logs", "absent.log"]),
    "track": ([], ["track", EXAMPLES / "logs" / "finetune_running.log", "absent.log", "--gpu"]),
    "extract": ([], ["extract", EXAMPLES / "repo", "--command", "sbatch run.sh"]),
    "advise": ([], ["advise", EXAMPLES / "repo", "--command", "sbatch run.sh"]),
    "classify": ([], ["classify", EXAMPLES / "logs" / "user_bug.log"]),
    "watch": ([], ["watch", "{tmp}/dead.log", "--once", "--since", "60"]),
    "submit": ([], ["submit", "--", "true"]),
    "jobs": ([HANDED_IN], ["jobs"]),
    "why": ([HANDED_IN], ["why", "1"]),
    "actions": ([HANDED_IN], ["actions"]),
    "simulate": ([], ["simulate", "--trace", "{tmp}/trace.csv", "--policy", "fifo"]),
    "report": ([], ["report", "--jobs", "{tmp}/trace.csv", "--policy", ""]),
    "trace-describe": ([], ["trace", "describe", "{tmp}/trace.csv"]),
    "history-import": ([], ["history", "import", "{tmp}/trace.csv"]),
    "history-add": ([], [*KEPT]),
    "history-list": ([KEPT], ["history", "list"]),
    "history-show": ([KEPT], ["history", "show", "7"]),
    "history-stats": ([KEPT], ["history", "stats"]),
    "history-prune": ([KEPT], ["history", "prune", "--status", "failed", "--yes"]),
    "history-reindex": ([KEPT], ["history", "reindex"]),
    "remember-list": ([REMEMBERED], ["remember", "list"]),
    "knowledge-list": ([], ["knowledge", "list"]),
    "knowledge-test": ([], ["knowledge", "test", "{tmp}/our.toml", "--log", "{tmp}/flux.log"]),
    "proposals-list": ([], ["proposals", "list"]),
    "selftest": ([], ["selftest"]),
    "config": ([], ["config"]),
}
"""For each answer what is done before, and what prints it."""

NEEDS_A_LOOP = {"nodes"}
"""Answers of a loop that is up: tests/scheduling/live/test_nodes.py."""
NEEDS_A_CLUSTER = {f"kubernetes-{name}" for name in ("recover", "list", "approve", "reject")}
"""Answers on a cluster of pods: tests/clusters/kubernetes/test_recovery.py."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Prepare a store with an action, a trace whose waits are known, a dead log, a site's entry."""
    monkeypatch.setenv("SCHEDMATE_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "dead.log").write_text(DEATH)
    os.utime(tmp_path / "dead.log", (time.time() - 60,) * 2)
    rows = "".join(f"{n},u,vc,j,{n},{10 + n},1,completed,,,{n + 5},{n + 15 + n}\n" for n in range(20))
    head = "job_id,user,vc,name,submit_s,duration_s,gpus,status,kind,extra,start_s,end_s\n"
    (tmp_path / "trace.csv").write_text(head + rows)
    (tmp_path / "our.toml").write_text(ENTRY)
    (tmp_path / "flux.log").write_text("flux capacitor lost\n")
    (tmp_path / "data" / "knowledge").mkdir(parents=True)
    (tmp_path / "data" / "knowledge" / "our.toml").write_text(ENTRY)
    with closing(LiveStore(tmp_path / "data")) as store:
        action = store.add_action(1, 1, 0, "isolate", "node1", "a fault", "act")
        store.note_action(action, "done", "node1 takes no more jobs", actor="ada")
    ProposalFile(tmp_path / "data").add("cancel", "1", "its loss is nan")
    site_files.cache_clear()  # a process reads its site's knowledge once
    yield tmp_path
    site_files.cache_clear()


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_printed_fits_its_schema(name, folder):
    before, asked = PRINTED[name]
    for words in before:
        CliRunner().invoke(make_app(), words)
    words = [str(word).replace("{tmp}", str(folder)) for word in asked]
    place = words.index("--") if "--" in words else len(words)
    answers = printed(*words[:place], "--json", *words[place:])
    assert answers
    for one in answers:
        adapters()[name][1].validate_json(json.dumps(one))


def test_what_an_assistant_is_answered_fits_its_schema(folder):
    CliRunner().invoke(make_app(), HANDED_IN)
    tools = Tools(Roots((folder,)), folder / "data")
    answers = {
        "list_jobs": tools.list_jobs(),
        "why_job": tools.why_job("1"),
        "failures_summary": tools.failures_summary(),
        "list_actions": tools.list_actions(),
    }
    assert answers["list_actions"]["actions"]
    for name, one in answers.items():
        adapters()[f"mcp-{name}"][1].validate_json(json.dumps(one))


def commands_with_json(command, path=(), above=None):
    """Name the commands that have --json, as `schedmate schema` names their answers."""
    context = click.Context(command, parent=above)
    if hasattr(command, "list_commands"):
        for name in command.list_commands(context):
            yield from commands_with_json(command.get_command(context, name), (*path, name), context)
    elif any("--json" in one.opts for one in command.params):
        yield "-".join(path)


def test_every_answer_has_a_schema_and_every_schema_is_tried():
    own = {name for name in adapters() if not name.startswith("mcp-")}
    assert set(commands_with_json(typer.main.get_command(make_app()))) == own
    assert set(PRINTED) | NEEDS_A_LOOP | NEEDS_A_CLUSTER == own


def test_the_command_lists_and_prints_them():
    listed = CliRunner().invoke(make_app(), ["schema"]).stdout
    assert "diagnose  version 1" in listed
    told = json.loads(CliRunner().invoke(make_app(), ["schema", "diagnose"]).stdout)
    assert told["$id"] == "urn:schedmate:diagnose:1"
    fields = CliRunner().invoke(make_app(), ["schema", "diagnose", "--fields"]).stdout
    assert "evidence[].line  integer: counted from 1\n" in fields
    assert "no answer 'x'" in str(CliRunner().invoke(make_app(), ["schema", "x"]).exception)


@pytest.mark.parametrize("name", ["diagnose", "track", "extract", "advise", "classify"])
def test_the_readers_say_what_each_field_means(name):
    told = schema_of(name)
    gpus_own = {"gpus", "slower"} if name == "track" else set()
    unsaid = {field for field in fields_of(told) if field.partition("[")[0] not in gpus_own} - meanings_of(told).keys()
    assert unsaid <= {"error", "hint"}


if __name__ == "__main__":
    PROMISED.write_text(json.dumps(promises(), indent=1) + "\n", "utf-8")
