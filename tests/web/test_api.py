"""The API as a program meets it: through a client made of its own description, every answer held to its schema."""

import json
import os
import subprocess
import sys
import time

import pytest

pytest.importorskip("jsonschema", reason="the test tools are not installed")

from schedmate import answers
from schedmate.history.jobs import add_job
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.schemas import Job, PastJob
from tests.hostile_log import LOG, SECRET
from tests.web.api_client import ApiClient
from tests.web.web_process import PATIENCE_S


@pytest.fixture
def site(tmp_path):
    """A folder that may be read, one that may not, a store with a job that died."""
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "dead.log").write_text(LOG)
    (tmp_path / "private.log").write_text(LOG)
    (logs / "link.log").symlink_to(tmp_path / "private.log")
    (logs / "train.py").write_text("import torch\nopt = torch.optim.AdamW([], lr=3e-4)\n")
    store = LiveStore(tmp_path / "data")
    store.submit(Submission(("train", "--token", SECRET), "/", {"HF_TOKEN": SECRET}, name="llm", user="ada"), "t", 1.0)
    store.open_run(1, "gpu", (("node1", 3),), None, 2.0, str(logs / "dead.log"))
    store.update_run(1, 1, began_s=2.0, ended_s=8.0, outcome="failed", code=1, failure="python.index_error", ran_s=6.0)
    store.update(1, state="failed", end_s=8.0)
    action = store.add_action(1, 1, 0, "hold", "the job", "its own code", "suggest")
    store.note_action(action, "proposed", "hold job 1")
    began_s = time.time() - 3600.0
    done = Job(
        job_id="p7", user="ada", submit_s=began_s, start_s=began_s, end_s=began_s + 60.0, status="completed", gpus=1
    )
    add_job(store.connection, PastJob(job=done, source="import"))
    store.close()
    return tmp_path


def printed(site, *words):
    """Give what a command prints with --json."""
    environment = {**os.environ, "SCHEDMATE_DATA_DIR": str(site / "data"), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "schedmate", *words, "--json"]
    return json.loads(subprocess.run(command, env=environment, capture_output=True, check=True).stdout.splitlines()[0])


def test_every_question_answers_as_described(make_web, site):
    api = ApiClient(make_web(site / "data", "--root", str(site / "logs")).program("viewer"))
    assert api.description["openapi"].startswith("3.1")
    now = api.now()
    assert (now["is_up"], now["counts"], now["waits_for_a_person"]) == (False, {"failed": 1}, [1])
    assert [one["name"] for one in api.jobs(state="failed", user="ada", text="LL", page=7, size=5)["jobs"]] == ["llm"]
    assert api.jobs(state="running")["total"] == 0
    assert api.why(job=1)["state"] == "failed"
    log = api.log(job=1, line=5)
    assert [number for number, _ in log["lines"]] == list(range(1, 8))
    assert log["lines"][6][1] == "IndexError: list index out of range"
    curve = api.curve(job=1)
    assert (curve["run"], curve["gpu_load"], curve["skipped_bytes"]) == (1, [], 0)
    assert [step for step, _ in curve["loss"]] == [1.0, 2.0]
    failures = api.failures(days=3650)
    assert failures["total"] == 0, "the run ended in 1970"
    [action] = api.actions(job=1)["actions"]
    assert (action["kind"], action["answers"]) == ("hold", ["approve", "reject"])
    dead = api.diagnose(path="dead.log", exited="1")
    assert (dead["failure_id"], dead["root_line"]) == ("python.index_error", 7)
    assert api.track(path="dead.log")["step"] == 2
    assert api.classify(path="dead.log")["lines"] == 7
    assert api.extract(path=".", command="python train.py")["files_read"] == ["train.py"]
    assert api.advise(path=".", command="python train.py")["source"] == "fallback"
    past = api.history(user="ada", ended="completed", page=1)
    assert (past["total"], [one["job"]["job_id"] for one in past["jobs"]]) == (1, ["p7"])
    assert api.past_job(id="p7", source="import") == past["jobs"][0]
    assert api.past_job(status=404, id="p8")["error"]
    study = api.begin_study(policies="fifo, sjf", days=3)
    limit_s = time.monotonic() + PATIENCE_S
    while not study["is_over"]:
        assert time.monotonic() < limit_s
        study = api.study(study=study["number"])
        time.sleep(0.1)
    assert (study["trouble"], [one["policy"] for one in study["summaries"]]) == ("", ["fifo", "sjf"])
    assert api.begin_study(status=404, policies="none")["error"]
    sent = api.diagnose_upload(body=LOG.encode())
    assert (sent["failure_id"], sent["log"]) == ("python.index_error", "upload")
    assert api.track_upload(body=LOG.encode())["step"] == 2


def test_answers_are_those_of_the_commands(make_web, site):
    """The same types, and but for what is masked and timed, the same values."""
    web = make_web(site / "data", "--root", str(site / "logs"))
    api = ApiClient(web.program("viewer"))
    for mine, command in ((api.job(job=1), ("jobs", "--all")), (api.why(job=1), ("why", "1"))):
        theirs = printed(site, *command)
        assert mine.keys() == theirs.keys()
        assert {name: value for name, value in mine.items() if name != "command"} == {
            name: value for name, value in theirs.items() if name != "command"
        }
    mine, theirs = api.diagnose(path="dead.log"), printed(site, "diagnose", str(site / "logs" / "dead.log"))
    assert mine["evidence"][0] == theirs["evidence"][0]
    assert {**mine, "elapsed_s": 0, "evidence": 0} == {**theirs, "elapsed_s": 0, "evidence": 0}
    for name in ("diagnose", "track", "extract", "jobs", "why"):
        assert answers.adapters()[name][0] == 1, "a new version of an answer is a new version of the API"


def test_secrets_and_what_is_outside_stay_where_they_are(make_web, site):
    web = make_web(site / "data", "--root", str(site / "logs"))
    api = ApiClient(web.program("viewer"))
    for told in (api.job(job=1), api.log(job=1), api.diagnose(path="dead.log"), api.diagnose_upload(body=LOG.encode())):
        assert SECRET not in json.dumps(told)
        assert "\x1b" not in json.dumps(told, ensure_ascii=False)
    assert SECRET not in web.program("viewer").get("/jobs/1").text
    assert SECRET not in web.program("viewer").get("/jobs/1/log").text
    for path in ("/etc/passwd", "../private.log", "link.log", "no.log", "a\0b", "-", "--help"):
        assert api.diagnose(status=404, path=path)["error"]
    assert not list(site.glob("schedmate-upload-*"))


def test_what_is_no_question_is_answered_in_words(make_web, site):
    web = make_web(site / "data")
    program = web.program("viewer")
    api = ApiClient(program)
    assert "without --root" in api.diagnose(status=404, path="dead.log")["hint"]
    assert api.why(status=404, job="no such job")["error"]
    assert api.jobs(status=404, page="many")["error"]
    assert api.jobs(status=404, size="1e99")["error"]
    assert api.diagnose(status=404)["error"]
    assert api.diagnose_upload(status=404, body=b"")["error"]
    assert api.act(status=403, verb="approve", target="1")["error"]
    for body in (b"[1]", b"{", b"\xff", b'"x"', b"[" * 5000):
        assert program.post("/api/v1/diagnose", content=body).status_code == 404
    assert program.post("/api/v1/diagnose/upload", {"Content-Length": str(10**12)}).status_code == 413
    assert web.stranger().get("/api/v1/now").status_code == 401
    assert web.stranger().get("/api/v1/openapi.json").status_code == 401
    visitor = web.visitor("viewer")
    assert visitor.post("/api/v1/diagnose", content=b'{"path": "x"}').status_code == 403, "a form of another site"
    assert "Traceback" not in web.said()
