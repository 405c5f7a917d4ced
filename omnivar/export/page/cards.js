// Drawing: what a node looks like, on the tree and, larger, beside it.

const SVG = "http://www.w3.org/2000/svg";

// Words that run from right to left, Hebrew or Arabic, do not turn over the numbers and signs beside them.
const RIGHT = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const fromRight = new RegExp(`[${RIGHT}](?:[-_ ./&'"]?[${RIGHT}0-9])*`, "gu");

function isolated(child) {
  return typeof child === "string" ? child.replace(fromRight, "\u2068$&\u2069") : child;
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, key === "title" ? isolated(value) : value);
  element.append(...children.filter((child) => child !== null).map(isolated));
  return element;
}

function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

const pen = document.createElement("canvas").getContext("2d"), widths = new Map();

function widthOf(text, strong = false) {
  const key = (strong ? "600 " : "") + text;
  if (!widths.has(key)) {
    pen.font = `${strong ? "600 " : ""}11px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}

// As much of a text as fits.
function cut(text, wide, strong = false) {
  if (widthOf(text, strong) <= wide) return text;
  let size = text.length - 1;
  while (size > 0 && widthOf(text.slice(0, size) + "…", strong) > wide) size--;
  return text.slice(0, size) + "…";
}

function wrapped(text, wide, lines, strong = false) {
  const result = [""];
  for (const word of text.replace(/ \* /g, "\u00a0*\u00a0").split(" ")) { // a weight stays with its column
    const longer = result[result.length - 1] ? `${result[result.length - 1]} ${word}` : word;
    if (result.length === lines || widthOf(longer, strong) <= wide) result[result.length - 1] = longer;
    else if (result[result.length - 1]) result.push(word);
    else result[result.length - 1] = word;
  }
  return result.map((line) => cut(line, wide, strong));
}

function short(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "missing";
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e6 || size < 1e-4 ? value.toExponential(1) : String(Number(value.toPrecision(size >= 1000 ? 4 : 3)));
}

// Days since 1970-01-01 as a date, as the sentences write it: what is lost in computing makes no fraction.
function dateText(days) {
  const exact = (days ?? NaN) * 864e5, near = Math.round(exact);
  const time = new Date(Math.abs(exact - near) < 0.02 ? near : Math.floor(exact));
  if (Number.isNaN(time.getTime())) return short(days);
  const [day, clock] = time.toISOString().slice(0, -1).split("T");
  if (clock === "00:00:00.000") return day;
  return `${day} ${clock.endsWith(":00.000") ? clock.slice(0, 5) : clock.endsWith(".000") ? clock.slice(0, 8) : clock}`;
}

function isDated(tree, split) {
  return split.kind === "column" && Boolean(tree.columns[split.column]?.dates);
}

// A value of the column that a split asks about, or of its sum.
function valueText(tree, split, value) {
  return isDated(tree, split) ? dateText(value) : short(value - (split.shift ?? 0));
}

function text(x, y, words, kind = "") {
  return svg("text", {x, y, class: kind}, words);
}

// Colours of numbers from the least, 0, to the largest, 1.
function ramp(tree, at) {
  const rgb = tree.colours.map((c) => [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16)));
  const place = Math.min(Math.max(at, 0), 1) * (rgb.length - 1), k = Math.min(Math.floor(place), rgb.length - 2);
  return `rgb(${rgb[k].map((low, i) => Math.round(low + (place - k) * (rgb[k + 1][i] - low))).join(",")})`;
}

function colourOf(tree, q) {
  return tree.target === "classes" ? tree.colours[tree.answer[q]] : ramp(tree, tree.place[q]);
}

// Do the nodes differ in their numbers, so that a place between the least and the largest means something?
let places = null;

function hasPlaces(tree) {
  places ??= tree.target === "classes" || tree.place.some((at) => at !== tree.place[0]);
  return places;
}

// The proportions of the classes, or the place of the number between the least and the largest.
function drawContents(tree, q, x, y, wide, high) {
  const group = svg("g", {});
  if (!hasPlaces(tree)) return group;
  if (tree.target !== "classes") {
    group.append(svg("rect", {x, y, width: wide, height: high, rx: 2, class: "chipbox"}),
                 svg("rect", {x, y, width: Math.max(tree.place[q] * wide, 2), height: high, rx: 2, fill: colourOf(tree, q)}));
    return group;
  }
  let at = x;
  valuesOf(tree, q).forEach((part, c) => {
    if (part > 0) group.append(svg("rect", {x: at, y, width: part * wide, height: high, fill: tree.colours[c]}));
    at += part * wide;
  });
  return group;
}

// The rows along the line of the split, the threshold, and, of a row, where it stands.
function drawLine(tree, split, x, y, wide, high, at) {
  const hist = split.hist, bins = hist.counts[0].length, group = svg("g", {}), step = wide / bins;
  const totals = hist.counts[0].map((_, b) => hist.counts.reduce((sum, row) => sum + row[b], 0));
  const most = Math.max(...totals, 1);
  for (let b = 0; b < bins; b++) {
    let top = y + high;
    hist.counts.forEach((row, c) => {
      if (!row[b]) return;
      const tall = Math.max(row[b] / most * high, 0.5);
      top -= tall;
      const fill = hist.place ? ramp(tree, hist.place[b]) : tree.colours[hist.groups ? hist.groups[c] : c] ?? "gray";
      group.append(svg("rect", {x: x + b * step, y: top, width: Math.max(step - 0.6, 0.6), height: tall, fill}));
    });
  }
  const place = (value) => x + Math.min(Math.max((value - hist.low) / (hist.width * bins), 0), 1) * wide;
  group.append(svg("line", {x1: x, x2: x + wide, y1: y + high, y2: y + high, class: "axis"}));
  if (split.threshold !== undefined || split.kind === "scores") {
    const there = place(split.threshold ?? 0);
    group.append(svg("line", {x1: there, x2: there, y1: y - 3, y2: y + high, class: "threshold"}));
  }
  if (at !== null && at !== undefined && !Number.isNaN(at)) {
    const there = place(at), low = y + high;
    group.append(svg("path", {d: `M${there} ${low}l-4 7h8z`, class: "here"}));
  }
  return group;
}

// A bar for each category, or for each branch; those of a branch stand together.
function drawBars(tree, split, x, y, wide, high, names) {
  const hist = split.hist, n = hist.labels.length, group = svg("g", {}), step = Math.min(wide / n, 60);
  const upright = names && uprightRoom(split, wide);
  const totals = hist.labels.map((_, b) => hist.counts.reduce((sum, row) => sum + row[b], 0));
  const most = Math.max(...totals, 1);
  hist.labels.forEach((label, b) => {
    let top = y + high;
    hist.counts.forEach((row, c) => {
      if (!row[b]) return;
      const tall = row[b] / most * high;
      top -= tall;
      const fill = hist.place ? ramp(tree, hist.place[b]) : tree.colours[hist.groups ? hist.groups[c] : c] ?? "gray";
      group.append(svg("rect", {x: x + b * step + 1, y: top, width: Math.max(step - 2, 0.6), height: tall, fill}));
    });
    if (b && hist.branch[b] !== hist.branch[b - 1]) {
      group.append(svg("line", {x1: x + b * step, x2: x + b * step, y1: y - 3, y2: y + high, class: "threshold"}));
    }
    const middle = x + (b + 0.5) * step;
    if (upright) group.append(svg("text", {x: middle + 4, y: y + high + 6, class: "end soft upright",
                                           transform: `rotate(-90 ${middle + 4} ${y + high + 6})`}, cut(label, upright)));
    else if (names) group.append(text(middle, y + high + 12, label, "middle soft"));
  });
  group.append(svg("line", {x1: x, x2: x + n * step, y1: y + high, y2: y + high, class: "axis"}));
  return group;
}

// Terms of a sum: a bar to the right for a positive weight; its length is |weight| times spread.
function drawWeights(rows, x, y, wide, lines) {
  const group = svg("g", {}), most = Math.max(...rows.map((r) => Math.abs(r.size)), 1e-300);
  const hidden = rows.length > lines ? rows.length - lines + 1 : 0, middle = x + wide - 32;
  rows.slice(0, rows.length - hidden).forEach((row, k) => {
    const long = 30 * row.size / most, base = y + 12 * k;
    group.append(text(x, base + 9, cut(row.words, wide - 68)),
      svg("rect", {x: Math.min(middle, middle + long), y: base + 2, width: Math.abs(long), height: 7,
                   class: row.size >= 0 ? "for" : "against"}));
  });
  if (hidden) group.append(text(x, y + 12 * (lines - 1) + 9, `+${hidden} more`, "soft"));
  group.append(svg("line", {x1: middle, x2: middle, y1: y, y2: y + 12 * Math.min(lines, rows.length), class: "axis"}));
  return group;
}

function termName(tree, columns) {
  const own = tree.columns[tree.source ? tree.source[columns[0]][0] : columns[0]];
  if (columns.length === 1) return tree.names[columns[0]] + (own?.dates ? " in days" : "");
  if (columns[1] < 0) return `(${tree.names[columns[0]]} is missing)`;
  return columns[0] === columns[1] ? `${tree.names[columns[0]]}^2` : columns.map((j) => tree.names[j]).join(" * ");
}

function influences(tree, split) {
  const weights = split.kind === "scores" ? split.weights[split.weights.length - 1].map((w, k) => w
    - (split.weights.length > 2 ? split.weights.reduce((sum, row) => sum + row[k], 0) / split.weights.length
      : split.weights[0][k])) : split.weights;
  return split.terms.map((columns, k) => ({
    columns, weight: weights[k], size: weights[k] * columns.reduce((product, j) => product * tree.spread[j], 1),
    words: `${short(weights[k])} * ${termName(tree, columns)}`,
  }));
}

// The categories of each branch.
function drawChips(split, x, y, wide) {
  const group = svg("g", {});
  split.chips.slice(0, 2).forEach((names, branch) => {
    let at = x + 24;
    group.append(text(x, y + 17 * branch + 11, split.edges[branch].length < 4 ? split.edges[branch] : "", "soft"));
    for (let k = 0; k < names.length; k++) {
      const more = names.length - k, words = cut(names[k], 90), size = widthOf(words) + 12;
      if (at + size > x + wide - (more > 1 ? 30 : 0)) {
        group.append(text(at, y + 17 * branch + 11, `+${more}`, "soft"));
        break;
      }
      group.append(svg("rect", {x: at, y: y + 17 * branch, width: size, height: 15, rx: 7, class: "chipbox"}),
                   text(at + 6, y + 17 * branch + 11, words));
      at += size + 4;
    }
  });
  return group;
}

function drawSplit(tree, q, x, y, wide, high, at) {
  const split = tree.splits[q], group = svg("g", {});
  const chart = (top, tall) => {
    if (split.hist) group.append(split.hist.labels ? drawBars(tree, split, x, top, wide, tall, false)
      : drawLine(tree, split, x, top, wide, tall, at));
  };
  if (split.kind === "column") chart(y + 3, high - 10);
  else if (split.kind === "category") {
    group.append(drawChips(split, x, y, wide));
    chart(y + 40, high - 42);
  } else if (split.hist) {
    chart(y + 2, high - 60);
    group.append(drawWeights(influences(tree, split), x, y + high - 48, wide, 4));
  } else group.append(drawWeights(influences(tree, split), x, y, wide, Math.floor(high / 12)));
  return group;
}

// A whole card. From afar, detail 1, it is a coloured box with large words; from very far, detail 0, a box.
function drawCard(tree, q, place, detail, at) {
  const {x, y, wide, high} = place, left = x - wide / 2, split = tree.splits[q];
  const group = svg("g", {class: split ? "node" : "node leaf", "data-node": q, role: "treeitem",
                          "aria-label": `${split ? split.question : saidBy(tree, q)}, ${tree.rows[q]} rows`});
  group.append(svg("rect", {x: left, y, width: wide, height: high, rx: 6, class: "card"}));
  if (detail < 2) {
    group.append(svg("rect", {x: left + 3, y: y + 3, width: wide - 6, height: high - 6, rx: 4, fill: colourOf(tree, q),
                              "fill-opacity": detail ? 0.5 : 1}));
    const words = split ? split.brief : saidBy(tree, q), large = 27, lines = split ? 4 : tree.models ? 2 : 1;
    if (detail) {
      wrapped(words, (wide - 16) * 11 / large, lines, true).forEach((line, k) => {
        group.append(svg("text", {x: left + 8, y: y + 34 + 29 * k, class: "strong large"}, line));
      });
    }
    return group;
  }
  const rows = `${tree.rows[q].toLocaleString("en")} row${tree.rows[q] === 1 ? "" : "s"}`, inner = wide - 20;
  if (!split) {
    const top = y - (hasPlaces(tree) ? 0 : NO_BAR);
    group.append(drawContents(tree, q, left + 10, y + 9, inner, 8),
      text(left + 10, top + 34, cut(saidBy(tree, q), inner, true), "strong"));
    const equation = cardEquation(tree, q);
    if (equation) {
      group.append(text(left + 10, top + 49, cut(`${equation.what} = ${short(equation.constant)}`, inner)),
                   drawWeights(equation.terms, left + 10, top + 53, inner, cardTerms(tree, q)));
    } else if (tree.models) group.append(text(left + 10, top + 50, cut(tree.equation?.[q] ?? "", inner)));
    group.append(text(left + 10, y + high - 10, rows, "soft"));
    return group;
  }
  const title = wrapped(split.brief, inner, 2, true), top = y + 8 + 14 * title.length;
  title.forEach((line, k) => group.append(text(left + 10, y + 16 + 13 * k, line, "strong")));
  const lost = cut(split.lost, inner - widthOf(rows) - 10); // above the bar: below it is the button of the children
  group.append(drawSplit(tree, q, left + 10, top, inner, y + high - 30 - top, at),
    text(left + 10, y + high - 19, rows, "soft"), text(left + wide - 10, y + high - 19, lost, "soft end"),
    drawContents(tree, q, left + 10, y + high - 14, inner, 5));
  return group;
}

function edgeWidth(tree, q) {
  return Math.max(1.2, 24 * tree.rows[q] / Math.max(tree.rows[0], 1));
}

function drawEdge(tree, q, from, to) {
  const y = from.y + from.high, middle = (y + to.y) / 2, words = cut(tree.splits[tree.parent[q]].edges[q - tree.first[tree.parent[q]]], 120);
  return svg("g", {"data-edge": q},
    svg("path", {class: "edge", "stroke-width": edgeWidth(tree, q).toFixed(1),
                 d: `M${from.x} ${y}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`}),
    svg("text", {x: to.x, y: to.y - 8, class: "middle label"}, words));
}
