"""Build steps beside nbdev's own, none of which needs Quarto.

python nbs/_tools/make.py tests       write tests/test_*.py and the stub of public names from the notebooks
python nbs/_tools/make.py readme      write README.md from index.ipynb
python nbs/_tools/make.py nbtest      nbdev_test without the test cells (pytest runs those), closing with "N passed, N
                                      failed"; lists stored outputs that are not fresh (--outputs: these count as
                                      failed; NAME...: only these notebooks; --compiled: those that `make test` runs
                                      with the JIT; --plain: the others; --stale=N: a failure if more than
                                      N notebooks are not fresh, since processors round differently; --slow: the
                                      slow cells as well, saying which notebook is under way)
python nbs/_tools/make.py docs        build the documentation site in _docs/ (--stored: from stored outputs, nothing is
                                      run)
python nbs/_tools/make.py notebooks   execute every notebook, or those named, in place, storing cleaned outputs (--slow:
                                      of slow cells as well, which keep those they have otherwise)
"""
import ast
import io
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.util import Finalize, register_after_fork
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from execnb.nbio import read_nb, write_nb
from nbdev.clean import clean_nb
from nbdev.config import get_config
from nbdev.process import Processor

from compare_outputs import recording, report
from exported import bound, default_module, import_from, module_of, statements
from figures import STYLE
from gentests import write_tests
from reference import FOLDER, PUBLIC, links_to_reference, without_common_words, write_pages
from stage import directives, execute, is_known, notebooks, page, stage

os.environ.setdefault("OMNIVAR_PATIENCE", "0")  # notebooks test compiled kernels
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # notebooks and tests run side by side, a process for each core
os.environ.setdefault("MATPLOTLIBRC", str(STYLE))
if os.environ.get("OMNIVAR_KINDS"): import count_kinds  # notes which kinds of arguments kernels are compiled for
cfg = get_config()
root, work = cfg.config_path, cfg.config_path / "_proc/_make"  # Quarto, which works in _proc, skips names with _
WORKERS = min(os.cpu_count() or 1, 8)


# notebooks --------------------------------------------------------------------------------------
def each(f, paths, *args, own_process=True):
    "Call `f(notebook, *args)` for every notebook; those that are run get a process of their own."
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn"),
                             max_tasks_per_child=1 if own_process else None) as pool:
        return [r.result() for r in [pool.submit(f, p, *args) for p in paths]]


def run_in_place(path, slow):
    nb = read_nb(path)
    execute(nb, path, slow)
    clean_nb(nb)
    write_nb(nb, path)


def run_notebooks(*args):
    names = {a for a in args if not a.startswith("--")}
    each(run_in_place, [p for p in notebooks() if not names or p.stem in names], "--slow" in args)


def flags_of(cell):
    "The directives of a cell that nbdev has read (and taken out of its source)."
    return getattr(cell, "directives_", None) or directives(cell)


class KernelsOfPackage(Processor):
    """A cell of kernels, or of records that they take, comes from the package, which compiles them once for all
    notebooks."""
    def begin(self): self.module = default_module(flags_of(c) for c in self.nb.cells)

    def cell(self, cell):
        nodes = statements(cell.source) if module_of(flags_of(cell), "") is not None else []
        if any("kernel" in ast.unparse(d) or ast.unparse(d) == "NamedTuple"
               for node in nodes for d in getattr(node, "decorator_list", []) + getattr(node, "bases", [])):
            cell.source = import_from(self.module, [n for node in nodes for n in bound(node)])


# `make test` runs the notebooks without the JIT: their examples are small, and tests compare the kernels with plain
# Python. These take seconds longer so than with the kernels that the tests have compiled, or tell what compiling does
COMPILED = {"02_jit", "03_tiers", "41_compile_together", "42_spared_work", "10_weights_and_costs",
            "04_imbalance_and_costs", "04_cross_validation", "08_held_out_pruning",
            "09_cost_complexity_cv", "41_nested_sequences", "11_pessimistic", "10_tree_plot", "12_pruning_path_plot", "08_presets",
            "44_max_cut_presets",
            "13_density", "37_density_boxes", "68_density_pruning", "38_density_answers", "50_density_comparison",
            "17_regressor_contract", "22_class_model_presets", "24_forest_classifier", "26_forest_presets", "27_forest_contract", "56_out_of_bag",
            "18_score_plots", "10_runner", "19_pools", "07_speed", "add_a_splitter", "first_tree", "several_kinds",
            "hinton_revow", "regression",
            "tree_in_150_lines", "02_compare", "33_related_presets", "47_related_comparison", "23_adjusted", "61_linear_machines",
            "20_held_out_price", "defaults", "default_tree", "16_samples", "15_refinement", "12_pca", "65_pca_levels",
            "13_class_groups",
            "19_weight_price", "41_random_thresholds", "112_random_levels", "110_random_trees", "35_permutation_importances",
            "63_perceptrons", "08_tune",
            "02_naive_max_cut", "architecture", "11_comparison", "12_comparison_page", "20_best_tree", "24_killed",
            "11_hinton_revow_variants", "40_code_libraries",
            "13_larger_than_memory", "36_statistical_presets", "11_split_plots", "17_boundary_plots", "results", "api",
            "01_rules", "31_cost_rules", "38_tree_or_model", "33_measured_df", "35_soft_and_hard",
            "09_growth", "20_number_presets", "yildiz_alpaydin", "64_other_kernels", "01_paired_tests",
            "34_leaf_targets", "21_leaf_choice", "29_five_by_two_pruning", "41_forest_several_outputs",
            "10_configuration", "guestrin", "guestrin_overfitting", "03_bins", "01_prune", "25_forest_regressor",
            "62_networks", "26_joint_refinement", "05_pruning", "10_chi_square", "28_soft_regression",
            "05_experiments", "bodine_hochbaum", "index", "probabilities", "00_overview", "39_held_out_candidates",
            "06_cost_complexity", "07_information_pruning", "32_shapley_values", "10_compare", "43_screening",
            "44_logistic_penalty", "45_missing_indicators", "47_interactions", "48_logistic_products", "108_conjugate_gradients",
            "regressor_default", "104_rare_categories", "50_tree_of_equations",
            "12_from_scikit_learn", "14_tools", "03_bodine_hochbaum_checks", "27_every_tree",
            "23_forest", "07_classifier", "39_rotations", "49_fact", "37_drawn_trees", "16_estimate_pruning",
            "46_fold_rows", "15_model_leaves", "63_number_texts", "107_mixed_cuts",
            "18_poles", "16_guestrin_claims", "09_plot", "46_kolmogorov_smirnov", "28_model_gain", "14_explanations",
            "14_regressor", "05_explain_a_row", "30_explained_terms",
            "22_model_credit", "20_category", "19_hostile_input", "05_guestrin", "12_peer_suite", "45_column_tests",
            "53_ranking", "20_kept_leaves", "05_sums", "01_kernel_cache", "04_histograms",
            "58_held_out_groups", "74_groups", "when_not_to_use"}
SLOW = {"12_resolution"}  # measures for most of a minute, and is left to `make slow`


def end_children():
    "A page may leave workers of a pool that was killed: they wait for each other, and the process for them."
    for child in multiprocessing.active_children(): child.kill()


def nbtest(*args):
    "nbdev_test, but for the cells that are tests: those run as tests/, compiled once for all of them."
    from nbdev import test

    cfg["tst_flags"] += " test"
    test.FrontmatterProc = [test.FrontmatterProc, KernelsOfPackage]  # the processors that it has
    names = {a for a in args if not a.startswith("--")}
    left_out = {"--plain": COMPILED | SLOW, "--compiled": {p.stem for p in notebooks()} - COMPILED}
    left_out = set().union(*(left_out.get(a, ()) for a in args))
    chosen = [p for p in notebooks() if (p.stem in names if names else p.stem not in left_out)]
    test.nbglob = lambda *a, **k: chosen
    # in each process that runs pages, before it waits for its children
    register_after_fork(end_children, lambda f: Finalize(None, f, exitpriority=10))
    said, stopped, n = io.StringIO(), False, len(chosen)
    with TemporaryDirectory() as folder:
        test.CaptureShell = recording(test.CaptureShell, folder)
        try:
            # itself, not its command line
            slow = "--slow" in args
            with redirect_stderr(said):
                test.nbdev_test.__wrapped__(flags="slow" * slow, n_workers=WORKERS, timing=True, do_print=slow)
        except SystemExit: stopped = True
        stale = report(folder)
    sys.stderr.write(said.getvalue())
    failed = re.findall(r"^\t(\S.*)$", said.getvalue().partition("Failed On The Following Notebooks:")[2], re.M)
    if stopped and not failed: failed = ["(nbdev_test itself)"]
    if stale: print(f"Stored outputs that are not fresh, make notebooks mends them: {', '.join(stale)}")
    limits = [int(a.partition("=")[2]) for a in args if a.startswith("--stale=")]
    allowed = 0 if "--outputs" in args else max(limits, default=n)
    if len(stale) > allowed: failed += stale
    print(f"{n - len(failed)} passed, {len(failed)} failed", flush=True)
    sys.exit(bool(failed) or not notebooks())


# README and site --------------------------------------------------------------------------------
def readme():
    import nbformat
    from nbconvert import MarkdownExporter

    out = stage(cfg.nbs_path / "index.ipynb", work / "readme")
    nb = read_nb(out)
    for o in (o for cell in nb.cells for o in cell.get("outputs", [])): # README shows no page within a page
        if "<iframe" in "".join(o.get("data", {}).get("text/html", "")): del o["data"]["text/html"]
    write_nb(nb, out)
    text, res = MarkdownExporter().from_notebook_node(nbformat.read(out, 4))
    assert not res.get("outputs"), "keep plots out of index.ipynb: README.md has no place for image files"
    picture = "![A tree of two questions as a page, with the weights of the first.](images/tree_view.png)"
    text = re.sub(r"^ +TreeView\(.*\)$", picture, text, flags=re.M)
    text = text.replace("](images/", f"]({cfg.nbs_path.name}/images/")
    for p in notebooks(): # pages of the site are notebooks here
        at = p.relative_to(cfg.nbs_path)
        text = text.replace(f"]({page(at)}.ipynb", f"]({cfg.nbs_path.name}/{at.as_posix()}")
    if not is_known(cfg.doc_host): text = re.sub(rf"\[([^\]]+)\]\({cfg.doc_host}[^)]*\)", r"\1", text)
    warn = "<!-- WARNING: THIS FILE WAS AUTOGENERATED! DO NOT EDIT! File to edit: nbs/index.ipynb -->\n"
    (root / "README.md").write_text(re.sub(r"\n{3,}", "\n\n", text).strip() + "\n\n" + warn, encoding="utf-8")


def pages_of(items):
    "The notebooks that the sidebar in `_quarto.yml` names, in their order."
    for item in items:
        if isinstance(item, str): yield item
        else: yield from [*([item["href"]] if "href" in item else []), *pages_of(item["contents"])]


def toctree(pages):
    "A hidden table of contents, which tells Sphinx what comes before and after a page (conf.py makes the sidebar)."
    return "\n".join(["```{toctree}", ":hidden:", "", *pages, "```"])


def add_cell(path, text):
    nb = read_nb(path)
    nb.cells.append(dict(cell_type="markdown", id="toctree", metadata={}, source=text))
    write_nb(nb, path)


RESERVED = {"search", "genindex", "py-modindex", "objects", "searchindex", FOLDER + "/index"}  # Sphinx's own pages


def check_names(pages):
    "Each page has a name of its own, which is none of Sphinx's."
    names = [page(p.relative_to(cfg.nbs_path)) for p in notebooks()]
    taken = [n for n in names if n in RESERVED or names.count(n) > 1]
    if taken: sys.exit(f"these names of pages are taken, call the notebooks otherwise: {', '.join(sorted(set(taken)))}")
    missing, unknown = set(names) - set(pages), set(pages) - set(names)
    if missing or unknown:
        sys.exit(f"_quarto.yml and the notebooks differ: not listed {sorted(missing)}, not there {sorted(unknown)}")


def title_and_description(path):
    "The first two lines of a notebook."
    found = re.match(r"# (.+?)\s*(?:\n+> (.+?)\s*)?(?:\n|$)", read_nb(path).cells[0].source)
    return found[1], found[2] or ""


def listing(items):
    "The sidebar as a list of links with what each page is about, for llms.txt."
    for item in items:
        if isinstance(item, str):
            title, about = title_and_description(cfg.nbs_path / item)
            yield f"- [{title}]({page(item)}.html)" + (f": {about}" if about else "")
        else:
            yield f"\n## {item['section']}\n"
            yield from listing([*([item["href"]] if "href" in item else []), *item["contents"]])


def docs(*args):
    src, static, out = work / "site", work / "static", root / cfg.doc_path.name
    for d in (src, static, work / "html", out): shutil.rmtree(d, ignore_errors=True)
    shutil.copytree(Path(__file__).parent / "static", static)
    mathjax = Path(find_spec("sphinx-mathjax-offline").origin).parent / "static/mathjax/tex-svg.js"
    shutil.copy(mathjax, static)
    site = yaml.safe_load((root / "_quarto.yml").read_text(encoding="utf-8"))["website"]
    listed = [page(p) for p in pages_of(site["sidebar"]["contents"])]
    check_names(listed)
    run = "--stored" not in args
    each(stage, notebooks(), src, run, own_process=run)
    if (cfg.nbs_path / "images").exists(): shutil.copytree(cfg.nbs_path / "images", src / "images")
    add_cell(src / "index.ipynb", toctree([p for p in listed if p != "index"]))
    write_pages(src)
    add_cell(src / f"{FOLDER}.ipynb", toctree([f"{FOLDER}/{name}" for name in PUBLIC]))
    # (one process: others would be handed all pages that were read, and draw the sidebar anew)
    (subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "1", "-b", "html",
                     "-c", Path(__file__).parent, src, work / "html"], cwd=root).returncode
     and sys.exit("Sphinx found faults: see above"))
    shutil.move(work / "html", out)
    # nbdev's links are absolute; a site to browse anywhere has relative ones
    base = f"{cfg.doc_host}{cfg.doc_baseurl}/"
    for f in out.rglob("*.html"):
        up = "../" * (len(f.relative_to(out).parts) - 1)
        text = links_to_reference(f.read_text(encoding="utf-8"), up).replace(f'href="{base}', f'href="{up}')
        text = without_common_words(text, f.parent.name)
        # a method is described where its class is
        text = re.sub(rf'(\.html#(?!{cfg.lib_name}\.)\w+)\.\w+"', r'\1"', text)
        if "</a>](" in text: sys.exit(f"{f.relative_to(out)} shows the text of a link where a link should be: a link inside it")
        f.write_text(text, encoding="utf-8")
    lines = [f"# {cfg.title}", "", f"> {cfg.description}", "", *listing(site["sidebar"]["contents"]),
             "\n## Public names\n", *[f"- [{name}]({FOLDER}/{name}.html)" for name in PUBLIC]]
    (out / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"site built: {out / 'index.html'}")


if __name__ == "__main__":
    what, *args = sys.argv[1:] or [""]
    steps = {"tests": write_tests, "readme": readme, "nbtest": nbtest, "docs": docs, "notebooks": run_notebooks}
    if what not in steps: sys.exit(__doc__)
    steps[what](*args)
