"""The least time that the levels of a fitted tree could take on this machine, on one thread.

Axis: the bytes of one read of X and one write of its sorted lists of 8-byte keys, then one read and one write of the
keys of all open rows a level (uint8: one read of the open rows' bytes a level), over the bandwidth of a copy of that
size. Node means: one read of the open rows for the class sums, then the slower of another read and the multiply-adds of
all projections, at the rate of a float32 matrix product. What is left out (scores, sorting of projections) makes the
bound too low.
"""
import time
from functools import cache

import numpy as np
from threadpoolctl import threadpool_limits


def fastest(f, times=7):
    "Least seconds of a few calls."
    def once():
        begin = time.perf_counter()
        f()
        return time.perf_counter() - begin
    return min(once() for _ in range(times))


@cache
def bandwidth(n_bytes):
    "Bytes read plus bytes written a second by a copy of this size."
    source = np.zeros(n_bytes, np.uint8)
    target, n_copies = np.ones_like(source), max(1, 2**24 // n_bytes)
    return 2 * n_bytes * n_copies / fastest(lambda: [np.copyto(target, source) for _ in range(n_copies)])


@cache
def flop_rate(n=1024):
    "Floating-point operations a second of a float32 matrix product on one thread."
    a = np.ones((n, n), np.float32)
    with threadpool_limits(1): return 2 * n**3 / fastest(lambda: a @ a)


def bound(tree, X, oblique):
    "Least seconds for the levels of a fitted tree."
    open_rows, width = np.where(tree.is_leaf, 0, tree.n_samples), X.itemsize
    entries = float(open_rows.sum()) * X.shape[1]
    touched = X.nbytes if oblique or width == 1 else X.size * 8
    speed = bandwidth(1 << int(np.clip(np.log2(touched), 14, 28)))
    if oblique:
        directions = (tree.counts > 0).sum(1) - 1
        flops = 2.0 * X.shape[1] * (open_rows * directions).sum()
        return entries * width / speed + max(entries * width / speed, flops / flop_rate())
    return (entries if width == 1 else X.size * (width + 8) + entries * 16) / speed
