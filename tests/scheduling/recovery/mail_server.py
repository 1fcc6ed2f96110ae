"""A mail server on loopback: it really speaks SMTP, and can be slow, rude or silent."""

import email.policy
import socketserver
import threading
from collections.abc import Iterable
from contextlib import contextmanager


def read_mail(lines: Iterable[bytes]) -> str:
    """Read a mail as who gets it does: a dot that SMTP doubled is one, lines broken to be sent are whole."""
    data = b"".join(line[1:] if line.startswith(b".") else line for line in lines)
    mail = email.message_from_bytes(data, policy=email.policy.default)
    heads = "\r\n".join(f"{name}: {value}" for name, value in mail.items())
    return f"{heads}\r\n\r\n{mail.get_content()}"


class Desk(socketserver.StreamRequestHandler):
    """One conversation."""

    def handle(self):
        manner = self.server.manner
        if manner == "silent":
            self.server.closing.wait()
            return
        self.say("220 here")
        sender, to = "", []
        for line in iter(self.rfile.readline, b""):
            word = line.split()[0].upper() if line.split() else b""
            if word == b"MAIL":
                sender = line.decode().strip()
                self.say("250 fine")
            elif word == b"RCPT":
                self.say("550 no such user here" if manner == "refuses" else "250 fine")
                to.append(line.decode().strip())
            elif word == b"DATA":
                self.say("354 go on")
                self.server.mails.append((sender, to, read_mail(iter(self.rfile.readline, b".\r\n"))))
                self.say("250 taken")
            elif word == b"QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 fine")

    def say(self, text):
        if self.server.manner == "drips":
            for _ in range(10_000):
                if self.server.closing.wait(0.05):
                    return
                self.wfile.write(text[:4].replace(" ", "-").encode() + b"patience\r\n")
        self.wfile.write(text.encode() + b"\r\n")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextmanager
def mail_server(manner="kind"):
    """Serve until the test is over; gives the server, which keeps `mails`, and its address."""
    with Server(("127.0.0.1", 0), Desk) as server:
        server.manner, server.mails, server.closing = manner, [], threading.Event()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server, f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.closing.set()
            server.shutdown()
            thread.join()
