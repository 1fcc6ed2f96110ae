"""Who keeps the server waiting is sent away, and who listens on the line hears nothing: TLS."""

import asyncio
import shutil
import socket
import ssl
import subprocess
import sys

import pytest

from schedmate.history.live import LiveStore
from schedmate.web import guard, serving
from schedmate.web.people import Person
from schedmate.web.site import Site
from tests.web.web_process import TOKENS, Web


@pytest.fixture
def played(tmp_path):
    """Let a story be told beside a server in this process; give what tells it."""

    def play(story):
        sock, site = serving.bind(Site(tmp_path / "data", [Person("viewer", "viewer", TOKENS["viewer"])]))

        async def both():
            server = serving.server_of(site)
            serves = asyncio.ensure_future(server.serve([sock]))
            while not server.started:
                await asyncio.sleep(0.01)
            await asyncio.wait_for(story(server, site), 120)
            server.should_exit = True
            await serves

        asyncio.run(both())
        sock.close()

    return play


def test_a_client_that_only_waits_is_sent_away(monkeypatch, played):
    """The limit is short here; what is waited for is the end of the connection."""
    monkeypatch.setattr(serving, "HEAD_S", 0.3)

    async def story(server, site):
        for words in (b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "):
            reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
            writer.write(words)
            assert await reader.read(100) == b""
            writer.close()

    played(story)


def test_a_body_of_which_nothing_comes_is_not_waited_for(monkeypatch, played):
    monkeypatch.setattr(guard, "READ_S", 0.3)

    async def story(server, site):
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        who = f"Host: 127.0.0.1:{site.port}\r\nAuthorization: Bearer {TOKENS['viewer']}"
        writer.write(f"POST /api/v1/diagnose HTTP/1.1\r\n{who}\r\nContent-Length: 20\r\n\r\n{{".encode())
        first = await reader.readline()
        writer.close()
        await writer.wait_closed()
        assert b" 408 " in first

    played(story)


@pytest.mark.parametrize("closes", [False, True])
def test_a_client_that_takes_no_answer_is_sent_away(monkeypatch, played, closes):
    """It asks and reads nothing: on a line that is full, or that is closed while an answer still waits in it."""
    monkeypatch.setattr(serving, "TAKE_S", 0.3)

    async def story(server, site):
        ask = f"GET /static/site.css HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n".encode()
        state = server.server_state
        with socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", site.port))
            if closes:
                while not any(each.transport.get_write_buffer_size() for each in state.connections):
                    before = state.total_requests
                    line.sendall(ask + b"\r\n")
                    while state.total_requests == before or state.tasks:
                        await asyncio.sleep(0.01)
                line.sendall(ask + b"Connection: close\r\n\r\n")
            else:
                line.sendall((ask + b"\r\n") * 400)
                while not state.connections:
                    await asyncio.sleep(0.01)
            while state.connections or state.tasks:
                await asyncio.sleep(0.01)

    played(story)


def test_other_machines_reach_it_only_with_leave(tmp_path):
    """On all addresses it answers to its machine's name and to the address that was dialled, and to no other name."""
    command = [sys.executable, "-m", "schedmate", "web", "--host", "0.0.0.0", "--port", "0"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (told.returncode, "token=" in told.stdout) == (2, False)
    assert "--insecure" in told.stderr
    LiveStore(tmp_path / "data").close()
    web = Web(tmp_path, tmp_path / "data", "--host", "0.0.0.0", "--insecure")
    try:
        assert web.host == f"{socket.gethostname().lower()}:{web.port}"
        for host in (web.host, f"127.0.0.1:{web.port}"):
            assert web.program("viewer").get("/", {"Host": host}).status_code == 200
        for host in ("evil.example.org", f"evil.example.org:{web.port}", f"10.1.2.3:{web.port}"):
            assert web.program("viewer").get("/", {"Host": host}).status_code == 421
    finally:
        web.close()


@pytest.fixture
def certified(tmp_path):
    """Give a certificate and its key, made for this test."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here to make a certificate with")
    certificate, key = tmp_path / "web.pem", tmp_path / "web.key"
    words = ["-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2"]
    words += ["-subj", "/CN=web", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = ["openssl", "req", *words, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(made, check=True, capture_output=True)
    return certificate, key


def test_with_a_certificate_all_is_said_over_tls(tmp_path, certified):
    LiveStore(tmp_path / "data").close()
    certificate, key = certified
    web = Web(tmp_path, tmp_path / "data", "--certificate", str(certificate), "--key", str(key))
    try:
        assert web.address.startswith("https://")
        web.trusted = ssl.create_default_context(cafile=certificate)
        answer = web.stranger().get(f"/?token={TOKENS['viewer']}")
        assert answer.status_code == 303
        assert "; Secure" in answer.headers["set-cookie"]
        visitor = web.visitor("viewer")
        assert visitor.get("/").status_code == 200
        assert web.program("viewer").get("/metrics").status_code == 200
        origin = {"Origin": f"http://127.0.0.1:{web.port}"}
        assert visitor.post("/sign-out", headers=origin).status_code == 403, "a form of a page without TLS is not ours"
        with socket.create_connection(("127.0.0.1", web.port), timeout=60) as line:
            line.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\n\r\n".encode())
            assert not line.recv(100).startswith(b"HTTP"), "nothing is said without TLS"
        assert visitor.get("/").status_code == 200
        assert "Traceback" not in web.said()
    finally:
        web.close()


@pytest.mark.parametrize("which", ["missing", "exchanged", "odd", "half"])
def test_a_certificate_that_cannot_be_used_is_named_before_any_address(tmp_path, certified, which):
    certificate, key = certified
    odd = tmp_path / "odd.pem"
    odd.write_bytes(b"\x00\xff" * 1000)
    pairs = {
        "missing": (tmp_path / "nothing.pem", key),
        "exchanged": (key, certificate),
        "odd": (odd, key),
        "half": (certificate, odd),
    }
    first, second = pairs[which]
    command = [sys.executable, "-m", "schedmate", "web", "--port", "0", "--certificate", str(first), "--key"]
    told = subprocess.run([*command, str(second)], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "cannot be used for TLS" in told.stderr
    assert "Traceback" not in told.stderr
    assert "token=" not in told.stdout
