"""Ask a Kubernetes API: through `kubectl proxy`, which knows every way to log in, or as a pod of the cluster itself.

The proxy listens on a socket in a folder that is ours alone, and refuses whatever would change something, unless it was
opened for recovery: then it lets objects be patched and deleted, and still creates nothing.
"""

import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from schedmate.clusters.managed import Refused, Unreachable

LIMIT_S = 30.0

WATCH_S = 20
"""A watch ends after so long and is taken up where it was: sooner than an answer that never comes is given up."""
START_S = 20.0
PAGE, MOST_ANEW = 500, 5

MOST_BYTES = 256 << 20
"""Of one answer; a list is asked for in pages, so that this is a page."""
CHANGES, CREATES = "^(POST|PUT|PATCH|DELETE|CONNECT)$", "^(POST|PUT|CONNECT)$"
"""Methods that the proxy refuses: to a reader, and to who may act."""
NO_WAY = re.compile(r"\bdial tcp\b|no such host|connection refused|i/o timeout|tls: |x509: ")
"""How a proxy says that it reaches nobody."""
MERGE = "application/merge-patch+json"
ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
Object = dict[str, Any]  # Any: JSON of the API; who reads a field says of what type it has to be


class Gone(Exception):
    """What a list or a watch went on from is no longer known: it has to begin anew."""


class Absent(Refused):
    """What was asked for is not there."""


class Changed(Unreachable):
    """What was to be changed is no longer as it was read: look at it again."""


class KubernetesApi:
    """Reads, and changes one object where it was opened for that; a refusal names the right that is missing."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def get(self, path: str, **parameters: str | int) -> Object:
        """Ask for one object or one page."""
        with self.answer(path, parameters) as response:
            read = bytearray()
            for chunk in response.iter_bytes():
                read += chunk
                if len(read) > MOST_BYTES:
                    raise Unreachable(f"{path}: an answer of more than {MOST_BYTES >> 20} MiB", "narrow the namespace")
        try:
            told = json.loads(bytes(read))
        except ValueError as error:
            raise Unreachable(f"{path}: the answer is no JSON: {error}", "is this a Kubernetes API?") from error
        if not isinstance(told, dict):
            raise Unreachable(f"{path}: the answer is no object", "is this a Kubernetes API?")
        return told

    def pages(self, path: str, **parameters: str | int) -> Iterator[Object]:
        """Give a list page by page; whoever takes too long for it is given what is there now, from the beginning."""
        token, anew = "", 0
        while True:
            try:
                page = self.get(path, limit=PAGE, **parameters, **({"continue": token} if token else {}))
            except Gone as error:
                if (anew := anew + 1) > MOST_ANEW:
                    raise Unreachable(
                        f"{path}: the list changes faster than it can be read", "name a namespace"
                    ) from error
                token = ""
                continue
            yield page
            token = str((page.get("metadata") or {}).get("continue") or "")
            if not token:
                return

    def items(self, path: str, **parameters: str | int) -> Iterator[Object]:
        """Give all objects of a list, each once."""
        seen: set[str] = set()
        for page in self.pages(path, **parameters):
            for item in page.get("items") or []:
                uid = str((item.get("metadata") or {}).get("uid") or id(item))
                if uid not in seen:
                    seen.add(uid)
                    yield item

    def events(self, path: str, version: str, **parameters: str | int) -> Iterator[Object]:
        """Give what changes in a list from a version on, until the server ends the watch; `Gone`: list it anew."""
        asked: dict[str, str | int] = {
            "watch": "true", "allowWatchBookmarks": "true", "timeoutSeconds": WATCH_S, "resourceVersion": version,
        }  # fmt: skip
        with self.answer(path, parameters | asked) as response:
            for line in whole_lines(response.iter_bytes()):
                try:
                    told = json.loads(line)
                    kind, item = str(told["type"]), dict(told["object"])
                except (ValueError, TypeError, KeyError) as error:
                    raise Unreachable(f"{path}: a watch sent something that is no event", "try again") from error
                if kind == "ERROR":
                    if item.get("code") == 410:
                        raise Gone(str(item.get("message")))
                    raise Unreachable(f"{path}: {item.get('message') or 'the watch ended'}", "try again")
                yield {"type": kind, "object": item}

    def log(self, path: str, into: Path, most_bytes: int, **parameters: str | int) -> bool:
        """Write a log into a file, the end of it where it is long; False where there is none."""
        try:
            with self.answer(path, parameters) as response, into.open("wb") as file:
                for chunk in response.iter_bytes():
                    file.write(chunk)
                    if file.tell() > most_bytes:
                        break
        except Absent:
            return False
        return True

    def patch(self, path: str, change: Object) -> None:
        """Merge a change into one object; `Changed` where it names a version that is no longer the present one."""
        self.send("PATCH", path, change, MERGE)

    def delete(self, path: str, options: Object) -> None:
        """Delete one object; `Changed` where its preconditions do not hold, `Absent` where it is gone."""
        self.send("DELETE", path, options, "application/json")

    def send(self, method: str, path: str, body: Object, kind: str) -> None:
        """Ask for a change; what is answered beside that it was done is not read."""
        with self.answer(path, {}, method, json.dumps(body), kind):
            return

    @contextmanager
    def answer(
        self, path: str, parameters: dict[str, str | int], method: str = "GET", content: str = "", kind: str = ""
    ) -> Iterator[httpx.Response]:
        """Send a question; give its answer while it comes."""
        try:
            headers = {"content-type": kind} if kind else None
            with self.client.stream(
                method, path, params=parameters, content=content or None, headers=headers
            ) as response:
                if response.status_code not in (200, 202):
                    response.read()
                    raise refusal(path, response)
                yield response
        except httpx.TimeoutException as error:
            raise Unreachable(f"{path}: no answer within {LIMIT_S:g} s", "is the API server well?") from error
        except httpx.HTTPError as error:
            raise Unreachable(f"{path}: {error}", "kubectl get --raw /readyz says whether it can be reached") from error


def whole_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Put lines together; one that is longer than any answer may be is none."""
    rest = bytearray()
    for piece in pieces:
        rest += piece
        if len(rest) > MOST_BYTES:
            raise Unreachable("a watch sent an object that is too large", "narrow the namespace")
        if b"\n" in piece:
            *lines, last = bytes(rest).split(b"\n")
            rest = bytearray(last)
            yield from filter(None, lines)


def refusal(path: str, response: httpx.Response) -> Exception:
    """Turn an answer that is none into what the caller can do about it."""
    try:
        said = str(json.loads(response.content).get("message") or "")
    except (ValueError, AttributeError):
        said = response.text[:200]
    status = response.status_code
    if status == 410:
        return Gone(said)
    if status == 409:
        return Changed(f"{path}: {said or 'it was changed meanwhile'}", "look again")
    if status in (401, 403):
        return Refused(f"Kubernetes refuses {path}: {said or status}", "kubectl auth can-i --list shows what you may")
    if status in (400, 404):
        return Absent(f"Kubernetes has no {path}: {said or status}", "kubectl get pods -A lists what there is")
    if status >= 500 and NO_WAY.search(said):  # the proxy is there, the cluster behind it is not
        hint = "kubectl cluster-info tells which cluster is asked; --context names another"
        return Unreachable(f"no cluster answers kubectl: {said}", hint)
    return Unreachable(f"{path}: {status} {said}".strip(), "try again")


@contextmanager
def open_api(context: str = "", may_act: bool = False) -> Iterator[KubernetesApi]:
    """Open the API of kubectl's present context, or of the one that is named; in a pod, of its own cluster."""
    if not context and (ACCOUNT / "token").exists() and "KUBERNETES_SERVICE_HOST" in os.environ:
        host, port = os.environ["KUBERNETES_SERVICE_HOST"], os.environ.get("KUBERNETES_SERVICE_PORT", "443")
        import ssl

        trust = ssl.create_default_context(cafile=str(ACCOUNT / "ca.crt"))
        headers = {"Authorization": f"Bearer {(ACCOUNT / 'token').read_text().strip()}"}
        host = f"[{host}]" if ":" in host else host
        with httpx.Client(base_url=f"https://{host}:{port}", headers=headers, verify=trust, timeout=LIMIT_S) as client:
            yield KubernetesApi(client)
        return
    with (
        tempfile.TemporaryDirectory(prefix="schedmate-kubectl-") as folder,
        proxied(folder, context, may_act) as socket,
    ):
        transport = httpx.HTTPTransport(uds=socket)
        with httpx.Client(transport=transport, base_url="http://localhost", timeout=LIMIT_S) as client:
            yield KubernetesApi(client)


@contextmanager
def proxied(folder: str, context: str, may_act: bool = False) -> Iterator[str]:
    """Run kubectl's proxy on a socket in a folder; it ends with us."""
    socket = os.path.join(folder, "socket")
    command = ["kubectl", *(["--context", context] if context else []), "proxy", f"--unix-socket={socket}"]
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(
                [*command, f"--reject-methods={CREATES if may_act else CHANGES}"],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
        except FileNotFoundError as error:
            raise Refused("there is no program kubectl", "install it where you can reach the cluster") from error
        try:
            until_s = time.monotonic() + START_S
            while not os.path.exists(socket):
                if process.poll() is not None or time.monotonic() > until_s:
                    said.seek(0)
                    words = " ".join(said.read(2000).decode(errors="replace").split())
                    raise Unreachable(
                        f"kubectl proxy does not start: {words or 'it says nothing'}", "see: kubectl config view"
                    )
                time.sleep(0.02)
            yield socket
        finally:
            process.terminate()
            process.wait()
