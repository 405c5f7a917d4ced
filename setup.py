"""Packaging for omnivar: every value comes from settings.ini, the file nbdev reads as well."""
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup

here = Path(__file__).resolve().parent
config = ConfigParser(delimiters=["="])
config.read(here / "settings.ini", encoding="utf-8")
cfg = config["DEFAULT"]
status = ["", "1 - Planning", "2 - Pre-Alpha", "3 - Alpha", "4 - Beta", "5 - Production/Stable"]
oldest, newest = (int(cfg[f"{end}_python"].removeprefix("3.")) for end in ("min", "max"))
licenses = {"apache2": "Apache-2.0", "mit": "MIT", "bsd3": "BSD-3-Clause"}

setup(
    name=cfg["lib_name"],
    version=cfg["version"],
    description=cfg["description"],
    long_description=(here / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    author=cfg["author"],
    author_email=cfg["author_email"],
    license=licenses[cfg["license"]],
    keywords=cfg["keywords"],
    url=cfg["git_url"],
    project_urls={"Documentation": cfg["doc_host"] + cfg["doc_baseurl"]},
    classifiers=[
        "Development Status :: " + status[int(cfg["status"])],
        "Intended Audience :: " + cfg["audience"],
        "Natural Language :: " + cfg["language"],
        "Programming Language :: Python :: 3",
        *[f"Programming Language :: Python :: 3.{minor}" for minor in range(oldest, newest + 1)],
    ],
    python_requires=">=" + cfg["min_python"],
    packages=find_packages(include=[cfg["lib_path"], cfg["lib_path"] + ".*"]),
    include_package_data=False,
    package_data={cfg["lib_path"]: ["py.typed", "*.pyi"], cfg["lib_path"] + ".papers": ["published/*.csv"],
                  cfg["lib_path"] + ".datasets": ["uci/*.csv", "uci/*.csv.gz", "uci/*.txt"],
                  cfg["lib_path"] + ".export": ["page/*"]},
    zip_safe=False,
    install_requires=cfg["requirements"].split(),
    extras_require={"dev": cfg["dev_requirements"].split(), "dask": cfg["dask_requirements"].split(),
                    "onnx": cfg["onnx_requirements"].split(), "parquet": cfg["parquet_requirements"].split(),
                    "excel": cfg["excel_requirements"].split(), "lab": cfg["lab_requirements"].split(),
                    "cuda": cfg["cuda_requirements"].split()},
    # lets nbdev link `names in backticks` to their documentation
    entry_points={"nbdev": [f"{cfg['lib_name']} = {cfg['lib_path']}._modidx:d"], "console_scripts": cfg["console_scripts"].split()},
)
