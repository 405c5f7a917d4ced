"""The three studies of the page on what rows held out decide, once more: the default of their time (earlier.py) with the
equations, folds and categories of today. `python rerun.py` makes the means of the tables that are missing in rerun.csv;
it may be stopped and called again (ten minutes). The tables are those of the studies; what is not there is skipped.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
import warnings
from pathlib import Path

import few_rows
import pandas as pd
import penalty
import tree_or_model
from probabilities import folds_of, short, table_of, tables

TABLE = Path(__file__).parent / "rerun.csv"
STUDIES = dict(tree_or_model=("constants", "chosen"), few_rows=("before", "after"), penalty=("one", "chosen"))
KEYS = ["study", "half", "source", "table"]


def known_tables(study):
    "Half, source and short name of each table of a study."
    stored = pd.read_csv(TABLE.with_name(f"{study}.csv"), usecols=KEYS[1:])
    return [tuple(row) for row in stored.drop_duplicates().itertuples(index=False)]


def rows_of(half, source, table):
    "Columns and classes of a table."
    if source == "drawn": return penalty.drawn(table, half)
    return table_of(source, next(name for of, name in tables() if (of, short(name)) == (source, table)))


def means(study, X, y):
    "Means over the parts of a table, for each method."
    lines, has_model = [], 4 if study == "penalty" else 5
    parts = [rows for _, *rows in few_rows.parts_of(y)] if study == "few_rows" else folds_of(y)
    for rows in parts:
        if study == "few_rows": lines += few_rows.lines(X, y, *rows)
        elif study == "penalty": lines += penalty.fold_lines(X, y, *rows)
        else: lines += tree_or_model.fold_lines(X, y, *rows, STUDIES[study])
    found = pd.DataFrame([[*line[:4], line[has_model]] for line in lines],
                         columns=["method", "accuracy", "log_loss", "brier", "has_model"])
    return found.groupby("method", sort=False).mean().round(5).reset_index()


def main():
    done = set(pd.read_csv(TABLE)[KEYS].itertuples(index=False, name=None)) if TABLE.exists() else set()
    for study in STUDIES:
        for half, source, table in known_tables(study):
            if (study, half, source, table) in done: continue
            try: X, y = rows_of(half, source, table)
            except Exception as error:
                print("not there:", table, repr(error)[:100])
                continue
            about = pd.DataFrame([[study, half, source, table]] * 2, columns=KEYS)
            about.join(means(study, X, y)).to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
            print(study, source, table, flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main()
