"""A small Kubernetes API: lists in pages, watches with bookmarks and an end of memory, logs, refusals, silence.

A program of its own: `python api_server.py WORLD.json` prints its port. The world maps paths to lists of objects,
`logs` to texts, `watches` to events, `refused`, `unwatched`, `silent` and `expired` to paths. Versions before
`forgotten` are too old for a watch, which is told so at once or in its stream (`tells_late`). Where the world says
`writes`, objects can be patched (a merge patch, which may name the version that it is of) and deleted (the options may
name a uid), but for `fixed` paths; `raced` names paths of objects that somebody else changes just before. The shapes
are the published API's.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit


class Api(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        parts = urlsplit(self.path)
        path, asked = unquote(parts.path), {key: values[0] for key, values in parse_qs(parts.query).items()}
        self.server.seen.append((path, asked))
        world = json.loads(Path(self.server.world).read_text("utf-8"))
        if path == "/seen":
            return self.tell(200, self.server.seen)
        if path == "/apis":
            return self.tell(200, {"kind": "APIGroupList", "groups": world.get("groups", [])})
        if path in world.get("refused", ()):
            return self.fail(403, "Forbidden", f'pods is forbidden: User "ann" cannot list resource at {path}')
        if path in world.get("silent", ()):
            self.server.closing.wait(60)
            return None
        if path.endswith("/log"):
            key = f"{path.split('/')[4]}/{path.split('/')[6]}/{asked.get('container', '')}"
            key += "/previous" if asked.get("previous") == "true" else ""
            text = world.get("logs", {}).get(key)
            if text is None:
                return self.fail(400, "BadRequest", "previous terminated container not found")
            if since := asked.get("sinceTime"):
                text = "".join(line for line in text.splitlines(keepends=True) if line.split(" ", 1)[0] > since)
            if asked.get("timestamps") != "true" and world.get("stamped"):
                text = "".join(line.split(" ", 1)[1] for line in text.splitlines(keepends=True))
            return self.send(200, text.encode(), "text/plain")
        if path in world.get("lists", {}):
            if asked.get("watch"):
                return self.watch(world, path, asked)
            return self.page(world, path, asked)
        for found, items in world.get("lists", {}).items():
            for item in items:
                if path == f"{found}/{item['metadata']['name']}" or self.is_one(path, found, item):
                    return self.tell(200, item)
        return self.fail(404, "NotFound", f'"{path}" not found')

    @staticmethod
    def is_one(path, found, item):
        """Tell whether a namespaced path names an object of a list over all namespaces."""
        group, _, plural = found.rpartition("/")
        meta = item["metadata"]
        return path == f"{group}/namespaces/{meta.get('namespace')}/{plural}/{meta['name']}"

    def page(self, world, path, asked):
        items = world["lists"][path]
        if wanted := asked.get("fieldSelector"):
            pairs = [one.split("=", 1) for one in wanted.split(",")]
            items = [item for item in items if all(field(item, name) == value for name, value in pairs)]
        start = int(asked.get("continue") or 0)
        if start and path in world.get("expired", ()) and not self.server.forgot:
            self.server.forgot = True
            return self.fail(410, "Expired", "The provided continue parameter is too old")
        most = min(int(asked.get("limit") or 10**9), world.get("page", 10**9))
        more = {"continue": str(start + most)} if start + most < len(items) else {}
        told = {
            "kind": "List",
            "apiVersion": "v1",
            "metadata": {"resourceVersion": f"{world.get('version', 100)}", **more},
        }
        return self.tell(200, {**told, "items": items[start : start + most]})

    def watch(self, world, path, asked):
        if path in world.get("unwatched", ()):
            return self.fail(403, "Forbidden", f'pods is forbidden: User "ann" cannot watch resource at {path}')
        since = int(asked["resourceVersion"])
        events = [one for one in world.get("watches", {}).get(path, []) if since < version(one)]
        if since < world.get("forgotten", 0):
            late = {"kind": "Status", "code": 410, "reason": "Expired", "message": f"too old resource version: {since}"}
            if not world.get("tells_late"):
                return self.fail(410, late["reason"], late["message"])
            events = [{"type": "ERROR", "object": late}]
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events:
            data = json.dumps(event).encode() + b"\n"
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")
        return None

    def fail(self, code, reason, message):
        return self.tell(code, status(code, reason, message))

    def tell(self, code, value):
        return self.send(code, json.dumps(value).encode(), "application/json")

    def send(self, code, data, kind):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_DELETE(self):
        self.change(lambda items, item, asked: self.remove(items, item, asked))

    def do_PATCH(self):
        self.change(lambda items, item, asked: self.merge(item, asked))

    def do_POST(self):
        self.server.seen.append((self.command, self.path))
        self.fail(405, "MethodNotAllowed", "this server creates nothing")

    do_PUT = do_POST

    def change(self, work):
        path = unquote(urlsplit(self.path).path)
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        with self.server.lock:
            self.server.seen.append((self.command, path))
            world = json.loads(Path(self.server.world).read_text("utf-8"))
            if not world.get("writes"):
                return self.fail(405, "MethodNotAllowed", "this server is read")
            if path in world.get("fixed", ()):
                return self.fail(403, "Forbidden", f'User "ann" cannot {self.command.lower()} resource at {path}')
            for found, items in world["lists"].items():
                for item in items:
                    if path == f"{found}/{item['metadata']['name']}" or self.is_one(path, found, item):
                        if path in world.get("raced", ()):
                            world["raced"].remove(path)
                            item["metadata"]["resourceVersion"] = "7000"
                        code, told = work(items, item, asked)
                        part = Path(f"{self.server.world}.changed")
                        part.write_text(json.dumps(world))
                        part.replace(self.server.world)
                        return self.tell(code, told)
        return self.fail(404, "NotFound", f'"{path}" not found')

    @staticmethod
    def remove(items, item, asked):
        if asked.get("preconditions", {}).get("uid", item["metadata"]["uid"]) != item["metadata"]["uid"]:
            return 409, status(409, "Conflict", "the UID in the precondition does not match the UID in record")
        items.remove(item)
        return 200, item

    def merge(self, item, asked):
        if self.headers["Content-Type"] != "application/merge-patch+json":
            return 415, status(415, "UnsupportedMediaType", "a merge patch is wanted")
        known = item["metadata"].get("resourceVersion")
        if asked.get("metadata", {}).get("resourceVersion", known) != known:
            return 409, status(409, "Conflict", "the object has been modified; please apply your changes to the latest")
        merged(item, asked)
        item["metadata"]["resourceVersion"] = str(int(known or 0) + 1)
        return 200, item

    def log_message(self, *words):
        pass


def status(code, reason, message):
    told = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "code": code}
    return {**told, "message": message}


def merged(known, change):
    """Merge as RFC 7386 says: null removes, objects merge, all else replaces."""
    for name, value in change.items():
        if value is None:
            known.pop(name, None)
        elif isinstance(value, dict):
            merged(known.setdefault(name, {}), value)
        else:
            known[name] = value


def version(event):
    return int(event["object"]["metadata"]["resourceVersion"])


def field(item, name):
    for part in name.split("."):
        item = item.get(part) or {}
    return item


def serve(world):
    """Start a server; give it with its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    server.daemon_threads = True
    server.world, server.seen, server.forgot, server.closing = world, [], False, threading.Event()
    server.lock = threading.Lock()
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


if __name__ == "__main__":
    started, address = serve(sys.argv[1])
    print(address, flush=True)
    threading.Event().wait()
