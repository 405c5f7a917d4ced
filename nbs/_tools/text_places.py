"""Where the texts of a figure stand: the tests of pictures ask whether they touch or leave the figure."""


def boxes_of(texts):
    "Where texts stand, in pixels."
    return [t.get_window_extent() for t in texts if t.get_text() and t.get_visible()]


def touching(ax):
    "Pairs of texts on the axes (labels of ticks, titles and all others) that overlap."
    ax.get_figure(root=True).draw_without_rendering()
    texts = [*ax.texts, ax.title, ax._left_title, ax._right_title, ax.xaxis.label, ax.yaxis.label]
    if ax.axison: texts += [*ax.get_yticklabels(), *[t for t in ax.get_xticklabels() if not t.get_rotation()]]
    boxes = boxes_of(texts)
    return [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1:] if min(a.x1, b.x1) - max(a.x0, b.x0) > 1
            and min(a.y1, b.y1) - max(a.y0, b.y0) > 1]


def cut_off(ax):
    "Texts that leave the figure."
    figure, inside = ax.get_figure(root=True), [t for t in ax.get_xticklabels()
                                                if ax.get_xlim()[0] <= t.get_position()[0] <= ax.get_xlim()[1]]
    whole = figure.bbox
    return [b for b in boxes_of([*ax.texts, *(ax.get_yticklabels() + inside if ax.axison else [])])
            if b.x0 < whole.x0 - 1 or b.x1 > whole.x1 + 1 or b.y0 < whole.y0 - 1 or b.y1 > whole.y1 + 1]
