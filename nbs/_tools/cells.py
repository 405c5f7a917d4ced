"""Check that cells are short: no line over 120 characters, no exported function over 25 lines; that tables are tables.

Neither a docstring nor a function's parameters count; in texts, tables and formulas may be wider. The first cell has
title and description alone: the site leaves out what else it says.
"""
import ast
import re
import sys

from execnb.nbio import read_nb

from exported import module_of
from stage import directives, notebooks

WIDEST, LONGEST = 120, 25


def own_lines(node):
    "Lines of a function's body without its docstring."
    body = node.body[ast.get_docstring(node) is not None:]
    return node.body[-1].end_lineno - body[0].lineno + 1 if body else 0


def faults(path):
    "What is wrong with the cells of a notebook."
    for number, cell in enumerate(read_nb(path).cells):
        if not number and len(re.split(r"\n\s*\n", cell.source.strip())) > 2: yield f"{path.name}: a text in the first cell"
        place = f"{path.parent.name}/{path.name}, cell {number}"
        for line in cell.source.splitlines():
            free = cell.cell_type != "code" and line.startswith(("|", "$$"))
            if cell.cell_type == "markdown" and set(line) - set("|:- ") and re.search(r"\|:?--+:?\|", line):
                yield f"{place}: a table whose rows were joined"
            if len(line) > WIDEST and not free: yield f"{place}: {len(line)} characters in the line {line.strip()[:60]}..."
        if cell.cell_type != "code" or module_of(directives(cell), "") is None: continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.FunctionDef) and own_lines(node) > LONGEST:
                yield f"{place}: {own_lines(node)} lines in {node.name}"


if __name__ == "__main__":
    found = [list(faults(p)) for p in notebooks()]
    for fault in sum(found, []): print(fault)
    failed = sum(map(bool, found))
    print(f"{len(found) - failed} passed, {failed} failed")
    sys.exit(failed > 0)
