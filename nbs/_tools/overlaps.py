"""Run notebooks and list their figures whose texts overlap each other or are cut off: python nbs/_tools/overlaps.py

NAME...: only these notebooks. All texts of a figure, titles, labels, ticks and legends, are compared by their boxes.
"""
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from multiprocessing import get_context

from stage import execute, notebooks

SLACK = 1.5  # pixels that boxes may share: they are a little larger than the letters


def not_drawn(figure):
    "The labels of ticks outside of an axis' limits, and of axes that are switched off, by their identity."
    hidden = set()
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            near = 1e-9 * (high - low)
            for tick in axis.get_major_ticks() + axis.get_minor_ticks():
                if not ax.axison or not low - near <= tick.get_loc() <= high + near: hidden |= {id(tick.label1), id(tick.label2)}
    return hidden


def faults(figure):
    "Pairs of level or upright texts that overlap."
    from matplotlib.text import Text
    figure.canvas.draw()
    hidden, renderer, found = not_drawn(figure), figure.canvas.get_renderer(), []
    for text in figure.findobj(Text):
        if id(text) in hidden or not text.get_visible() or not text.get_text().strip(): continue
        if text.axes is not None and not text.axes.get_visible(): continue
        box = text.get_window_extent(renderer)
        if box.width > 0 and box.height > 0 and text.get_rotation() % 90 == 0: found.append((text.get_text(), box))
    for (a, p), (b, q) in combinations(found, 2):
        w, h = min(p.x1, q.x1) - max(p.x0, q.x0), min(p.y1, q.y1) - max(p.y0, q.y0)
        if w > SLACK and h > SLACK: yield f"{a!r} over {b!r} ({w:.0f} x {h:.0f} pixels)"


def run(path):
    "Faults of the figures of a notebook."
    from execnb.nbio import read_nb
    from IPython.core import pylabtools
    found, draw = [], pylabtools.print_figure

    def looked_at(figure, *args, **kwargs):
        found.append(list(faults(figure)))
        return draw(figure, *args, **kwargs)
    pylabtools.print_figure = looked_at
    try: execute(read_nb(path), path)
    except Exception as error: return path, [[f"does not run: {str(error)[-300:]}"]]
    return path, found


if __name__ == "__main__":
    names, bad = sys.argv[1:], 0
    paths = [p for p in notebooks() if not names or p.stem in names]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for path, found in pool.map(run, paths):
            for number, lines in enumerate(found):
                if lines: print(f"{path.parent.name}/{path.name}, figure {number}:", *lines[:6], sep="\n    ", flush=True)
                bad += bool(lines)
    print(f"{bad} figures with overlapping texts")
    sys.exit(bad > 0)
