"""Sphinx settings of the site that make.py builds; names come from settings.ini, navigation from _quarto.yml."""
import re
from functools import cache
from pathlib import Path

import yaml
from nbdev.config import get_config
from numpydoc import docscrape_sphinx
from sphinx.search.en import SearchEnglish

from stage import page

cfg = get_config()
project = html_title = cfg.title
author, copyright, version = cfg.author, cfg.copyright, cfg.version
extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc", "reference"]
nb_execution_mode = "off"  # stage.py has run them
templates_path = ["templates"]
suppress_warnings = ["myst.header"]  # show_doc headings are level 3 wherever they stand
nb_render_markdown_format = "myst"
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 4
mathjax_path = "tex-svg.js"  # MathJax 3 from sphinx-mathjax-offline, copied by make.py
html_theme = "furo"
html_static_path = [str(cfg.config_path / "_proc/_make/static")]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "static/search_order.js")
html_copy_source = html_show_sourcelink = False
# the API: one line for each parameter of a signature; single backticks are links where there is something of that name
autodoc_typehints = "none"
autodoc_member_order = "bysource"
maximum_signature_line_length = 60
toc_object_entries_show_parents = "hide"
default_role = "py:obj"
numpydoc_show_class_members = False
numpydoc_use_plots = False


@cache
def contents():
    return yaml.safe_load((cfg.config_path / "_quarto.yml").read_text("utf-8"))["website"]["sidebar"]["contents"]


def entry(item, titles, number, level=1):
    "An item of the sidebar: its page and text, what is below it, and a number of its own."
    below = item.get("contents", []) if isinstance(item, dict) else []
    name = page(item["href"] if isinstance(item, dict) else item)
    return dict(page=name, text=titles[name].astext() if isinstance(item, str) else item["section"], number=number,
                level=level, below=[entry(i, titles, f"{number}-{k}", level + 1) for k, i in enumerate(below, 1)])


@cache
def navigation(env):
    "The sidebar, as in _quarto.yml: sections, each with a caption and its items."
    def section(item, k):
        items = [item] if isinstance(item, str) else item["contents"]
        return dict(caption="" if isinstance(item, str) else item["section"],
                    below=[entry(i, env.titles, f"{k}-{j}") for j, i in enumerate(items, 1)])
    return [section(item, k) for k, item in enumerate(contents(), 1)]


def holds(item, here):
    "Is the page `here` this item or below it?"
    return item["page"] == here or any(holds(i, here) for i in item["below"])


drawn = {}  # items of the sidebar that do not hold the page, drawn once for all pages of a folder


def once(item, here, folder, draw):
    "An item as `draw` draws it, or as it was drawn for another page of the folder."
    if holds(item, here): return draw(item)
    key = folder, item["number"]
    if key not in drawn: drawn[key] = draw(item)
    return drawn[key]


def add_navigation(app, pagename, templatename, context, doctree):
    "Before furo's own: the sidebar comes from templates/sidebar/navigation.html."
    context.pop("toctree", None)
    here = re.sub("^api/.*", "api", pagename)  # a page of the reference belongs to the list of them
    context |= dict(navigation=navigation(app.env), holds=lambda item: holds(item, here),
                    is_page=lambda item: item["page"] == here,
                    once=lambda item, draw: once(item, here, pagename.rpartition("/")[0], draw))


class English(SearchEnglish):
    "Sphinx finds the stem of a word anew for each page that has it."
    stem = cache(SearchEnglish.stem)


def one_formatter(app):
    "Sphinx makes a formatter, which takes as long as a short cell, for each block of code."
    for highlighter in (app.builder.highlighter, app.builder.dark_highlighter):
        if highlighter: highlighter.get_formatter = cached_by_options(highlighter.get_formatter)


def cached_by_options(make):
    "`make(**options)`, called once for the same options."
    made = {}
    def get(**options):
        key = repr(sorted(options.items()))
        if key not in made: made[key] = make(**options)
        return made[key]
    return get


def one_template(app):
    "Numpydoc makes an environment for each docstring, and compiles its template in it: here all have the first."
    make, made = docscrape_sphinx.SandboxedEnvironment, []
    def first(loader):
        if not made: made.append(make(loader=loader))
        return made[0]
    docscrape_sphinx.SandboxedEnvironment = first


def own_document(app, doctree):
    "Nodes of a nested text name its document, which holds the whole site: it would be stored with each page."
    for node in doctree.findall(): node.document = doctree


def setup(app):
    app.add_search_language(English)
    app.connect("builder-inited", one_formatter)
    app.connect("builder-inited", one_template)
    app.connect("doctree-read", own_document)
    app.connect("html-page-context", add_navigation, priority=100)
