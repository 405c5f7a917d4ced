"""Do the outputs that are stored in the notebooks equal those of a fresh run?

`make.py nbtest` runs the notebooks anyway; `recording` lets its shells compare what they get with what is stored, which
costs no further run. Only text is compared: what is printed, and the plain form of results; no pictures, no warnings.
Memory addresses, paths and durations may differ, and cells that measure time are left out. Numbers may differ in the
last digits, since processors round differently. A cell whose text has to change says `#| varies`.
"""
import json
import math
import os
import re
import sys
from pathlib import Path

from figures import only_draw

FREE = [(r"0x[0-9a-fA-F]{6,}", "ADDRESS"), (r"(?<![\w.])(?:~|\.{0,2})/[\w.@+-]+(?:/[\w.@+-]*)*", "PATH"),
        (r"\b\d+(?:[.,]\d+)*\s?(?:ns|us|µs|ms|s|sec|seconds|min|minutes)\b", "TIME")]
MEASURES_TIME = re.compile(r"perf_counter|process_time|timeit|%%?time\b|monotonic\(\)|#\| *varies")
# without the JIT numbers are numpy's, which say so; how a table is laid out in HTML
PLAIN = [(r"np\.(?:float|int|uint|bool|str)\w*\(([^()]*)\)", r"\1"), (r"np\.(True|False)_", r"\1")]
LAID_OUT = r"<style.*?</style>|<[^>]*>"
NUMBER = re.compile(r"([-+]?\d+\.\d*(?:e[-+]?\d+)?|[-+]?\d+e[-+]?\d+)")


def one_text(output):
    "What one output says. The plain form of a table leaves out columns that the window is too narrow for."
    data = output.get("data") or {}
    page = "".join(data.get("text/html") or "")
    if "<table" in page: return re.sub(LAID_OUT, " ", page, flags=re.S)
    return "".join(output.get("text") or data.get("text/plain") or "")


PICTURES = {"image/png", "image/svg+xml"}


def text_of(outputs):
    "What the outputs of a cell say, without what is free to differ."
    said = [one_text(o) for o in outputs if o.get("name") != "stderr" and PICTURES.isdisjoint(o.get("data") or {})]
    text = "\n".join(s.rstrip() for s in said if s.strip())
    for pattern, name in FREE + PLAIN: text = re.sub(pattern, name, text)
    return re.sub(r"\s+", " ", text).strip()


def alike(stored, fresh, tolerance=1e-6):
    "Whether two texts are equal but for the last digits of numbers."
    a, b = NUMBER.split(stored), NUMBER.split(fresh)
    if len(a) != len(b): return False
    number = lambda i, x, y: i % 2 and math.isclose(float(x), float(y), rel_tol=tolerance, abs_tol=1e-9)
    return all(x.strip() == y.strip() or number(i, x, y) for i, (x, y) in enumerate(zip(a, b)))


def differences(sources, stored, fresh):
    "(cell, stored text, fresh text) of the cells that say something else now."
    found = [(i, text_of(a), text_of(b)) for i, (a, b) in enumerate(zip(stored, fresh))
             if not MEASURES_TIME.search(sources[i])]
    return [(i, a, b) for i, a, b in found if not alike(a, b)]


def source_of(cell):
    "The source of a cell, with the directives that nbdev has taken out of it."
    return "\n".join([*(f"#| {name}" for name in getattr(cell, "directives_", None) or {}), cell.source])


def recording(shell, folder):
    "A class of shells that run as `shell` does, and note in `folder` which outputs differ, or why a run stopped."
    class Recording(shell):
        def __init__(self, path=None, *args, **kwargs):
            super().__init__(path, *args, **kwargs)
            only_draw(self)
            if "pandas" in sys.modules: sys.modules["pandas"].reset_option("display")  # of the notebook before
            self.notebook = path

        def run_all(self, nb, *args, **kwargs):
            stored = [list(cell.get("outputs") or []) for cell in nb.cells]
            name = f"{Path(self.notebook).parent.name}.{Path(self.notebook).stem}"
            try: result = super().run_all(nb, *args, **kwargs)
            except Exception:  # the worker's own stderr is not seen
                Path(folder, f"{name}.txt").write_text(self.prettytb(fname=self.notebook), encoding="utf-8")
                raise
            fresh = [list(cell.get("outputs") or []) for cell in nb.cells]
            found = differences([source_of(cell) for cell in nb.cells], stored, fresh)
            if found: Path(folder, f"{name}.json").write_text(json.dumps(found), encoding="utf-8")
            return result
    return Recording


def report(folder, width=150):
    "Print what was noted in `folder`, errors too, and return the names of the notebooks that say something else."
    for error in sorted(Path(folder).glob("*.txt")): print(f"{error.stem}\n{error.read_text(encoding='utf-8')}")
    notes = sorted(Path(folder).glob("*.json"))
    for note in notes:
        for i, stored, fresh in json.loads(note.read_text(encoding="utf-8")):
            at = len(os.path.commonprefix([stored, fresh]))
            at = max(at - width // 3, 0)
            print(f"{note.stem}, cell {i}\n  stored: {stored[at:at + width]}\n  fresh:  {fresh[at:at + width]}")
    return [note.stem for note in notes]
