"""How the site shows what a notebook exports. nbdev uses this for every page, as `procs` in settings.ini says.

nbdev would execute the notebook's imports and exported cells to find the objects to document, and leave the code out.
Here the objects come from the generated modules, so nothing is executed, and the code follows, folded.
(nbdev must be able to import this file: nbs/_tools is on the path of all that the Makefile runs.)
"""
import ast
import atexit
import inspect
import re
from functools import reduce
from operator import or_
from typing import Annotated, Union, get_args, get_origin

from execnb.nbio import mk_cell
from execnb.shell import CaptureShell
from nbdev.config import get_config
from nbdev.doclinks import NbdevLookup
from nbdev.process import Processor

EXPORT = ("export", "exports", "exporti")
Import = (ast.Import, ast.ImportFrom)


def statements(src):
    "The top-level statements of a cell; none if it is not plain Python (magics)."
    try: return ast.parse(src).body
    except SyntaxError: return []


def bound(node):
    "Names that a top-level statement defines."
    if isinstance(node, Import): return [a.asname or a.name.split(".")[0] for a in node.names]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [] if any(ast.unparse(d).startswith("patch") for d in node.decorator_list) else [node.name]
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    return [n.id for t in targets if t for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def module_of(flags, default):
    "The module that a cell with these directives is exported to, or None."
    return next(((flags[d] or [default])[0] for d in EXPORT if d in flags), None)


def import_from(module, names):
    "The statement that imports `names` from a module of the package, private ones too, which `*` would leave out."
    return f"from {get_config().lib_path.name}.{module} import {', '.join(dict.fromkeys(names))}".replace(
        ".__init__ ", " ")


def default_module(all_flags):
    return next((flags["default_exp"][0] for flags in all_flags if "default_exp" in flags), None)


def documented(cell):
    "The name in a `show_doc` cell that nbdev made, or None."
    return re.search(r"^show_doc\((.*)\)", cell.source, re.M)[1] if getattr(cell, "has_sd", False) else None


def plain_type(annotation):
    "The type of an option of a command, without its help; one that may be left out as in `str | None`."
    if get_origin(annotation) is Annotated: return plain_type(get_args(annotation)[0])
    if get_origin(annotation) is Union: return reduce(or_, get_args(annotation))
    return annotation


def signed(value):
    """Keep a signature with annotations as text where their names are unknown, as those of a parent class may be; show
    plain types."""
    try: found = inspect.signature(value, eval_str=True)
    except NameError: value.__signature__ = inspect.signature(value)
    except (TypeError, ValueError): return  # no function, or one without a signature
    else:
        if not inspect.isfunction(value): return
        value.__signature__ = found.replace(parameters=[p.replace(annotation=plain_type(p.annotation))
                                                        for p in found.parameters.values()])


def class_text(value) -> str:
    "The first line of a class, and the fields of a record with what is said of them."
    lines = inspect.getsource(value).splitlines()
    node = ast.parse("\n".join(lines)).body[0]
    fields = [line for part in node.body if isinstance(part, ast.AnnAssign) and hasattr(value, "_fields")
              for line in lines[part.lineno - 1:part.end_lineno]]
    return "\n".join([lines[node.lineno - 1], *fields])


def readable(text, value):
    "What `show_doc` wrote of `value`: a class is called one, `*args` have their stars, None is no type."
    if inspect.isclass(value):
        plain = rf"def {value.__name__}\(\s*(self, )?(/, )?args:VAR_POSITIONAL, kwargs:VAR_KEYWORD\s*\):"
        text = re.sub(plain, lambda found: class_text(value), text, count=1)
        text = re.sub(rf"^def {value.__name__}\(", f"class {value.__name__}(", text, count=1, flags=re.M)
    text = text.replace(":NoneType=None", "=None")
    return re.sub(r"(\w+):VAR_KEYWORD", r"**\1", re.sub(r"(\w+):VAR_POSITIONAL", r"*\1", text))


def shows_code(cell):
    return cell.cell_type == "code" and "exports" in (getattr(cell, "directives_", None) or {})


class ShowExported(Processor):
    def __init__(self, nb):
        "Before nbdev's own processors: see where each exported name goes, and have its code shown."
        super().__init__(nb)
        code = [c for c in nb.cells if c.cell_type == "code"]
        default = default_module(c.directives_ for c in code)
        self.imports = ["from nbdev.showdoc import show_doc"]
        for cell in code:
            module, body = module_of(cell.directives_, default), statements(cell.source)
            names = [n for node in body if not isinstance(node, Import) for n in bound(node)]
            if module and names: self.imports.append(import_from(module, names))
            if "export" in cell.directives_ and not all(isinstance(node, Import) for node in body):
                cell.directives_["exports"] = cell.directives_.pop("export")

    def begin(self):
        "After them: put what nbdev leaves in reverse order, the documentation of several names in one cell, in order."
        cells = self.nb.cells
        for i, cell in enumerate(cells):
            names = [n for node in statements(cell.source) for n in bound(node)] if shows_code(cell) else []
            end = next((j for j in range(i + 1, len(cells)) if documented(cells[j]) not in names), len(cells))
            if names and documented(cells[i - 1]) in names:
                cells[i - 1 : end] = [*cells[end - 1 : i : -1], cells[i - 1], cell]
        self.shell, self.links = CaptureShell(), NbdevLookup()
        # else each page's shell would collect all garbage of the process when that ends: longer than the pages take
        atexit.unregister(self.shell.atexit_operations)
        self.run(mk_cell("\n".join(self.imports)))

    def run(self, cell):
        self.shell.cell(cell)
        if self.shell.exc: raise RuntimeError(f"could not run, for this page:\n{cell.source}") from self.shell.exc

    def cell(self, cell):
        if cell.cell_type != "code" or not re.search(r"^show_doc\(", cell.source, re.M): return
        value = self.shell.user_ns.get(documented(cell))
        signed(value)
        self.run(cell)
        for out in cell.outputs:  # linked here, as `add_links` would spoil code
            text = readable("".join(out.data["text/markdown"]), value)
            if ":Annotated" in text: raise RuntimeError(f"{documented(cell)} is shown without its types:\n{text}")
            out.data["text/markdown"] = self.links.linkify(text).splitlines(True)
