"""A real browser, driven over its own protocol: Debian's Chromium without a screen."""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack
from functools import cache
from urllib.request import urlopen

from websockets.sync.client import connect

PATIENCE_S = 120.0
WORDS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-port=0",
    "--disable-dev-shm-usage",
)  # fmt: skip


@cache
def chromium():
    """Name the browser's program; None where there is none, or where it shows no page at all."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None or not os.environ.get("WEB_TEST"):
        return found
    words = [word for word in WORDS if not word.startswith("--remote")]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder}
        command = [found, *words, f"--user-data-dir={folder}", "--dump-dom", "data:text/html,<p>here"]
        try:
            told = subprocess.run(
                command, capture_output=True, text=True, timeout=PATIENCE_S, env=environment, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
    return found if "here" in told.stdout else None


class Browser:
    """One page of one browser, with all that it complained about."""

    def __init__(self, folder):
        self.profile = folder / "profile"
        self.profile.mkdir()
        self.complaints = []
        environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
        self.errors = (folder / "browser.err").open("w")
        self.process = subprocess.Popen(
            [chromium(), *WORDS, f"--user-data-dir={self.profile}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=self.errors, env=environment,
        )  # fmt: skip
        self.number = 0
        self.open_things = ExitStack()
        try:
            self.socket = self.open_things.enter_context(connect(self.page_address(), max_size=None, proxy=None))
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.close()
            raise

    def page_address(self):
        """Ask the browser where its page can be spoken to."""
        port = self.profile / "DevToolsActivePort"
        limit_s = time.monotonic() + PATIENCE_S
        while not (port.exists() and "\n" in port.read_text()):
            assert self.process.poll() is None, (self.profile.parent / "browser.err").read_text()[-2000:]
            assert time.monotonic() < limit_s, "the browser has not come up"
            time.sleep(0.05)
        number = port.read_text().splitlines()[0]
        while True:
            with urlopen(f"http://127.0.0.1:{number}/json") as answer:
                pages = [one for one in json.load(answer) if one["type"] == "page"]
            if pages:
                return pages[0]["webSocketDebuggerUrl"]
            assert time.monotonic() < limit_s, "the browser has no page"
            time.sleep(0.05)

    def call(self, method, **words):
        """Ask the browser something, and keep what it complains about meanwhile."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": words}))
        while True:
            told = json.loads(self.socket.recv(timeout=PATIENCE_S))
            self.hear(told)
            if told.get("id") == self.number:
                assert "error" not in told, f"{method}: {told['error']}"
                return told["result"]

    def hear(self, told):
        """Note exceptions, errors and what the content policy has refused."""
        words = told.get("params", {})
        if told.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(
                words["exceptionDetails"].get("text", "") + json.dumps(words["exceptionDetails"])[:600]
            )
        elif told.get("method") == "Runtime.consoleAPICalled" and words["type"] in ("error", "warning"):
            self.complaints.append(json.dumps(words["args"])[:600])
        elif told.get("method") == "Log.entryAdded" and words["entry"]["level"] == "error":
            self.complaints.append(f"{words['entry']['text']} {words['entry'].get('url', '')}")

    def run(self, script):
        """Evaluate some JavaScript in the page and give its value."""
        told = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, f"{script}: {told['exceptionDetails']}"
        return told["result"].get("value")

    def open(self, address):
        """Go somewhere, and wait until it is there."""
        wanted = self.call("Page.navigate", url=address).get("loaderId")
        limit_s = time.monotonic() + PATIENCE_S
        while wanted and self.call("Page.getFrameTree")["frameTree"]["frame"]["loaderId"] != wanted:
            assert time.monotonic() < limit_s, f"{address} never comes"
            time.sleep(0.02)
        self.until("document.readyState === 'complete'")

    def until(self, script, within_s=PATIENCE_S):
        """Wait until something is so in the page."""
        limit_s = time.monotonic() + within_s
        while True:
            try:
                if self.run(f"Boolean({script})"):
                    return
            except AssertionError as error:  # a page that goes answers for no script any more
                if not re.search("context|navigat", str(error), re.IGNORECASE):
                    raise
            assert time.monotonic() < limit_s, f"never: {script}\n{self.run('document.body.innerText')[:3000]}"
            time.sleep(0.05)

    def click(self, selector):
        """Move the mouse to something, and press it there."""
        self.point_at(selector)
        self.mouse("mousePressed")
        self.mouse("mouseReleased")

    def point_at(self, selector):
        """Move the mouse as a person does: until it is there, wherever the page moves the thing meanwhile."""
        words = json.dumps(selector)
        self.until(f"document.querySelector({words})")
        self.run(f"document.querySelector({words}).scrollIntoView({{block: 'center'}})")
        limit_s = time.monotonic() + PATIENCE_S
        while True:
            self.place = self.run(
                f"(() => {{ const box = document.querySelector({words}).getBoundingClientRect();"
                " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
            )
            self.mouse("mouseMoved")
            if self.run(f"document.querySelector({words})?.contains(document.elementFromPoint(...{self.place}))"):
                return
            assert time.monotonic() < limit_s, f"{selector} is never under the mouse"

    def mouse(self, kind):
        """Do something with the mouse where it is."""
        pressed = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type=kind, x=self.place[0], y=self.place[1], **pressed)

    def size(self, width, height, scheme="light"):
        """Be a screen of that width, light or dark."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def scripts(self, wanted):
        """Let scripts run, or none."""
        self.call("Emulation.setScriptExecutionDisabled", value=not wanted)

    def picture(self, path, most=2400):
        """Take a picture of the whole page."""
        height = min(most, int(self.run("document.documentElement.scrollHeight")))
        width = int(self.run("window.innerWidth"))
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        told = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(told["data"]))

    def close(self):
        """End the browser."""
        self.open_things.close()
        self.process.terminate()
        self.process.wait(PATIENCE_S)
        self.errors.close()
