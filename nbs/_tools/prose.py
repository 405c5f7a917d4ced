"""How much of the exported code is introduced in words, and run.

python nbs/_tools/prose.py           check all notebooks: prose before most exported cells, a run soon after most
python nbs/_tools/prose.py --pages   list also the pages that fall short, with the numbers of the cells

Prose is a text of six words or more since the last exported cell. A run is a cell of code that is not exported, among
the next three cells of code; tests count. Cells of imports alone are left out. The description below a title is one
line, as all that read it take one. A slow cell shows the output that it has stored, which only `make.py notebooks
--slow` writes. A displayed formula begins a paragraph, and no line within a formula begins as a list does: the site
would take the words after it for letters of the formula. No output says of what type of numpy a number is.
"""
import ast
import re
import sys

from execnb.nbio import read_nb
from nbdev.config import get_config

from stage import directives, notebooks

PROSE, RUN = 0.8, 0.95  # proportions of the exported cells
WORDS = 6


def is_exported(cell):
    return cell.cell_type == "code" and any(d.startswith("export") for d in directives(cell))


def is_imports(cell):
    "Whether a cell of code imports, and nothing else."
    nodes = ast.parse("\n".join(line for line in cell.source.splitlines() if not line.startswith("#|"))).body
    return all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in nodes)


def lacks_output(cell):
    "Whether a slow cell of a page shows something, and nothing is stored."
    found = directives(cell)
    return ("slow" in found and "test" not in found and not cell.outputs
            and isinstance(ast.parse(cell.source).body[-1], ast.Expr))


def torn_formulas(text):
    "Paragraphs of a text whose formulas the site would not read as formulas."
    text = re.sub(r"`[^`\n]*`|\\\$", "", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))
    def is_torn(paragraph):
        "A display that does not come first, or a list in an open formula."
        signs = paragraph.count("$")  # an odd one is an amount of money
        opened = [paragraph[:m.start()].count("$") % 2
                  for m in re.finditer(r"^ {0,3}(?:[-+*]|\d+[.)]) ", paragraph, flags=re.M)]
        late = re.search(r"\A(?!\s*\$\$).*^\$\$", paragraph, flags=re.S | re.M)
        return (signs % 2 == 0 and any(opened)) or bool(late)
    return [p for p in re.split(r"\n\s*\n", text) if is_torn(p)]


def shows_types(cell):
    "Whether an output says of what type of numpy a number is."
    texts = [str(o.get("text", "") or o.get("data", {}).get("text/plain", "")) for o in cell.get("outputs", [])]
    return any(re.search(r"\bnp\.(?:float|int|uint|bool|str|True|False)", text) for text in texts)


def measured(cells):
    "For each exported cell its number, whether prose comes before it, and whether a run comes after it."
    code = [i for i, c in enumerate(cells) if c.cell_type == "code"]
    exported = {i for i in code if is_exported(cells[i]) and not is_imports(cells[i])}
    runs = {i for i in code if not is_exported(cells[i]) and "nbdev_export" not in cells[i].source
            and "default_exp" not in directives(cells[i])}
    found, prose = [], False
    for i, cell in enumerate(cells):
        if cell.cell_type == "markdown" and len(cell.source.split()) >= WORDS: prose = True
        if i in exported:
            at = code.index(i)
            found.append((i, prose, any(k in runs for k in code[at + 1:at + 4])))
            prose = False
    return found


def main():
    root, n, with_prose, with_run, cut, empty, ugly = get_config().config_path, 0, 0, 0, [], [], []
    for path in notebooks():
        cells = read_nb(path).cells
        found = measured(cells)
        if "\n> " in cells[0].source.partition("\n> ")[2]: cut.append(path.relative_to(root))
        ugly += [f"{path.relative_to(root)}: a formula that the site does not read in {p.splitlines()[0]!r}"
                 for cell in cells if cell.cell_type == "markdown" for p in torn_formulas(cell.source)]
        slow = [i for i, cell in enumerate(cells) if lacks_output(cell)]
        if slow: empty.append(f"{path.relative_to(root)}: no stored output of {slow}; "
                              f"python nbs/_tools/make.py notebooks --slow {path.stem} writes it")
        ugly += [f"{path.relative_to(root)}, cell {i}: np.float64(...) and the like in its output; print the number"
                 for i, cell in enumerate(cells) if shows_types(cell)]
        n += len(found); with_prose += sum(p for _, p, _ in found); with_run += sum(r for _, _, r in found)
        bare, idle = [i for i, p, _ in found if not p], [i for i, _, r in found if not r]
        if "--pages" in sys.argv and (len(bare) > 0.2 * len(found) or len(idle) > 0.05 * len(found)):
            print(f"{path.relative_to(root)}: no prose before {bare}, no run after {idle}")
    print(f"{n} exported cells: prose before {with_prose / n:.1%} (at least {PROSE:.0%}), a run within three cells of "
          f"code after {with_run / n:.1%} (at least {RUN:.0%})")
    for path in cut: print(f"{path}: the description below the title is longer than one line")
    for said in empty + ugly: print(said)
    bad = (with_prose < PROSE * n) + (with_run < RUN * n) + bool(cut) + bool(empty) + bool(ugly)
    print(f"{5 - bad} passed, {bad} failed")
    return bad


if __name__ == "__main__": sys.exit(main() > 0)
