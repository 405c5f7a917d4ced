"""The parts of the package and who may import whom: check it, draw it.

python nbs/_tools/parts.py        check every import of the package, that a wrong one would be found, the number of
                                  arguments of every kernel, and that no name is defined in two modules
draw("engine")                    in a notebook: the modules of a part, each above those it imports
"""
import ast
import shutil
import sys
import textwrap
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from tempfile import TemporaryDirectory

from nbdev.config import get_config

LIB = get_config().lib_path
BELOW = {  # part: what it may import besides itself; a dotted name allows one module only
    "messages": [],
    "engine": [],
    "datasets": ["messages"],
    "splitters": ["engine", "messages"],
    "export": ["engine", "messages"],
    "selection": ["engine", "splitters.missing_values", "splitters.imputation", "messages"],
    "chunks": ["selection", "splitters", "engine", "messages"],
    "estimators": ["chunks", "selection", "splitters", "export", "engine", "messages"],
    "experiments": ["estimators", "export", "datasets", "selection.significance", "engine.tiers", "messages"],
    "papers": ["experiments", "estimators", "chunks", "datasets", "selection", "splitters", "export", "engine", "messages"],
    "cli": ["papers", "experiments", "estimators", "chunks", "datasets", "selection", "splitters", "export", "engine",
            "messages"],
}

MOST_ARGUMENTS = 8  # of a kernel
LONG_KERNELS = set()  # those that may have more, each with the reason

OF_EVERY_PAPER = {"NAME", "PAPER", "SETS", "experiments", "paper_claims", "tables"}  # each module of `papers` may define its own


def modules(lib=LIB):
    "Every module of the package below its top: {dotted name: path}."
    paths = [p for p in sorted(lib.rglob("*.py")) if p.name not in ("__init__.py", "__main__.py", "_modidx.py")]
    return {".".join(p.relative_to(lib).with_suffix("").parts): p for p in paths}


def imported(name, path, known, lib=LIB):
    "Modules of the package that a module imports, inside functions as well; importing a public name counts as nothing."
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found = [a.name.split(".") for a in node.names if a.name.split(".")[0] == lib.name]
        elif isinstance(node, ast.ImportFrom):
            base = [lib.name, *name.split(".")][: -node.level] if node.level else []
            base += node.module.split(".") if node.module else []
            found = [[*base, a.name] for a in node.names] if base[:1] == [lib.name] else []
        else: continue
        for parts in found:
            for end in (len(parts), len(parts) - 1):
                if (target := ".".join(parts[1:end])) in known: yield target; break


def imports(lib=LIB, part=""):
    "{module: the modules it imports}, of the whole package or of one part."
    known = modules(lib)
    return {name: sorted({t for t in imported(name, path, known, lib) if t != name}) for name, path in known.items()
            if part in ("", name.split(".")[0])}


def faults(graph):
    "Imports that point upwards, and circles, in words."
    for name, targets in graph.items():
        part = name.split(".")[0]
        if part not in BELOW: yield f"{name} belongs to no part: {', '.join(BELOW)}"
        for t in targets:
            allowed = BELOW.get(part, [])
            if t.split(".")[0] != part and t.split(".")[0] not in allowed and t not in allowed:
                yield f"{name} imports {t}, but {part} may import only {', '.join(allowed) or 'nothing'}"
    try: list(TopologicalSorter(graph).static_order())
    except CycleError as e: yield f"a circle of imports: {' <- '.join(e.args[1])}"


def long_kernels(lib=LIB):
    """Kernels with more than `MOST_ARGUMENTS` that `LONG_KERNELS` does not know, and names there that are none, in
    words."""
    left = set(LONG_KERNELS)
    for module, path in modules(lib).items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef): continue
            if not {getattr(d, "id", None) for d in node.decorator_list} & {"kernel", "kernel_part", "fast_kernel"}:
                continue
            name, n = f"{module}.{node.name}", len(node.args.posonlyargs + node.args.args)
            if n > MOST_ARGUMENTS and name not in LONG_KERNELS:
                yield f"{name} has {n} arguments, at most {MOST_ARGUMENTS}: put some into a named tuple"
            elif n > MOST_ARGUMENTS: left.discard(name)
    for name in sorted(left): yield f"{name} is no kernel with many arguments (any more): take it off LONG_KERNELS"


def names_of(path):
    "The functions, classes and constants that a module defines."
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef): yield node.name
        elif isinstance(node, ast.Assign):
            yield from (t.id for target in node.targets for t in ast.walk(target) if isinstance(t, ast.Name)
                        and isinstance(t.ctx, ast.Store))


def shared_names(lib=LIB):
    "Names that two modules define, in words: a reader who looks for one would find the other."
    where = defaultdict(set)
    for module, path in modules(lib).items():
        for name in names_of(path):
            # nbdev's `_all_` adds names that come from another module to `__all__`
            if not (name.startswith("__") or name == "_all_" or module.startswith("papers.") and name in OF_EVERY_PAPER):
                where[name].add(module)
    return [f"{name} is defined in {' and in '.join(sorted(found))}: give each its own name"
            for name, found in sorted(where.items()) if len(found) > 1]


def floors(graph, names):
    "{module: floor}: 0 for those that import none of `names`, else one above the highest that they import."
    level = {}
    for name in TopologicalSorter({n: [t for t in graph[n] if t in names] for n in names}).static_order():
        level[name] = 1 + max((level[t] for t in graph[name] if t in names), default=-1)
    return level


def finds_a_planted_fault():
    "Does an import that points upwards, or a circle, come to light in a copy of the package?"
    found = []
    for module, line in (("engine/tree.py", "from ..splitters import axis"),
                         ("messages.py", "from .engine import tree")):
        with TemporaryDirectory() as folder:
            lib = Path(shutil.copytree(LIB, Path(folder) / LIB.name,
                                       ignore=shutil.ignore_patterns("__pycache__", "*.csv")))
            with (lib / module).open("a", encoding="utf-8") as file: file.write(f"\n{line}\n")
            found.append(bool(list(faults(imports(lib)))))
    return all(found)


SIDE_BY_SIDE = 7  # modules on one line of the picture: more of a floor stand on several lines


def direct(graph, names):
    "{module: the imports among `names` that no other of its imports has in turn}, as a picture shows them."
    reached = {}
    for name in TopologicalSorter({n: [t for t in graph[n] if t in names] for n in names}).static_order():
        reached[name] = {t for m in graph[name] if m in names for t in {m, *reached[m]}}
    return {n: [t for t in graph[n] if t in names
                and not any(t in reached[m] for m in graph[n] if m in names)] for n in names}


def untangled(rows, links, rounds=12):
    "The same rows, their members moved sideways towards the middle of those that they are linked with."
    near = {n: set(links[n]) | {m for m in links if n in links[m]} for n in links}
    place = {n: (i + 0.5) / len(row) for row in rows for i, n in enumerate(row)}
    for _ in range(rounds):
        for row in [*rows, *rows[::-1]]:
            middle = {n: sum(place[m] for m in near[n]) / len(near[n]) if near[n] else place[n] for n in row}
            for i, n in enumerate(sorted(row, key=middle.get)): place[n] = (i + 0.5) / len(row)
    return [sorted(row, key=place.get) for row in rows], place


def draw(part, ax=None):
    "The modules of a part, each above those of the part that it imports."
    import matplotlib.pyplot as plt

    graph = imports(part=part)
    level = floors(graph, list(graph))
    links = direct(graph, list(level))
    rows, place = untangled([[n for n in level if level[n] == k] for k in range(max(level.values()) + 1)], links)
    width, count = max(map(len, rows)), [-(-len(row) // SIDE_BY_SIDE) for row in rows]
    lines = [row[k::n] for row, n in zip(rows, count) for k in range(n)]
    if ax is None:
        size = min(9.5, 2.0 * max(map(len, lines)) + 1), 0.85 * len(lines) + 0.4
        ax = plt.subplots(figsize=size, layout="constrained")[1]
    at = {n: (place[n] * width, k) for k, line in enumerate(lines) for n in line}
    for n, (x, y) in at.items():
        for t in links[n]: ax.plot([x, at[t][0]], [y - 0.2, at[t][1] + 0.2], color="0.6", lw=0.9, zorder=1)
        label = "\n".join(textwrap.wrap(n.split(".")[1].replace("_", " "), 14))
        ax.text(x, y, label, ha="center", va="center", fontsize=9, zorder=2,
                bbox=dict(boxstyle="round,pad=0.35", fc="#d5e8f7", ec="0.4"))
    ax.set(xlim=(-0.03 * width, 1.03 * width), ylim=(-0.6, len(lines) - 0.4)); ax.set_axis_off()


if __name__ == "__main__":
    graph = imports()
    wrong = [*faults(graph), *long_kernels(), *shared_names(),
             *([] if finds_a_planted_fault() else ["a planted wrong import was not found"])]
    for line in wrong: print("FAILED", line)
    if not wrong:
        print(f"{len(LONG_KERNELS)} kernels have more than {MOST_ARGUMENTS} arguments")
        print(f"{len(graph)} modules on {1 + max(floors(graph, list(graph)).values())} floors, in {len(BELOW)} parts")
    print(f"{1 + len(graph) - min(len(wrong), len(graph))} passed, {len(wrong)} failed")
    sys.exit(bool(wrong))
