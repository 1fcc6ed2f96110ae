"""`schedmate web` as a process, asked as a browser or a program asks it."""

import json
import os
import re
import subprocess
import sys
import time
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlencode

PATIENCE_S = 120.0
TOKENS = {"viewer": "viewer-token-for-tests", "operator": "operator-token-for-tests"}


class Answer:
    """What came back, the whole of it."""

    def __init__(self, answer):
        self.status_code = answer.status
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        self.content = answer.read()

    @property
    def text(self):
        return self.content.decode()

    def json(self):
        return json.loads(self.content)


class Client:
    """Asks with a connection for each question; follows nothing and keeps no cookie by itself."""

    def __init__(self, port, headers, trusted=None):
        self.port = port
        self.headers = headers
        self.trusted = trusted
        """What a certificate is judged by; none: it is spoken to without TLS."""

    def ask(self, method, path, headers=None, data=None, content=None):
        """Ask, with a form or with bytes."""
        sent = self.headers | (headers or {})
        if data is not None:
            content = urlencode(data).encode()
            sent = {"Content-Type": "application/x-www-form-urlencoded"} | sent
        connection = (
            HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE_S, context=self.trusted)
            if self.trusted
            else HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        )
        try:
            connection.request(method, path, content, sent)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def get(self, path, headers=None):
        return self.ask("GET", path, headers)

    def post(self, path, headers=None, data=None, content=b""):
        return self.ask("POST", path, headers, data, content)


class Web:
    """One server, its tokens and what it said."""

    def __init__(self, folder, data_dir, *options):
        paths = os.pathsep.join(sys.path)
        tokens = {f"SCHEDMATE_WEB_TOKEN_{name.upper()}": token for name, token in TOKENS.items()}
        environment = {**os.environ, "SCHEDMATE_DATA_DIR": str(data_dir), "PYTHONPATH": paths, **tokens}
        self.console = folder / "web.console"
        self.output = self.console.open("w")
        command = [sys.executable, "-m", "schedmate", "web", "--port", "0", *options]
        self.process = subprocess.Popen(command, stdout=self.output, stderr=self.output, env=environment)
        limit_s = time.monotonic() + PATIENCE_S
        while not (found := re.search(r"(https?)://([\w.:\[\]-]+)/\?token=", self.said())):
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < limit_s, self.said()
            time.sleep(0.02)
        self.host = found[2]
        self.trusted = None
        self.port = int(self.host.rpartition(":")[2])
        self.address = f"{found[1]}://{self.host}"

    def said(self):
        return self.console.read_text()

    def stranger(self, **headers):
        """A client with no token."""
        return Client(self.port, headers, self.trusted)

    def program(self, role="operator"):
        """A client that names a token with every request."""
        return Client(self.port, {"Authorization": f"Bearer {TOKENS[role]}"}, self.trusted)

    def visitor(self, role="operator"):
        """A client that opened the printed address, as a browser."""
        answer = self.stranger().get(f"/?token={TOKENS[role]}")
        assert answer.status_code == 303, answer.text
        return Client(self.port, {"Cookie": answer.headers["set-cookie"].split(";")[0]}, self.trusted)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(PATIENCE_S)
        self.output.close()
