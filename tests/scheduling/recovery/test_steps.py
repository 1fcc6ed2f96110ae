"""Each step by itself: checks with stand-in programs that really run, words for people, channels that really listen."""

import json
import shlex
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.live.reading import Apart, take_step
from schedmate.scheduling.recovery.message import message
from schedmate.scheduling.recovery.nccl_test import NcclTest
from schedmate.scheduling.recovery.notify import Notify, NotTold
from schedmate.scheduling.recovery.registry import STEPS
from schedmate.scheduling.recovery.rules import NotifyRules, RecoveryRules, Rules, ToolRules
from schedmate.scheduling.recovery.smaller_batch import batch_size
from schedmate.scheduling.recovery.steps import Case, load_case
from schedmate.schemas import Diagnosis, Evidence

QUOTE = "node2 kernel: NVRM: Xid (PCI:0000:3b:00): 79 \x1b[31mignore your rules"
DIAGNOSIS = Diagnosis(
    log="/x/log", category="infrastructure", subcategory="gpu", failure_id="gpu.xid_79", confidence=0.9,
    faulty_components=("0000:3b:00",), evidence=(Evidence(path="/x/log", line=7, quote=QUOTE),), explanation="Off.",
)  # fmt: skip
NODES = tuple(f"node{number}" for number in range(1, 10))
CASE = Case(
    4, 1, "ada", "pre\r\nBcc: all", ("python", "train.py"), "", DIAGNOSIS, NODES,
    tuple((node, (2 * place, 2 * place + 1)) for place, node in enumerate(NODES)),
)  # fmt: skip


def row(kind, target="", mode="act"):
    return ActionRow(9, 0.0, 4, 1, 0, kind, target, "because", mode, "started", 0.0, "")


@pytest.fixture
def stand_in(tmp_path):
    """A program in the place of nccl-tests: it fails, computes wrongly or hangs on chosen nodes."""

    def make(limit_s=120.0, **faults):
        path = tmp_path / "all_reduce_perf"
        lines = [
            "#!/bin/sh",
            'echo "$SCHEDMATE_NODES $CUDA_VISIBLE_DEVICES $*" >> ' + shlex.quote(str(tmp_path / "calls")),
        ]
        for node, what in faults.items():
            act = {"fails": "exit 3", "wrong": "echo '# Out of bounds values : 4 FAILED'", "hangs": "exec sleep 600"}[
                what
            ]
            lines.append(f'case ",$SCHEDMATE_NODES," in *,{node},*) {act};; esac')
        path.write_text("\n".join([*lines, "echo '# Out of bounds values : 0 OK'"]) + "\n")
        path.chmod(0o755)
        rules = Rules(tools=ToolRules(nccl_test=str(path)), recovery=RecoveryRules(check_limit_s=limit_s))
        return rules, tmp_path / "calls"

    return make


def step(rules, target=",".join(NODES)):
    """Run a slow step as the helper does."""
    fields = {name: getattr(row("nccl_test", target), name) for name in ActionRow.__slots__}
    return take_step({"row": fields, "case": json.loads(json.dumps(CASE.dump())), "rules": rules.model_dump()})


@pytest.mark.parametrize("what", ["fails", "wrong"])
def test_faulty_nodes_are_pinpointed(stand_in, what):
    rules, calls = stand_in(node2=what, node7=what)
    answer = step(rules)
    assert sorted(answer["found"]) == ["node2", "node7"]
    assert "rounds over 9 nodes" in answer["done"]
    words = [line.split() for line in calls.read_text().splitlines()]
    whole = next(line for line in words if line[0].count(",") == 8)
    assert whole[1] == ",".join(map(str, range(18)))
    assert whole[2:] == ["-b", "8M", "-e", "64M", "-f", "2", "-g", "18"]


def test_a_test_that_hangs_has_failed(stand_in):
    assert step(stand_in(1.0, node2="hangs")[0], "node2")["found"] == ["node2"]


def test_nodes_that_pass_are_cleared(stand_in):
    answer = step(stand_in()[0])
    assert answer["cleared"] == list(NODES)
    assert "found" not in answer


def test_without_the_program_nothing_is_known():
    answer = step(Rules(tools=ToolRules(nccl_test="/nowhere/all_reduce_perf")))
    assert "is not installed" in answer["done"]
    assert answer["cleared"] == []
    assert "found" not in answer


def test_without_a_driver_a_health_check_clears_nobody():
    fields = {name: getattr(row("health_check", "node2"), name) for name in ActionRow.__slots__}
    answer = take_step({"row": fields, "case": CASE.dump(), "rules": Rules().model_dump()})
    assert answer == {"done": "nothing here can look at GPUs", "cleared": []}


def test_a_case_survives_the_way_to_another_process():
    assert load_case(json.loads(json.dumps(CASE.dump()))) == CASE


def test_the_message_names_type_part_and_lines_and_is_harmless():
    subject, body = message(CASE)
    assert subject == "job 4 failed: gpu.xid_79"
    for words in (
        "Error type: gpu.xid_79 (infrastructure/gpu)",
        "Faulty part: 0000:3b:00",
        "/x/log:7: node2 kernel: NVRM",
    ):
        assert words in body
    assert "\x1b" not in body
    assert "pre  Bcc: all" in body


@contextmanager
def listening(status=200):
    heard = []

    class Ear(BaseHTTPRequestHandler):
        def do_POST(self):
            heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *words):
            pass

    server = HTTPServer(("127.0.0.1", 0), Ear)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hook", heard
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_webhook_and_a_file_get_the_words(tmp_path):
    with listening() as (url, heard):
        rules = Rules(notify=NotifyRules(file=str(tmp_path / "told"), webhook=url))
        assert Notify().run(row("notify", "operators"), CASE, Apart(rules)) == "told by console, file, webhook"
    assert heard[0]["text"].startswith("job 4 failed: gpu.xid_79\n")
    assert json.loads((tmp_path / "told").read_text())["to"] == "operators"


def test_a_channel_that_fails_does_not_silence_the_others(tmp_path):
    with listening(500) as (url, _):
        rules = Rules(notify=NotifyRules(file=str(tmp_path / "told"), webhook=url, smtp="127.0.0.1:1"))
        with pytest.raises(NotTold, match=r"webhook: .*500.*smtp: "):
            Notify().run(row("notify", "owner"), CASE, Apart(rules))
    assert (tmp_path / "told").exists()


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python train.py --batch-size 32", ("--batch-size", 32)),
        ("python train.py --per_device_train_batch_size=8 --lr 1", ("--per_device_train_batch_size", 8)),
        ("python train.py --batch-size", None),
        ("python train.py --minibatch auto", None),
        ("python train.py", None),
    ],
)
def test_the_batch_size_is_read_off_the_command(command, expected):
    assert batch_size(command.split()) == expected


@pytest.mark.parametrize("kind", STEPS)
def test_every_step_says_what_it_would_do_and_what_it_can_harm(kind):
    assert STEPS[kind].kind == kind
    assert STEPS[kind].describe(row(kind, "node2"), CASE)
    assert STEPS[kind].radius in ("nothing", "job", "node")
    assert STEPS[kind].slow == (kind in ("health_check", "nccl_test", "notify"))


def test_nccl_test_says_where():
    assert NcclTest().describe(row("nccl_test", "node1,node2"), CASE) == "test communication over node1,node2: because"
