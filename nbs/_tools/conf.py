"""Sphinx settings of the site that make.py builds; names come from settings.ini, navigation from _quarto.yml."""
from nbdev.config import get_config

cfg = get_config()
project = html_title = cfg.title
author, copyright, version = cfg.author, cfg.copyright, cfg.version
extensions = ["myst_nb"]
nb_execution_mode = "off"  # stage.py has run them
suppress_warnings = ["myst.header"]  # show_doc headings are level 3 wherever they stand
nb_render_markdown_format = "myst"
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 4
mathjax_path = "tex-svg.js"  # MathJax 3 from sphinx-mathjax-offline, copied by make.py
html_theme = "furo"
html_static_path = [str(cfg.config_path / "_proc/_make/static")]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = False
