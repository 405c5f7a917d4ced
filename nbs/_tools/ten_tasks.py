"""Ten things that a new user looks for, from the home page: steps and seconds of the way by the search, and by links.

python nbs/_tools/ten_tasks.py [FOLDER]      FOLDER holds a built site, _docs if none is named

Chromium does what a reader would: types into the search, opens one answer after the other until a page has what is
looked for, and pages down to it. Times of hands, eyes and thought are those of the keystroke-level model (Card, Moran
and Newell 1983), so they are computed, not measured on people; times of loading and searching are measured.
"""
import re
import sys
import threading
import time
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

from lxml import html

import check_site
from browser import Browser
from check_site import NAMES, Quiet, shutil

KEY, POINT, CLICK, THINK = 0.28, 1.1, 0.2, 1.35  # seconds
TASKS = [  # what for, words in the search, what a block of text has to say
    ("what is ccp_alpha?", "ccp_alpha", r"ccp_alpha.{0,25}(float|number)"),
    ("save a tree as SQL", "SQL", r"export_sql\("),
    ("explain one row", "explain row", r"\.explain\(|explain_row\("),
    ("blanks in a table", "missing values", r"(?s)(nan|None|missing|\?).*\.fit\(|omnivar (fit|compare)"),
    ("compare with CART", "compare CART", r"omnivar compare|compare\("),
    ("a model for ONNX", "ONNX", r"to_onnx\("),
    ("rare classes", "class_weight", r"class_weight\s*="),
    ("tune parameters", "grid search", r"GridSearchCV\("),
    ("a table with texts", "categories", r"(?s)category.*\.fit\("),
    ("draw a tree", "plot tree", r"plot_tree\("),
]
BLOCKS = "pre, p, li, dt, dd, td"
# where the first block of a page is that says it, in screens below the top of the window; null: nowhere
PLACE = """(pattern => {
  const block = [...document.querySelectorAll(BLOCKS)].find(e => e.closest("article, .body, main") && pattern.test(e.textContent));
  for (let e = block; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  return block ? Math.max(Math.floor(block.getBoundingClientRect().top / innerHeight), 0) : null;
})""".replace("BLOCKS", repr(BLOCKS))
MOST = 8  # answers that are opened, at most


def by_search(tab, base, words, pattern):
    "(steps, seconds) until the text is in sight, or None."
    steps, seconds, start = 2, POINT + CLICK + THINK + KEY * (len(words) + 1), time.monotonic()  # type, Enter
    tab.open(f"{base}/search.html?q={words.replace(' ', '+')}")
    listed = "[...document.querySelectorAll('ul.search li > a:first-of-type')].map(a => a.href)"
    while not (links := tab.evaluate(listed)) and time.monotonic() < start + 10: time.sleep(0.05)
    time.sleep(1)  # the list goes on to grow
    links, seconds = tab.evaluate(listed)[:MOST], seconds + time.monotonic() - start - 1
    for link in links:
        start = time.monotonic()
        tab.open("about:blank"), tab.open(link)
        seconds += THINK + POINT + CLICK + time.monotonic() - start
        screens = tab.evaluate(f"{PLACE}(new RegExp({pattern!r}))".replace("(?s)", "")) if "(?s)" not in pattern else \
            tab.evaluate(f"{PLACE}(new RegExp({pattern.replace('(?s)', '')!r}, 's'))")
        steps += 1
        if screens is not None: return steps + screens, seconds + screens * (KEY + THINK)
        steps, seconds = steps + 1, seconds + THINK + KEY  # back
    return None


def by_links(site, pattern):
    "How many clicks lead from the home page to a page that says it, at least; and to which."
    seen, level, clicks = {"index.html"}, ["index.html"], 0
    while level and clicks < 4:
        following = []
        for path in level:
            page = html.fromstring((site / path).read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
            for main in page.xpath("//article | //main")[:1]:
                blocks = main.xpath(".//pre | .//p | .//li | .//dt | .//dd | .//td")
                if any(re.search(pattern, b.text_content()) for b in blocks): return clicks, path
            for link in page.xpath("//a/@href"):
                to = (site / path).parent / link.partition("#")[0]
                if ":" in link or not to.is_file() or to.suffix != ".html": continue
                name = to.resolve().relative_to(site.resolve()).as_posix()
                if name not in seen: seen.add(name), following.append(name)
        level, clicks = following, clicks + 1
    return None


def main(site):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    total = [0, 0.0]
    with Browser(next(filter(None, map(shutil.which, NAMES)))) as browser:
        tab = browser.tab()
        tab.call("Emulation.setDeviceMetricsOverride", width=1400, height=900, deviceScaleFactor=1, mobile=False)
        for what, words, pattern in TASKS:
            found, near = by_search(tab, f"http://127.0.0.1:{server.server_port}", words, pattern), by_links(site, pattern)
            said = f"{found[0]:3d} steps {found[1]:5.1f} s" if found else "    not found   "
            print(f"{what:22s}{said}    by links: " + (f"{near[0]} clicks, {near[1]}" if near else "not found"), flush=True)
            if found: total = [total[0] + found[0], total[1] + found[1]]
    print(f"{'together':22s}{total[0]:3d} steps {total[1]:5.1f} s")


if __name__ == "__main__": main(Path(sys.argv[1]) if sys.argv[1:] else check_site.site)
