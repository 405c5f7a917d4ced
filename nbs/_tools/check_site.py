"""Open every page of the built site in headless Chromium, without a network, and look for what a reader needs.

python nbs/_tools/check_site.py      (run after `make.py docs`; the browser may be named in $CHROMIUM)
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup
from nbdev.config import get_config

site = get_config().config_path / get_config().doc_path.name
NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
         "--no-first-run", "--enable-logging=stderr", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
         "--virtual-time-budget=20000", "--dump-dom"]
LARGEST = 3_000_000  # bytes of one page: more would load slowly


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *a): pass


@cache
def parsed(path):
    return BeautifulSoup((site / path).read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(path):
    return {t["id"] for t in parsed(path).find_all(id=True)}


def load(address):
    "The page at `address` after its scripts ran: (document, errors in the console)."
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        r = subprocess.run([chromium, *FLAGS, f"--user-data-dir={profile}", address], capture_output=True, text=True, timeout=180)
    return r.stdout, [l for l in r.stderr.splitlines() if "CONSOLE" in l and re.search(r"rror|Failed to load", l)]


def found(path, link):
    "Is there a file, and in it an anchor, that `link` on the page at `path` leads to?"
    to = urlsplit(link)
    if to.scheme or to.netloc: return True
    target = (site / path).parent / unquote(to.path) if to.path else site / path
    if not target.is_file() or not to.fragment: return target.is_file()
    return target.suffix != ".html" or to.fragment in anchors(target.resolve().relative_to(site.resolve()).as_posix())


def check_page(path):
    "What there is to say about one page: [(what, fine, detail)]."
    dom, errors = load(f"{base}/{path}")
    raw, live = parsed(path), BeautifulSoup(dom, "html.parser")
    formulas, size = len(raw.select(".math")), (site / path).stat().st_size
    yield "heading", live.h1, ""
    yield "console", not errors, errors[:3]
    yield "size", size < LARGEST, size
    if formulas:
        yield "formulas typeset", len(live.find_all("mjx-container")) >= formulas, ""
        yield "formulas read", not live.select("[data-mml-node=merror]"), ""
    for tag in raw.find_all(["a", "img", "link", "script"]):
        link = tag.get("href") or tag.get("src")
        if link and not link.startswith("data:"): yield f"{tag.name} {link}", found(path, link), ""


def check_site(pages):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, report in zip(pages, pool.map(lambda p: list(check_page(p)), pages)):
            yield from ((f"{path}: {what}", ok, detail) for what, ok, detail in report)
    yield "a plot", any(parsed(p).select(".cell_output img") for p in pages), ""
    dom, errors = load(f"{base}/search.html?q=threshold")
    yield "search finds a word", BeautifulSoup(dom, "html.parser").select("ul.search li a"), errors[:3]


if __name__ == "__main__":
    chromium = shutil.which(os.environ.get("CHROMIUM", "")) or next(filter(None, map(shutil.which, NAMES)), None)
    if not chromium:
        print("SKIPPED: no Chromium on this machine, so the site was not opened in a browser")
        sys.exit(bool(os.environ.get("OMNIVAR_NO_SKIPS")))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    pages = sorted(p.relative_to(site).as_posix() for p in site.rglob("*.html")
                   if p.name not in ("search.html", "genindex.html") and "_static" not in p.parts)
    results = list(check_site(pages))
    for what, ok, detail in results:
        if not ok: print("FAILED", what, detail)
    print(f"{len(pages)} pages: {sum(bool(r[1]) for r in results)} passed, {sum(not r[1] for r in results)} failed")
    sys.exit(not all(r[1] for r in results))
