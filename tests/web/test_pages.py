"""Each page with much, little and nothing to show."""

import json
import re
import time
from html import unescape

import pytest

from schedmate.history.jobs import add_jobs
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.recovery.cluster_actions import BREAKER, OPEN_BREAKER
from schedmate.schemas import Job, PastJob, Workload
from schedmate.web.charts import bars, line_chart, time_line
from schedmate.web.curve import Curves
from schedmate.web.log_page import LINES, WINDOW, log_page
from tests.web.web_process import PATIENCE_S

PATHS = ("/", "/jobs", "/nodes", "/failures", "/actions", "/history", "/what-if", "/diagnose")


def csrf_of(text):
    return re.search(r'name="csrf" value="([^"]*)"', text)[1]


def texts(page):
    return unescape(re.sub(r"<[^>]+>", " ", page))


@pytest.fixture
def store(tmp_path):
    made = LiveStore(tmp_path / "data")
    yield made
    made.close()


def test_pages_of_an_empty_store_say_that_it_is(make_web, store, tmp_path):
    program = make_web(None, "--root", str(tmp_path)).program("viewer")
    for path in PATHS:
        answer = program.get(path)
        assert answer.status_code == 200, path
        assert "Traceback" not in answer.text
        assert path == "/diagnose" or 'class="empty"' in answer.text, f"{path} says nothing of being empty"
    for path in ("/jobs/1", "/jobs/x/log", "/actions/9", "/history/job?job=a/b", "/history/job", "/what-if/x", "/no"):
        answer = program.get(path)
        assert answer.status_code == 404, path
        assert "<h1>" in answer.text


def test_a_log_is_read_in_pieces_of_any_size(tmp_path):
    path = tmp_path / "log"
    rows = [f"line {number} of many" for number in range(1, 5001)]
    rows[2499] = "x" * (1 << 20)
    rows[2500] = "\x1b[31mred\x1b[0m\u202e token=hf_abcdefghijklmnopqrstuvwxyz0123456789"
    rows[2501] = "10%\r50%\r100%"
    path.write_text("\n".join(rows) + "\n")
    at, seen = 0, []
    while at is not None:
        page = log_page(path, at)
        assert len(page.lines) <= LINES
        seen += page.lines
        at = page.on
    numbers = [line.number for line in seen]
    assert numbers[0] == 1
    assert set(range(1, 5001)) <= set(numbers)
    assert all(len(line.text) < 3000 for line in seen)
    by_number = {line.number: line.text for line in seen}
    assert by_number[2501].startswith("red\\u202e token=")
    assert "hf_abc" not in by_number[2501]
    assert by_number[2502] == "100%"
    around = log_page(path, line=4000)
    assert 4000 in [line.number for line in around.lines]
    assert log_page(path).lines[-1].text == "line 5000 of many"
    back = log_page(path, log_page(path).back)
    assert back.lines[-1].number < 5000
    (tmp_path / "one").write_bytes(b"y" * (3 * WINDOW))
    at, pieces = 0, 0
    while at is not None:
        at, pieces = log_page(tmp_path / "one", at).on, pieces + 1
    assert pieces == 3, "a line without end is gone through too"
    (tmp_path / "none").write_bytes(b"")
    assert log_page(tmp_path / "none").lines == []


def test_a_curve_grows_with_its_log(tmp_path):
    path, curves = tmp_path / "log", Curves()
    assert curves.of(path) == ([], [], 0)
    path.write_text("".join(f"step {number}/1000 loss {100 / (number + 1):.4f}\n" for number in range(500)))
    loss, _, skipped = curves.of(path)
    assert skipped == 0
    assert (loss[0][0], loss[-1]) == (0.0, (499.0, 0.2))
    with path.open("a") as file:
        file.write("".join(f"step {number}/1000 loss 0.1\n" for number in range(500, 510)))
    assert curves.of(path)[0][-1] == (509.0, 0.1)
    path.write_text("step 1/9 loss 5.0\nstep 2/9 loss 4.0\n")
    assert [step for step, _ in curves.of(path)[0]] == [1.0, 2.0], "a log that was written anew is read anew"


def test_charts_hold_what_is_odd():
    nan = float("nan")
    assert line_chart([], "loss", "step") == ""
    assert line_chart([(1, nan), (2, float("inf"))], "loss", "step") == ""
    assert "polyline" in line_chart([(1, 2.0), (2, 2.0)], "loss", "step")
    assert "polyline" in line_chart([(1, 1e-9), (2, 1e9)], "loss", "step")
    for drawn in (bars([("<b>", 3.0, "<i>\u202e")], "<x>"), time_line([], 0, 1, ("<a>", "b"))):
        assert "<b>" not in drawn
        assert "<i>" not in drawn
        assert "<x>" not in drawn
        assert "\u202e" not in drawn


def test_weeks_are_columns_of_what_failed(make_web, store):
    """A week without failures is a gap, no page writes a class that it does not know, and API and page agree."""
    now_s = time.time()
    for place, (weeks_ago, failure) in enumerate([(0, "gpu.xid_79"), (3, "python.key_error"), (3, ""), (3, "odd")]):
        ended_s = now_s - weeks_ago * 7 * 86400
        job = store.submit(Submission(("x",), "/", {}, user="ada", slots=2), f"{place}", ended_s - 60)
        store.open_run(job, "gpu", (("node1", 3),), None, ended_s - 50)
        store.update_run(job, 1, began_s=ended_s - 50, ended_s=ended_s, outcome="failed", failure=failure, ran_s=50.0)
    program = make_web().program("viewer")
    page = program.get("/failures?days=90").text
    chart = page[page.index("<svg") : page.index("</svg>")]
    assert len(re.findall('<rect class="part', chart)) == 4
    assert {*re.findall('class="part ([a-z_]+)"', chart)} == {"infrastructure", "script", "not_diagnosed", "other"}
    by_week = json.loads(program.get("/api/v1/failures?days=90").text)["by_week"]
    assert [sum(counts.values()) for _, counts in by_week] == [3, 0, 0, 1]


def test_what_another_version_wrote_is_said_to_be_there(make_web, store):
    job = store.submit(Submission(("x",), "/", {}, name="old", user="ada"), "t", time.time())
    store.update(job, diagnosis='{"category": "of tomorrow"}', workload="[]", estimate='{"source": "of tomorrow"}')
    page = make_web().program("viewer").get(f"/jobs/{job}")
    assert page.status_code == 200
    for noun in ("diagnosis", "workload", "estimate"):
        assert f"its {noun} was written by another version" in page.text


def test_actions_have_pages_and_an_open_breaker_is_named(make_web, store):
    job = store.submit(Submission(("x",), "/", {}, user="ada"), "t", time.time())
    for number in range(103):
        store.note_action(store.add_action(job, 1, number, "notify", "", f"reason {number}", "act"), "done", "told")
    program = make_web().program("viewer")
    first, second = program.get("/actions").text, program.get("/actions?page=2").text
    assert ("reason 102<" in first, "reason 2<" in first, "reason 2<" in second) == (True, False, True)
    assert len(json.loads(program.get("/api/v1/actions?page=2").text)["actions"]) == 3
    assert OPEN_BREAKER not in program.get("/").text
    refused = store.add_action(job, 2, 0, "isolate", "node1", "Xid 79", "act")
    store.note_action(refused, "refused", f"{OPEN_BREAKER}: 2 of 9 nodes were isolated lately, 2 may be")
    reader = make_web().program("viewer")
    for path in ("/", "/actions", "/api/v1/actions"):
        assert OPEN_BREAKER in reader.get(path).text, path
    store.set_fact(BREAKER, f"{time.time() + 1}")
    assert OPEN_BREAKER not in json.loads(make_web().program("viewer").get("/api/v1/actions").text)["breaker"]


def test_all_nodes_are_found_by_pages_and_by_name(make_web, store):
    for number in range(1, 201):
        job = store.submit(Submission(("x",), "/", {}, user="ada"), f"{number}", time.time())
        store.open_run(job, "gpu", ((f"gpu-{number:03d}", 3),), None, time.time())
        store.update(job, state="running")
    program = make_web().program("viewer")
    shown = [{*re.findall(r"gpu-\d+", program.get(f"/nodes?page={page}").text)} for page in (1, 2, 3)]
    assert [len(names) for names in shown] == [96, 96, 8]
    assert len(set.union(*shown)) == 200
    assert "gpu-200" in program.get("/nodes?text=-200").text
    assert 'class="empty"' in program.get("/nodes?text=none").text
    assert 'href="/nodes"' in program.get("/").text


def past(number, **words):
    job = Job(
        job_id=f"p{number}", user=f"user{number % 3}", name=f"train-{number}", command="python train.py --lr 0.1",
        gpus=2, status="completed" if number % 4 else "failed", submit_s=time.time() - 86400 + 60 * number,
        start_s=time.time() - 86000 + 60 * number, end_s=time.time() - 84000 + 60 * number,
    )  # fmt: skip
    return PastJob(job=job, source="sacct", **words)


def test_the_past_is_searched_and_compared(make_web, store):
    jobs = [past(number) for number in range(1, 121)]
    jobs[5] = past(6, workload=Workload(model_name="<b>gpt2</b>", batch_size=8))
    jobs[6] = past(7, workload=Workload(model_name="<b>gpt2</b>", batch_size=16))
    add_jobs(store.connection, jobs)
    program = make_web().program("viewer")
    first = program.get("/history").text
    assert "120 jobs, 1 to 50" in texts(first)
    assert "120 jobs, 101 to 120" in texts(program.get("/history?page=3").text)
    assert "30 jobs" in texts(program.get("/history?status=failed").text)
    assert "train-77" in program.get("/history?name=N-77").text
    one = program.get("/history/job?job=sacct/p6").text
    assert "&lt;b&gt;gpt2" in one
    both = program.get("/history/compare?job=sacct/p6&job=sacct/p7").text
    differing = re.findall(r'<tr class="differs"><th scope="row">([^<]+?) ?<span', both)
    assert "batch size" in differing
    assert "model name" not in differing


def test_other_policies_are_tried_on_the_past(make_web, store):
    add_jobs(store.connection, [past(number) for number in range(1, 61)])
    visitor = make_web().visitor("viewer")
    csrf = csrf_of(visitor.get("/what-if").text)
    assert visitor.post("/what-if", data={"policy": "fifo", "days": "9"}).status_code == 403
    assert visitor.post("/what-if", data={"csrf": csrf, "days": "9"}).status_code == 404
    begun = visitor.post("/what-if", data={"csrf": csrf, "policy": "sjf", "days": "9", "nodes": "1x4:a100"})
    assert begun.status_code == 303
    limit_s = time.monotonic() + PATIENCE_S
    while "data-eager" in (page := visitor.get(begun.headers["location"]).text):
        assert time.monotonic() < limit_s
        time.sleep(0.05)
    assert "60 jobs of 9 days, on 1x4:a100" in texts(page)
    assert "<svg" in page
    assert re.search(r"<td>sjf</td><td class=\"n\">[\d.]+ (h|min|s)</td>", page)
    bad = visitor.post("/what-if", data={"csrf": csrf, "policy": "fifo", "nodes": "many", "days": "9"})
    while "data-eager" in (page := visitor.get(bad.headers["location"]).text):
        assert time.monotonic() < limit_s
        time.sleep(0.05)
    assert 'class="notice"' in page


def test_a_log_is_diagnosed_by_name_or_as_it_is_sent(make_web, store, tmp_path):
    log = "step 1/9 loss 2.0\nTraceback (most recent call last):\n  File \"t.py\", line 3, in <m>\nKeyError: '<lr>'\n"
    (tmp_path / "dead.log").write_text(log)
    visitor = make_web(None, "--root", str(tmp_path)).visitor("viewer")
    csrf = csrf_of(visitor.get("/diagnose").text)

    def send(**fields):
        parts = [f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}' for name, value in fields.items()]
        parts = [part.replace('name="file"', 'name="file"; filename="<x>.log"') for part in parts]
        body = "".join(f"--edge\r\n{part}\r\n" for part in parts) + "--edge--\r\n"
        headers = {"Content-Type": "multipart/form-data; boundary=edge"}
        return visitor.post("/diagnose", headers, content=body.encode())

    for fields in ({"path": "dead.log"}, {"path": "", "file": log}):
        answer = send(csrf=csrf, **fields)
        assert answer.status_code == 200
        assert "python.key_error" in answer.text
        assert "&lt;lr&gt;" in answer.text
        assert "<lr>" not in answer.text
        assert "<x>.log" not in answer.text
    assert send(path="dead.log").status_code == 403
    assert send(csrf=csrf).status_code == 404
    assert send(csrf=csrf, path="/etc/passwd").status_code == 404


def test_a_job_with_all_that_is_known_of_it(make_web, store, tmp_path):
    log = tmp_path / "log"
    log.write_text("".join(f"step {n}/50 loss {9 / (n + 1):.3f}\n" for n in range(40)) + "KeyError: '<b>lr'\n")
    job = store.submit(Submission(("train", "<b>"), "/w", {}, name="<b>bold</b>", user="ada"), "t", time.time() - 900)
    store.open_run(job, "gpu", (("node<1>", 3),), None, time.time() - 600, str(log))
    store.update_run(job, 1, began_s=time.time() - 600, ended_s=time.time() - 60, outcome="failed", code=1,
                     failure="python.key_error", ran_s=540.0,
                     gpu_load=json.dumps([[time.time() - 600 + 5 * n, n / 100] for n in range(100)]))  # fmt: skip
    evidence = {"path": "src/train.py", "line": 3, "quote": "x = '<b>'", "note": "your code"}
    diagnosis = {"category": "script", "failure_id": "python.key_error", "root_line": 41, "root_path": str(log),
                 "root_excerpt": "KeyError", "confidence": 0.9,
                 "evidence": [evidence, {"path": str(log), "line": 41, "quote": "KeyError"}]}  # fmt: skip
    workload = {"model_name": "gpt2<b>", "evidence": {"model_name": [evidence]}}
    similar = {"job_id": "<b>7", "similarity": 0.9, "duration_s": 60.0, "agrees": ["model_name"]}
    estimate = {"duration_p50_s": 100.0, "source": "similar", "similar": [similar]}
    store.update(job, state="failed", end_s=time.time() - 60, diagnosis=json.dumps(diagnosis),
                 workload=json.dumps(workload), estimate=json.dumps(estimate))  # fmt: skip
    program = make_web().program("viewer")
    page = program.get(f"/jobs/{job}").text
    assert "<b>bold" not in page
    assert "node<1>" not in page
    shown = texts(page)
    assert "src/train.py:3" in shown
    assert "KeyError: '<b>lr'" in shown
    assert "as similar jobs did" in shown
    assert page.count("<svg") == 3, "the loss, the GPUs' load, and the runs"
    assert "GPU load in % from 0 to 99" in page
    assert f'href="/jobs/{job}/log?run=1&amp;line=41#L41">{tmp_path.name}/log:41</a>' in page, "and on to each quote"
    marked = program.get(f"/jobs/{job}/log?line=41").text
    assert re.search(r'<tr id="L41" class="marked">', marked)
    log.unlink()
    assert program.get(f"/jobs/{job}").status_code == 200
    assert program.get(f"/jobs/{job}/log").status_code == 404
