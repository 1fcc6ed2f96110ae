"""A model server that accepts and never answers: the loop goes on with what is known, and reads without it."""

import json
import socketserver
import threading

import pytest

from schedmate.scheduling.live.timings import FACT, remembered

QUICK = "print('step 1/1')"
STRANGE = "print('step 3/9 loss 1.0')\nprint('the flux capacitor is out of phase')\nraise SystemExit(7)"


class Silence(socketserver.BaseRequestHandler):
    """Takes a request in and keeps it."""

    def handle(self):
        self.server.closing.wait()


@pytest.fixture
def silent_server():
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Silence) as server:
        server.daemon_threads = True
        server.closing = threading.Event()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.closing.set()
        server.shutdown()
        thread.join()


def test_the_loop_goes_on_and_reads_without_it(make_up, silent_server, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text("[reading]\nmodel_limit_s = 12.0\n")
    url = f"http://127.0.0.1:{silent_server.server_address[1]}/v1"
    up = make_up("--slots", "cpu=1", "--mode", "act", "--rules", str(rules), SCHEDMATE_LLM_URL=url)
    odd = up.submit(STRANGE)
    up.until_state("examined", "held", "failed", jobs=[odd])
    quick = up.submit(QUICK)
    up.until_state("completed", jobs=[quick])
    up.until_state("held", "failed", jobs=[odd])
    up.until(lambda: "the model is not asked for 10 min" in up.said())
    diagnosis = json.loads(up.store.job(odd).diagnosis)
    assert diagnosis["engine"] == "built-in"
    assert diagnosis["explanation"]
    up.until(lambda: up.store.job(odd).estimate)
    later = up.submit(STRANGE, "again")
    up.until_state("held", "failed", jobs=[later])
    up.until(lambda: remembered(up.store.fact(FACT)).calls.told())
    lost = remembered(up.store.fact(FACT)).calls.told()
    assert {reason for count in lost for reason in count["failed"]} == {"lost"}, "whoever monitors is told too"
    assert up.said().count("the model is not asked") == 1, "the next readings lose no time to it"
