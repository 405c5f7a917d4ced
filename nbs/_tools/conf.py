"""Sphinx settings of the site that make.py builds; names come from settings.ini, navigation from _quarto.yml."""
import re
from functools import cache
from pathlib import Path

import yaml
from nbdev.config import get_config

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


def entry(item, here, titles):
    "An item of the sidebar: its page and text, what is below it, whether it holds the page `here` and is that page."
    below = [entry(i, here, titles) for i in item.get("contents", [])] if isinstance(item, dict) else []
    name = page(item["href"] if isinstance(item, dict) else item)
    return dict(page=name, text=titles[name].astext() if isinstance(item, str) else item["section"], below=below,
                current=name == here, open=name == here or any(i["open"] for i in below))


def navigation(here, titles):
    "The sidebar of the page `here`, as in _quarto.yml: sections, each with a caption and its items."
    for item in contents():
        if isinstance(item, str): yield dict(caption="", below=[entry(item, here, titles)])
        else: yield dict(caption=item["section"], below=[entry(i, here, titles) for i in item["contents"]])


def add_navigation(app, pagename, templatename, context, doctree):
    "Before furo's own: the sidebar comes from templates/sidebar/navigation.html."
    context.pop("toctree", None)
    # a page of the reference belongs to the list of them
    context["navigation"] = lambda name: list(navigation(re.sub("^api/.*", "api", name), app.env.titles))


def setup(app): app.connect("html-page-context", add_navigation, priority=100)
