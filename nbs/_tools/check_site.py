"""Look for what a reader needs on every page of the built site: links, sizes, and what headless Chromium shows of it
without a network.

python nbs/_tools/check_site.py      (run after `make.py docs`; the browser may be named in $CHROMIUM)

The browser opens the pages that are read first and a fifth of the others, which come from the same templates; --all
opens each page, in three widths, light and dark, instead of two and one.
"""
import json
import os
import re
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit
from zlib import crc32

from lxml import html
from nbdev.config import get_config

from browser import Browser, NO_ANIMATION, installed
from make import title_and_description
from reference import FOLDER, PUBLIC
from stage import notebooks, page

site = get_config().config_path / get_config().doc_path.name
LARGEST = 3_000_000  # bytes of one page: more would load slowly
ALL = "--all" in sys.argv
READ_FIRST = ("", "guide", "howto", "reproductions")  # folders


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
  return {heading: document.querySelector("h1")?.innerText ?? "", typeset: count("mjx-container"),
          unread: count("[data-mml-node=merror]"),
          broken: [...document.images].filter(e => e.complete && !e.naturalWidth).map(e => e.alt)};
})()"""
# widths of a telephone, a tablet and a desk; where the width is the same, the second scheme needs no new layout
LAYOUTS = [(400, "light"), (1400, "light"), (1400, "dark")]
if ALL: LAYOUTS = [(width, scheme) for width in (400, 736, 1400) for scheme in ("light", "dark")]
# by how much the page is wider than the window, what sticks out, and how far text is from its background
LAYOUT = """(() => {
  const page = document.documentElement, over = page.scrollWidth - page.clientWidth;
  const light = color => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(Number);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = getComputedStyle(document.body);
  const wide = over <= 0 ? [] : [...document.querySelectorAll(".content *")].filter(
    e => e.getBoundingClientRect().right > page.clientWidth + 1).slice(0, 2).map(e => e.tagName + "." + e.className);
  return {over, wide, ink: light(style.color), paper: light(style.backgroundColor)};
})()"""


def is_opened(path):
    "Is a page opened in the browser? Which of the others are is told by their names, so that each run opens the same."
    return ALL or path.rpartition("/")[0] in READ_FIRST or crc32(path.encode()) % 5 == 0


def open_pages(paths):
    "What one tab shows of some pages: {path: (counts after the scripts ran, errors in the console, layouts)}."
    tab, seen, order = browser.tab(), {}, LAYOUTS
    tab.lay_out(*order[0])
    for path in paths:
        errors = tab.open(f"{base}/{path}")
        counts, layouts = tab.evaluate(SEEN), {}
        for layout in order:
            tab.lay_out(*layout)
            layouts[layout] = tab.evaluate(LAYOUT)
        seen[path] = counts, errors, layouts
        order = order[::-1]  # the next page opens in the layout that this one ended with
    return seen


def found(path, link):
    "Is there a file, and in it an anchor, that `link` on the page at `path` leads to?"
    return leads_on(path if link.startswith("#") else path.rpartition("/")[0] + "/any page of the folder", link)


@cache
def leads_on(path, link):
    "The same, looked up once for all pages of a folder, which have the sidebar's links."
    to = urlsplit(link)
    if to.scheme or to.netloc: return "example" not in to.netloc
    target = (site / path.lstrip("/")).parent / unquote(to.path) if to.path else site / path
    if not target.is_file() or not to.fragment: return target.is_file()
    return target.suffix != ".html" or to.fragment in anchors(target.resolve().relative_to(site.resolve()).as_posix())


def plain(text):
    "A title as it is compared: letters and digits."
    return re.sub(r"[\W_]+", " ", re.sub(r"\$[^$]*\$", " ", text)).strip().lower()


@cache
def titles():
    "{page: the title of its notebook, or the public name}."
    found = {f"{page(p.relative_to(get_config().nbs_path))}.html": title_and_description(p)[0] for p in notebooks()}
    return found | {f"{FOLDER}/{name}.html": name for name in PUBLIC}


def check_file(path):
    "What the file of a page says: [(what, fine, detail)]."
    size = (site / path).stat().st_size
    yield "size", size < LARGEST, size
    for tag in parsed(path).xpath("//a | //img | //link | //script"):
        link = tag.get("href") or tag.get("src")
        if link and not link.startswith("data:"): yield f"{tag.tag} {link}", found(path, link), ""


def check_view(path, seen, errors, layouts):
    "What the browser shows of a page: [(what, fine, detail)]."
    formulas = len(with_class(path, "math"))
    yield "title", plain(titles()[path]) in plain(seen["heading"]), (titles()[path], seen["heading"])
    for (width, scheme), layout in layouts.items():
        yield f"no sideways scrolling at {width} px, {scheme}", layout["over"] <= 0, layout["wide"]
        yield f"{scheme} at {width} px", (layout["ink"] > layout["paper"] + 90 if scheme == "dark"
                                          else layout["paper"] > layout["ink"] + 90), layout
    yield "console", not errors, errors[:3]
    yield "images", not seen["broken"], seen["broken"][:3]
    if formulas:
        yield "formulas typeset", seen["typeset"] >= formulas, f"{seen['typeset']} of {formulas}"
        yield "formulas read", not seen["unread"], ""


SEARCHES = {"prune": "howto/prune", "class_weight": "api/", "missing values": "howto/missing_values",
            "ccp_alpha": "api/", "threshold": ""}  # words: where the first answer is to be


def search_finds(words):
    "The first answer of the search page, and errors in the console."
    tab = browser.tab()
    errors, limit = tab.open(f"{base}/search.html?q={words.replace(' ', '+')}"), time.monotonic() + 60
    best = "document.querySelector('ul.search li a')?.getAttribute('href') ?? ''"  # answers are listed best first
    while not (first := tab.evaluate(best)) and time.monotonic() < limit: time.sleep(0.1)
    return first, errors[:3]


OVERLAPS = (Path(__file__).parent / "overlaps.js").read_text(encoding="utf-8")
PLANTED = ("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 90 90' width='90' height='90'>"
           "<text x='9' y='40'>one</text><text x='12' y='44' transform='rotate(9)'>two</text>"
           "<text x='9' y='70'>fine</text><text x='85' y='20'>cut</text></svg>")


def check_figures(pages):
    "Texts of the figures: [(what, fine, detail)]. Each page's figures are SVG; so is what the checker must find."
    tab = browser.tab()
    tab.open(f"{base}/index.html")
    look = lambda address: tab.evaluate(f"{OVERLAPS}({json.dumps(address)})")
    yield "overlaps are found", len(planted := look(PLANTED)) == 2, planted
    for path in pages:
        for address in (image.get("src") for image in with_class(path, "cell_output", "//img")):
            if not address.startswith("data:"):
                yield f"{path}: {address} is SVG (make notebooks draws it so)", address.endswith(".svg"), ""
    for file in sorted((site / "_images").glob("*.svg")):
        faults = look(f"{base}/_images/{file.name}")
        pages_of = [p for p in pages if faults and f"/{file.name}" in (site / p).read_text(encoding="utf-8")]
        yield f"{pages_of} {file.name}: texts apart from each other", not faults, faults[:6]


def check_site(pages):
    workers, opened = os.cpu_count() or 1, [p for p in pages if is_opened(p)]
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(open_pages, [opened[k::workers] for k in range(workers)])
    seen = {path: shown for part in parts for path, shown in part.items()}
    for path in pages:
        said = [*check_file(path), *(check_view(path, *seen[path]) if path in seen else [])]
        yield from ((f"{path}: {what}", ok, detail) for what, ok, detail in said)
    yield from check_figures(pages)
    yield "a plot", any(with_class(p, "cell_output", "//img") for p in pages), ""
    place = f"{FOLDER}/OmnivariateTreeClassifier.html#omnivar.OmnivariateTreeClassifier.ccp_alpha"
    yield "the index has parameters", bool(parsed("genindex.html").xpath(f"//a[@href='{place}']")), place
    yield "each notebook has a page", titles().keys() <= set(pages), sorted(titles().keys() - set(pages))
    for words, place in SEARCHES.items():
        first, errors = search_finds(words)
        yield f"search for {words}", bool(first) and first.startswith(place) and not errors, (first, errors)


if __name__ == "__main__":
    if not (chromium := installed()):
        print("SKIPPED: no Chromium on this machine, so the site was not opened in a browser")
        sys.exit(bool(os.environ.get("OMNIVAR_NO_SKIPS")))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    pages = sorted(p.relative_to(site).as_posix() for p in site.rglob("*.html")
                   if "_static" not in p.parts)
    pages = [p for p in pages if p not in ("search.html", "genindex.html")]
    with Browser(chromium, NO_ANIMATION) as browser: results = list(check_site(pages))
    for what, ok, detail in results:
        if not ok: print("FAILED", what, detail)
    print(f"{len(pages)} pages, {sum(map(is_opened, pages))} of them opened: {sum(bool(r[1]) for r in results)} passed, {sum(not r[1] for r in results)} failed")
    sys.exit(not all(r[1] for r in results))
