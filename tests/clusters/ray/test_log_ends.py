"""What Ray's job server says of jobs that others handed in; the server is a small real one."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from schedmate.clusters.ray.log_ends import RayEnds
from schedmate.errors import InputError


@pytest.fixture
def server():
    class Jobs(BaseHTTPRequestHandler):
        body = b"[]"
        status = 200

        def do_GET(self):
            assert self.path == "/api/jobs/"
            self.send_response(Jobs.status)
            self.end_headers()
            self.wfile.write(Jobs.body)

        def log_message(self, *words):
            pass

    made = ThreadingHTTPServer(("127.0.0.1", 0), Jobs)
    made.jobs = Jobs
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def ask(server, body, status=200):
    server.jobs.body = body if isinstance(body, bytes) else json.dumps(body).encode()
    server.jobs.status = status
    patience_s = 0.5 if isinstance(body, bytes) else 30.0  # for jobs, as long as a busy machine needs
    ends = RayEnds(f"http://127.0.0.1:{server.server_port}", every_s=0.05, first_s=patience_s)
    ends.look([], 0.0)
    return ends


def test_a_log_is_its_jobs_by_its_name(server):
    ends = ask(
        server,
        [
            {"submission_id": "a", "status": "FAILED", "driver_exit_code": 3},
            {"submission_id": "b.log", "status": "SUCCEEDED", "driver_exit_code": 0},
            {"submission_id": "c", "status": "STOPPED", "driver_exit_code": -15},
            {"submission_id": "d", "status": "RUNNING", "driver_exit_code": None},
        ],
    )
    failed = ends.end_of("/x/session_1/logs/job-driver-a.log")
    assert (failed.said, failed.well, failed.is_meant) == ("FAILED 3", False, False)
    assert ends.end_of("job-driver-b.log.log").well
    assert ends.end_of("job-driver-c.log").is_meant
    assert ends.end_of("job-driver-d.log") is None
    assert ends.end_of("a.log") is None
    ends.close()


def test_a_job_that_runs_again_is_not_over(server):
    ends = ask(server, [{"submission_id": "a", "status": "FAILED"}])
    assert ends.end_of("job-driver-a.log") is not None
    server.jobs.body = json.dumps([{"submission_id": "a", "status": "RUNNING"}]).encode()
    while ends.end_of("job-driver-a.log") is not None:
        pass
    ends.close()


def test_a_first_question_that_fails_is_asked_again_before_anything_is_believed(server):
    server.jobs.status = 500
    server.jobs.body = json.dumps([{"submission_id": "a", "status": "FAILED"}]).encode()
    ends = RayEnds(f"http://127.0.0.1:{server.server_port}", first_s=30.0)
    threading.Timer(0.3, lambda: setattr(server.jobs, "status", 200)).start()
    ends.look(["job-driver-a.log"], 0.0)
    assert ends.end_of("job-driver-a.log") is not None
    assert not ends.said
    ends.close()


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[1, null]", b"\xff", b'[{"submission_id": {}}]', b"[" * 100_000, b'[{"submission_id": "a"}]']
)
def test_an_answer_that_is_none_ends_nothing(server, body):
    ends = ask(server, body)
    assert ends.end_of("job-driver-a.log") is None
    ends.close()


def test_a_server_whose_jobs_log_elsewhere_is_told(server):
    ends = ask(server, [{"submission_id": "a", "status": "RUNNING"}])
    ends.look(["/x/slurm-7.out"], 1.0)
    assert "no log here is of a job that Ray's job server knows" in ends.said
    ends.look(["/x/slurm-7.out", "/y/job-driver-a.log"], 2.0)
    assert ends.said == ""
    ends.close()


def test_a_server_that_does_not_answer_is_told(server):
    ends = ask(server, b"", status=500)
    assert "does not answer" in ends.said
    ends.close()
    server.shutdown()


def test_an_address_is_asked_for_by_its_form():
    with pytest.raises(InputError, match="no address of a job server"):
        RayEnds("127.0.0.1:8265")
