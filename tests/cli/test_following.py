"""`schedmate track --follow` as a process, and its page for Prometheus."""

import json
import re
import socket
import subprocess
import sys
import urllib.request

import pytest

from schedmate.cli.exposition import exposition, serve
from schedmate.errors import InputError
from schedmate.schemas import GpuSample, Metrics

SAMPLE = re.compile(r'^schedmate_[a-z_]+\{[a-z]+="(?:[^"\\]|\\.)*"(?:,[a-z]+="[a-z]+")?\} [-+.e\d]+$')


def test_follow_prints_a_line_when_a_log_moves(tmp_path):
    path = tmp_path / "job.log"
    path.write_text("".join(f"step {step}/90 loss 0.5 0.250 s/it\n" for step in range(1, 20)))
    command = [sys.executable, "-m", "schedmate", "track", "--follow", "--json", "--interval", "0.05", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            first = json.loads(process.stdout.readline())
            with path.open("a") as log:
                log.write("step 20/90 loss 0.4 0.250 s/it\n")
            second = json.loads(process.stdout.readline())
        finally:
            process.terminate()
    assert (first["step"], second["step"]) == (19, 20)
    assert second["slower"] == ""


def test_exposition_is_what_prometheus_reads():
    answers = [Metrics(log='a"b\\c.log', step_time_s=0.5, loss=1e-7, step=3, phase="train"), Metrics(log="empty.log")]
    text = exposition(answers, [1.6, None], [GpuSample(index=0, utilization=0.5)])
    lines = text.splitlines()
    assert all(SAMPLE.match(line) or line.startswith(("# HELP ", "# TYPE ")) for line in lines)
    assert r'schedmate_step_time_seconds{log="a\"b\\c.log"} 0.5' in lines
    assert 'schedmate_gpu_utilization_ratio{gpu="0"} 0.5' in lines
    assert not any("eta_seconds" in line for line in lines), "what is not known has no line"


@pytest.mark.parametrize(
    "name", ["a\udcff.log", "a\x1b[2J.log", 'a"b\\.log', "a\nb.log", "=cmd.log", "a\u2028b.log", ""]
)
def test_one_odd_name_of_a_log_does_not_end_the_page(name):
    """Served as a whole, with the other logs' lines, and each line is one that Prometheus reads."""
    answers = [Metrics(log=name, step=3, loss=float("inf")), Metrics(log="fine.log", step=4)]
    server = serve("127.0.0.1:0", lambda: exposition(answers, [None, None]))
    try:
        address = f"http://127.0.0.1:{server.server_address[1]}/metrics"
        with urllib.request.urlopen(address, timeout=60) as answer:
            lines = answer.read().decode("utf-8").splitlines()
    finally:
        server.shutdown()
        server.server_close()
    assert 'schedmate_step{log="fine.log"} 4.0' in lines
    finite = [line for line in lines if not line.startswith("#") and not line.endswith(" inf")]
    assert all(SAMPLE.match(line) for line in finite)
    assert len({line.partition("}")[0] for line in finite}) == len(finite), "no figure twice"


def test_the_page_is_served():
    server = serve("127.0.0.1:0", lambda: "schedmate_step 1\n")
    try:
        address = f"http://127.0.0.1:{server.server_address[1]}"
        with urllib.request.urlopen(f"{address}/metrics", timeout=60) as answer:
            assert answer.read() == b"schedmate_step 1\n"
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(f"{address}/etc/passwd", timeout=60)
    finally:
        server.shutdown()
        server.server_close()


def test_a_port_that_cannot_be_had_is_said():
    with pytest.raises(InputError, match="no port"):
        serve("http", lambda: "")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match="cannot listen"):
            serve(str(taken.getsockname()[1]), lambda: "")
