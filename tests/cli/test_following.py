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
