"""The API reference: a page for each public name, from its numpydoc docstring; a Sphinx extension, used by conf.py.

`write_pages` writes the sources of the pages, which say what autodoc shall show. The extension gives each parameter and
attribute an anchor, an entry in the index and one in the search, and turns nbdev's single backticks into links.
"""
import inspect
import re
from enum import EnumType
from functools import cache
from pathlib import Path

import omnivar
from docutils import nodes
from nbdev.config import get_config
from nbdev.doclinks import NbdevLookup
from sphinx import addnodes

FOLDER, PACKAGE, PUBLIC = "api", get_config().lib_name, omnivar.__all__
# scikit-learn's methods that every estimator has: named, but documented there
THEIRS = ["get_params", "set_params", "get_metadata_routing", "set_fit_request", "set_score_request", "set_output"]


@cache
def lookup():
    return NbdevLookup()


@cache
def derivations():
    "{address of the section of a notebook that defines a public name, as nbdev links to it: the name}."
    return {found[0]: name for name in PUBLIC if (found := lookup()[name])}


def notebook_of(name):
    "The page that derives a public name, without its ending, or None."
    base = f"{get_config().doc_host}{get_config().doc_baseurl}/"
    found = lookup()[name]
    return found and found[0].removeprefix(base).partition(".html")[0]


def members(value):
    "Public methods of a class that this package defines, in the order of the classes that define them."
    if not isinstance(value, type): return []
    mine = [c for c in value.__mro__ if c.__module__.split(".")[0] == PACKAGE]
    names = dict.fromkeys(n for c in mine for n, v in vars(c).items() if not n.startswith("_") and
                          (inspect.isfunction(v) or isinstance(v, (classmethod, staticmethod, property))))
    return [n for n in names if n not in THEIRS and inspect.getdoc(getattr(value, n))]


def directive(name):
    "What autodoc shall show of a public name."
    value = getattr(omnivar, name)
    if isinstance(value, EnumType): return [f".. autoclass:: {name}", "   :members:", "   :undoc-members:"]
    if isinstance(value, type):
        return [f".. autoclass:: {name}", *([f"   :members: {', '.join(names)}"] if (names := members(value)) else [])]
    if callable(value): return [f".. autofunction:: {name}"]
    return [f".. py:data:: {name}", f"   :type: {type(value).__name__}", "",
            "   Names of published systems, each with what makes its estimator. `preset` takes any of them.", "",
            *[f"   - ``{key!r}``" for key in value]]


def write_pages(src):
    "Write a page for each public name below `src`; the list of them links to those that no notebook exports."
    (src / FOLDER).mkdir()
    for name in PUBLIC:
        where = notebook_of(name)
        more = f"\nDerived and tested in [](../{where}.ipynb).\n" if where and (src / f"{where}.ipynb").exists() else ""
        text = "\n".join([f".. currentmodule:: {PACKAGE}", "", *directive(name)])
        if where is None: link_in(src / f"{FOLDER}.ipynb", name)
        (src / FOLDER / f"{name}.md").write_text(f"# {name}\n\n```{{eval-rst}}\n{text}\n```\n{more}", encoding="utf-8")


def link_in(notebook, name):
    "In the tables of a notebook, link a name to its page."
    text = notebook.read_text(encoding="utf-8")
    notebook.write_text(text.replace(f"| `{name}` |", f"| [`{name}`]({FOLDER}/{name}.md) |"), encoding="utf-8")


def links_to_reference(text, up):
    "Where nbdev links to the section that derives a public name, link to the name's page."
    def better(found):
        address, member = found[1], ""
        if address not in derivations(): address, _, member = address.rpartition(".")
        name = derivations().get(address)
        if name is None: return found[0]
        if member not in members(getattr(omnivar, name)): member = ""
        return f'href="{up}{FOLDER}/{name}.html' + (f"#{PACKAGE}.{name}.{member}" if member else "") + '"'
    host = re.escape(get_config().doc_host)
    return re.sub(rf'href="({host}[^"]*#[^"]+)"', better, text)


def without_common_words(text, part):
    "Elsewhere `fit` is a method, not the command of that name: no link to the command's page."
    if part == "cli": return text
    return re.sub(r'<a class="reference external" href="[^"]*#(?:fit|predict|export|view|model)">(<code.*?</code>)</a>',
                  r"\1", text)


# the extension ----------------------------------------------------------------------------------
def escape(app, what, name, obj, options, lines):
    "What docstrings write as plain text and reStructuredText would read as a substitution, a link or an open quote."
    for wrong, right in [(r"\|", r"\|"), (r"(?<![`\w*])(\w+)_(?![`\w*])", r"\1\\_"),
                         (r"(?<![`\w])`(\w[^`]*) `(?=[\s.,;]|$)", r"``\1``")]:
        lines[:] = [line if line.lstrip().startswith((">>>", "...")) else re.sub(wrong, right, line) for line in lines]


def anchors(app, domain, objtype, content):
    "Parameters and attributes get an anchor of their own, and an entry in the index."
    signature = content.parent[0]
    if domain != "py" or objtype not in ("class", "function") or not signature["ids"]: return
    owner, python = signature["ids"][0], app.env.get_domain("py")
    for field in content.findall(nodes.field):
        if field[0].astext() not in ("Parameters", "Attributes"): continue
        for item in field.findall(nodes.definition_list_item):
            strong = next(iter(item[0].findall(nodes.strong)), None)
            for one in strong.astext().replace("*", "").split(", ") if strong else []:
                label = f"{owner}.{one}"
                if label in python.objects: continue
                item[0]["ids"].append(label)
                python.note_object(label, "parameter" if field[0].astext() == "Parameters" else "attribute", label)
                item[0].insert(0, addnodes.index(entries=[
                    ("single", f"{one} ({owner.rpartition('.')[2]})", label, "", None)]))
            if item[0]["ids"]:
                link = f'<a class="headerlink" href="#{item[0]["ids"][0]}" title="Link to this">¶</a>'
                item[0] += nodes.raw("", link, format="html")


def setup(app):
    app.connect("autodoc-process-docstring", escape)
    app.connect("object-description-transform", anchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
