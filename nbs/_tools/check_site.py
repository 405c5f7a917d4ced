"""Open every page of the built site in headless Chromium, without a network, and look for what a reader needs.

python nbs/_tools/check_site.py      (run after `make.py docs`; the browser may be named in $CHROMIUM)
"""
import os
import re
import shutil
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import html
from nbdev.config import get_config

from browser import Browser

site = get_config().config_path / get_config().doc_path.name
NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
LARGEST = 3_000_000  # bytes of one page: more would load slowly


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *a): pass

    def do_GET(self):
        "Answer with a file; browsers ask for an icon unasked."
        if self.path == "/favicon.ico": return self.send_error(204)
        super().do_GET()


@cache
def parsed(path):
    return html.fromstring((site / path).read_bytes(), parser=html.HTMLParser(encoding="utf-8"))


@cache
def anchors(path):
    return set(parsed(path).xpath("//@id"))


def with_class(path, name, inside=""):
    "Elements of a page that have a class, or what is `inside` them."
    return parsed(path).xpath(f"//*[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]{inside}")


SEEN = """(async () => {
  if (window.MathJax && MathJax.startup && MathJax.startup.promise) await MathJax.startup.promise;
  const count = what => document.querySelectorAll(what).length;
  return {heading: count("h1"), typeset: count("mjx-container"), unread: count("[data-mml-node=merror]")};
})()"""


def open_pages(paths):
    "What one tab shows of some pages: {path: (counts after the scripts ran, errors in the console)}."
    tab = browser.tab()
    return {path: (errors := tab.open(f"{base}/{path}"), tab.evaluate(SEEN))[::-1] for path in paths}


def found(path, link):
    "Is there a file, and in it an anchor, that `link` on the page at `path` leads to?"
    to = urlsplit(link)
    if to.scheme or to.netloc: return True
    target = (site / path).parent / unquote(to.path) if to.path else site / path
    if not target.is_file() or not to.fragment: return target.is_file()
    return target.suffix != ".html" or to.fragment in anchors(target.resolve().relative_to(site.resolve()).as_posix())


def check_page(path, seen, errors):
    "What there is to say about one page: [(what, fine, detail)]."
    size, formulas = (site / path).stat().st_size, len(with_class(path, "math"))
    yield "heading", seen["heading"] > 0, ""
    yield "console", not errors, errors[:3]
    yield "size", size < LARGEST, size
    if formulas:
        yield "formulas typeset", seen["typeset"] >= formulas, f"{seen['typeset']} of {formulas}"
        yield "formulas read", not seen["unread"], ""
    for tag in parsed(path).xpath("//a | //img | //link | //script"):
        link = tag.get("href") or tag.get("src")
        if link and not link.startswith("data:"): yield f"{tag.tag} {link}", found(path, link), ""


def search_finds(word):
    "Does the search page list a page that has this word?"
    tab = browser.tab()
    errors, limit = tab.open(f"{base}/search.html?q={word}"), time.monotonic() + 20
    while not (hits := tab.evaluate("document.querySelectorAll('ul.search li a').length")) and time.monotonic() < limit:
        time.sleep(0.1)
    return hits > 0, errors[:3]


def check_site(pages):
    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        seen = {k: v for part in pool.map(open_pages, [pages[k::workers] for k in range(workers)]) for k,
                v in part.items()}
    for path in pages:
        yield from ((f"{path}: {what}", ok, detail) for what, ok, detail in check_page(path, *seen[path]))
    yield "a plot", any(with_class(p, "cell_output", "//img") for p in pages), ""
    yield "search finds a word", *search_finds("threshold")


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
    with Browser(chromium) as browser: results = list(check_site(pages))
    for what, ok, detail in results:
        if not ok: print("FAILED", what, detail)
    print(f"{len(pages)} pages: {sum(bool(r[1]) for r in results)} passed, {sum(not r[1] for r in results)} failed")
    sys.exit(not all(r[1] for r in results))
