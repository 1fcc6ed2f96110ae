"""What a person does through a page is what the commands do: judged by the loop, carried out, and in the trail."""

import re
import sys

BREAKS = """
import os, sys
print("step 1/9 loss 2.0", flush=True)
print("NVRM: Xid (PCI:0000:3b:00): 79, pid=77, GPU has fallen off the bus.", flush=True)
sys.exit("RuntimeError: CUDA error: unspecified launch failure")
"""


def test_an_approval_of_a_page_is_an_approval(make_up, make_web, rules):
    up = make_up("--slots", "gpu=1", "--nodes", "4", "--spares", "1", "--mode", "suggest", "--rules", str(rules))
    web = make_web(up.data_dir, "--allow-actions")
    job = up.submit(BREAKS, user="ada", slots=3)
    up.until(lambda: any(row.event == "proposed" for row in up.store.actions(job=job)))
    visitor = web.visitor()
    first = next(row for row in up.store.actions(job=job) if row.event == "proposed")
    page = visitor.get("/").text
    assert f'id="approve-{first.id}"' in page
    csrf = re.search(r'name="csrf" value="([^"]+)"', page)[1]
    answer = visitor.post("/do/approve", data={"csrf": csrf, "target": first.id, "back": "/actions"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/actions")
    entries = up.store.trail(first.id)
    word = next(entry for entry in entries if entry.event == "approved")
    assert re.fullmatch(r"\S+ via web \(operator, from 127\.0\.0\.1\)", word.actor)
    assert up.store.verify().broken is None
    assert word.actor in visitor.get("/actions").text
    again = visitor.post("/do/approve", data={"csrf": csrf, "target": first.id})
    assert again.status_code == 409
    assert "not proposed" in again.text


def test_jobs_and_nodes_are_heard_of_too(make_up, make_web):
    up = make_up("--slots", "cpu=1", "--nodes", "2")
    web = make_web(up.data_dir, "--allow-actions")
    program = web.program()
    job = up.submit("import time; time.sleep(600)", name="long")
    up.until_state("running", jobs=[job])
    assert "long" in program.get("/").text
    assert 'id="drain-node2"' in program.get("/nodes").text
    assert program.post("/do/drain", data={"target": "node2", "why": "a new fan"}).status_code == 303
    up.until(lambda: "a new fan" in program.get("/").text)
    assert 'id="resume-node2"' in program.get("/nodes?state=drained").text
    assert program.post("/do/drain", data={"target": "node9"}).status_code == 409
    assert program.post("/do/resume", data={"target": "node2"}).status_code == 303
    assert program.post("/do/cancel", data={"target": str(job)}).status_code == 303
    up.until_state("cancelled", jobs=[job])
    assert "via web (operator, from 127.0.0.1)" in up.store.job(job).reason


def test_a_page_that_is_told_by_events(make_up, make_web):
    """Who listens hears of a job that is handed in while he listens."""
    import socket

    up = make_up("--slots", "cpu=1")
    web = make_web(up.data_dir)
    token = web.program("viewer").headers["Authorization"]
    with socket.create_connection(("127.0.0.1", web.port), timeout=120) as line:
        head = f"GET /events HTTP/1.1\r\nHost: {web.host}\r\nAuthorization: {token}\r\n\r\n"
        line.sendall(head.encode())
        heard = b""
        while b"retry:" not in heard:
            heard += line.recv(4096)
        up.submit("print('step 1/1')")
        while b"event: changed" not in heard:
            piece = line.recv(4096)
            assert piece, "the stream has ended"
            heard += piece
    assert b"text/event-stream" in heard


def test_it_ends_with_whoever_started_it(tmp_path):
    """`up --web` keeps a pipe to it: when that is closed, by whatever end, the server goes too."""
    import os
    import subprocess

    environment = {**os.environ, "SCHEDMATE_DATA_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "schedmate", "web", "--port", "0", "--with-input"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert b"http://127.0.0.1:" in process.stdout.readline()
        process.stdin.close()
        assert process.wait(120) == 0
