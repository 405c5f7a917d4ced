"""One headless Chromium that opens page after page, driven through its DevTools protocol.

A browser started anew for each page spends most of its time on starting.
"""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.request import Request, urlopen

from websocket import create_connection

# the first has no windows to draw: it opens all pages in three quarters of the time
NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
         "--no-first-run",
         "--remote-debugging-port=0", "--remote-allow-origins=*",
         "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]
# a page is ready in two thirds of the time; animations wait for ever
NO_ANIMATION = ["--disable-threaded-compositing"]
PATIENCE = 180  # seconds for one answer


def installed():
    "The browser that $CHROMIUM names, or the first known one on this machine, or None."
    return next(filter(None, map(shutil.which, [os.environ.get("CHROMIUM", ""), *NAMES])), None)


class Browser:
    "`with Browser(program) as browser:`; without a network but for this machine."
    def __init__(self, program, flags=()):
        self.program, self.flags = program, [*FLAGS, *flags, "about:blank"]

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # a program may be a script that starts the browser: both are ended as one group
        self.process = subprocess.Popen([self.program, *self.flags, f"--user-data-dir={self.profile.name}"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        port, limit = Path(self.profile.name, "DevToolsActivePort"), time.monotonic() + PATIENCE
        while not port.is_file() or len(port.read_text().splitlines()) < 2:
            if self.process.poll() is not None or time.monotonic() > limit:
                raise RuntimeError(f"{self.program} does not start")
            time.sleep(0.05)
        self.address = f"http://127.0.0.1:{port.read_text().splitlines()[0]}"
        return self

    def __exit__(self, *exception):
        limit = time.monotonic() + PATIENCE
        with suppress(ProcessLookupError): # which says that nobody of the group is left
            os.killpg(self.process.pid, signal.SIGTERM)
            while time.monotonic() < limit:
                self.process.poll()
                os.killpg(self.process.pid, 0)
                time.sleep(0.02)
            os.killpg(self.process.pid, signal.SIGKILL)
        self.profile.cleanup()

    def tab(self):
        with urlopen(Request(f"{self.address}/json/new?about:blank", method="PUT"), timeout=PATIENCE) as answer:
            return Tab(json.load(answer)["webSocketDebuggerUrl"])


class Tab:
    "A tab that opens one page after another."
    def __init__(self, address):
        self.socket, self.sent, self.events = create_connection(address, timeout=PATIENCE), 0, []
        self.layout = None
        for domain in ("Page", "Runtime", "Log"): self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def receive(self):
        "The next answer, or None where an event came, which is kept."
        message = json.loads(self.socket.recv())
        if "id" in message: return message
        self.events.append(message)

    def call(self, method, **parameters):
        self.sent += 1
        self.socket.send(json.dumps(dict(id=self.sent, method=method, params=parameters)))
        while (answer := self.receive()) is None or answer["id"] != self.sent: pass
        if "error" in answer: raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, address):
        "Open a page and wait until it and its scripts are loaded: errors that the console shows."
        self.events.clear()
        loader = self.call("Page.navigate", url=address)["loaderId"]
        while not any(e["params"].get("name") == "load" and e["params"].get("loaderId") == loader for e in self.events):
            self.receive()
        return [text for e in self.events if (text := error_text(e))]

    def lay_out(self, width, scheme):
        "Give the window a width and the page a colour scheme; where both are as they were, the page stays as it is."
        if (width, scheme) == self.layout: return
        self.layout = width, scheme
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[dict(name="prefers-color-scheme", value=scheme)])

    def evaluate(self, expression):
        "The value of a JavaScript expression, after any promise of it is kept."
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer: raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")


def error_text(event):
    "What an event says is wrong, or None."
    p = event["params"]
    if event["method"] == "Runtime.exceptionThrown":
        return p["exceptionDetails"].get("exception", {}).get("description", p["exceptionDetails"]["text"])
    if event["method"] == "Log.entryAdded" and p["entry"]["level"] == "error":
        return f"{p['entry']['text']} {p['entry'].get('url', '')}"
    if event["method"] == "Runtime.consoleAPICalled" and p["type"] in ("error", "assert"):
        return " ".join(str(a.get("value", "")) for a in p["args"])
