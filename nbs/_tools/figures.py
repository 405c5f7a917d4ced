"""Figures of the notebooks as SVG, small and the same in every run; matplotlibrc beside this file is their style."""
import re
from base64 import b64decode, b64encode
from io import BytesIO
from pathlib import Path

STYLE = Path(__file__).with_name("matplotlibrc")
MANY, FEW = 1000, 40  # marks of a figure, beyond which layers become pixels; those of fewer marks stay
RESOLUTION = 144  # dots per inch of these pixels
NOTHING = dict.fromkeys(["Date", "Creator", "Format", "Type"])  # is said of the file: it would change with versions


def marks(artist):
    "How many marks an artist draws; five points of a line count as one."
    from matplotlib.collections import Collection, PathCollection
    from matplotlib.lines import Line2D
    if isinstance(artist, PathCollection): return len(artist.get_offsets())
    if isinstance(artist, Collection): return sum(len(p.vertices) for p in artist.get_paths()) // 5
    if not isinstance(artist, Line2D): return 0
    n = len(artist.get_xdata(orig=False))
    return n // 5 if artist.get_marker() in ("None", "none", None, "", " ") else n


def in_few_colours(found):
    "Pixels without holes in 256 colours, as the match of a PNG file in base 64; as they are if that is not smaller."
    from PIL import Image
    same = "".join(found[1].split())
    picture = Image.open(BytesIO(b64decode(same))).convert("RGBA")
    if picture.getextrema()[3][0] < 255: return "base64," + same
    few = picture.convert("RGB").quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(file := BytesIO(), "PNG", optimize=True)
    return "base64," + min(b64encode(file.getvalue()).decode(), same, key=len)


def compact(svg):
    "The same picture on one line, without the head of the file and comments."
    svg = re.sub(r"base64,([\w+/=\s]+)", in_few_colours, svg)
    svg = re.sub(r"<!--.*?-->|<\?xml.*?\?>|<!DOCTYPE.*?>", "", svg, flags=re.S)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = svg.replace("font-family: 'DejaVu Sans'\"", "font-family: 'DejaVu Sans', 'Verdana', sans-serif\"")  # of formulas
    return re.sub(r"\s*\n\s*", " ", re.sub(r">\s+<", "><", svg)).strip() + "\n"


def as_svg(figure):
    "A figure as SVG; where there are many marks, the layers of most are pixels in it."
    from IPython.core.pylabtools import print_figure
    layers = sorted(((marks(a), k, a) for k, a in enumerate(figure.findobj()) if not a.get_rasterized()), reverse=True)
    left = sum(n for n, _, _ in layers)
    for n, _, artist in layers:
        if left <= MANY or n <= FEW: break
        artist.set_rasterized(True)
        left -= n
    svg = print_figure(figure, "svg", dpi=RESOLUTION, metadata=NOTHING)
    return svg and compact(svg)


def show_svg(shell):
    "Let a shell show the figures of matplotlib so."
    from matplotlib.figure import Figure
    shell.display_formatter.formatters["image/svg+xml"].for_type(Figure, as_svg)


def drawn(figure):
    "Draw a figure, and say that there is one, but not how it looks: what nobody looks at is not written either."
    if figure.axes or figure.lines: return figure.canvas.draw() or b""


def only_draw(shell):
    "Let a shell draw the figures of matplotlib without showing them: in half the time."
    from matplotlib.figure import Figure
    shell.display_formatter.formatters["image/png"].for_type(Figure, drawn)
