// Beside the tree: all about the chosen node, and all about one row.

function chips(names) {
  return html("span", {}, ...names.map((name) => html("span", {class: "chip"}, name)));
}

// A bar to the right or to the left of the middle.
function scaleBar(value, most) {
  const wide = most > 0 ? 50 * Math.abs(value) / most : 0, left = value >= 0 ? 50 : 50 - wide;
  const colour = value >= 0 ? "var(--for)" : "var(--against)";
  return html("span", {class: "scale"}, html("i", {style: `left:${left}%;width:${wide}%;background:${colour}`}));
}

// What the bars beside weights mean.
const BARS = "The longer its bar, the more a column matters: its weight times how far its values are spread.";

function weightTable(split) {
  const rows = influences(tree, split), most = Math.max(...rows.map((row) => Math.abs(row.size)), 0);
  const what = split.kind === "scores" ? "Weights of the last score, less the mean of all" : "Weights";
  return html("div", {}, html("h3", {}, what), html("p", {class: "soft"}, BARS),
    ...rows.map((row) => html("div", {class: "weight"}, html("span", {}, termName(tree, row.columns)),
                              scaleBar(row.size, most), html("span", {}, short(row.weight)))));
}

// How much room the labels of bars need below the chart where they do not fit beside each other; else 0.
function uprightRoom(split, wide) {
  const widest = Math.max(...split.hist.labels.map((label) => widthOf(label)));
  return widest > Math.min(wide / split.hist.labels.length, 60) - 4 ? Math.min(widest, 100) : 0;
}

function bigChart(q, split) {
  const wide = 330, high = 120, room = split.hist.labels ? uprightRoom(split, wide - 8) : 0;
  const box = svg("svg", {viewBox: `0 0 ${wide} ${high + Math.max(34, room + 16)}`});
  if (split.hist.labels) {
    box.append(drawBars(tree, split, 4, 8, wide - 8, high, true));
    return box;
  }
  const hist = split.hist, bins = hist.counts[0].length, at = rowPosition(q), most = hist.low + bins * hist.width;
  const dated = isDated(tree, split);
  const end = (value) => valueText(tree, split, dated && most - hist.low > 3 ? Math.round(value) : value);
  const threshold = split.threshold ?? 0, place = 4 + (threshold - hist.low) / (bins * hist.width) * (wide - 8);
  const ends = hist.ends.map(end), words = valueText(tree, split, threshold), free = 12 + widthOf(words, true) / 2;
  const [first, last] = [widthOf(ends[0]) + free, wide - widthOf(ends[1]) - free]; // beside the ends of the axis
  box.append(drawLine(tree, split, 4, 8, wide - 8, high, at), text(4, high + 26, ends[0]),
             text(wide - 4, high + 26, ends[1], "end"),
             text(Math.max(Math.min(place, last), first), high + 26, words, "middle strong"));
  return box;
}

function contentsTable(q) {
  const number = tree.target === "density" ? "log density" : tree.models ? "mean" : "value";
  const head = tree.target === "classes" ? ["class", "proportion"] : ["", number];
  const values = valuesOf(tree, q), order = values.map((_, c) => c);
  if (tree.target === "classes") order.sort((a, b) => values[b] - values[a]);
  const rows = order.slice(0, 12).map((c) => {
    const name = html("td", {}, tree.outputs[c]);
    if (tree.target === "classes") name.prepend(html("i", {class: "swatch", style: `background:${tree.colours[c]}`}));
    return html("tr", {}, name, html("td", {}, short(values[c])));
  });
  return html("table", {}, html("tr", {}, ...head.map((word) => html("th", {}, word))), ...rows);
}

// Rows of the sample that come to this node.
function rowsOf(q) {
  if (!tree.sample) return null;
  const here = [];
  tree.sample.rows.forEach((row, k) => { if (pathOf(tree, matrixRow(tree, row)).includes(q)) here.push(k); });
  if (!here.length) return null;
  const links = here.slice(0, 40).map((k) => {
    const button = html("button", {title: "explain this row"}, tree.sample.names[k]);
    button.onclick = () => { takeRow(tree.sample.rows[k], k); showTab("row"); };
    return button;
  });
  return html("div", {}, html("h3", {}, `Rows of the sample that come here: ${here.length} of ${tree.sample.rows.length}`),
              html("p", {}, ...links.flatMap((link) => [link, " "])));
}

// Questions and equations: each begins a line of its own.
function paragraphs(words) {
  return words.split("\n").map((line) => html("p", {class: "question"}, line));
}

function showNode(q) {
  const split = tree.splits[q], panel = byId("node");
  panel.replaceChildren(html("h2", {}, `Node ${q}: ${tree.rows[q].toLocaleString("en")} rows, depth ${tree.depth[q]}`));
  if (split) {
    panel.append(...paragraphs(split.full));
    if (split.hist) panel.append(bigChart(q, split));
    if (split.chips) {
      split.chips.forEach((names, b) => panel.append(html("p", {}, html("span", {class: "soft"}, `${split.edges[b]}: `), chips(names))));
    }
    if (split.note) panel.append(html("p", {class: "soft"}, split.note));
    const without = split.hist?.missing ?? 0;
    if (without) panel.append(html("p", {class: "soft"}, `${without} row${without === 1 ? "" : "s"} without a value here.`));
    if (split.terms) panel.append(weightTable(split));
  } else panel.append(html("p", {class: "answer"}, saidBy(tree, q)));
  if (tree.models && !split) panel.append(...equationTables(q), ...paragraphs(tree.equation?.[q] ?? ""));
  panel.append(html("h3", {}, split ? "As a leaf it would say" : "Of its training rows"), contentsTable(q));
  panel.append(rowsOf(q) ?? "");
}

function showTab(name) {
  for (const tab of ["node", "row"]) {
    byId(tab).hidden = tab !== name;
    byId(`tab-${tab}`).classList.toggle("on", tab === name);
  }
  state.explained = name === "row" && state.row ? explainRow(tree, state.row) : null;
  if (name === "node") showNode(state.chosen);
  clear();
  later();
}

// Fields for the values of the row.
function startFields() {
  takeRow(tree.columns.map((column) => column.usual), null);
}

function takeRow(row, k) {
  state.row = [...row];
  state.original = [...row];
  state.sampled = k;
  buildRow();
}

function sampleChooser() {
  if (!tree.sample) return null;
  const list = html("select", {id: "sample"}, ...tree.sample.names.map((name, k) => html("option", {value: k}, name)));
  list.value = state.sampled ?? "";
  list.onchange = () => { takeRow(tree.sample.rows[list.value], Number(list.value)); showTab("row"); };
  return html("div", {class: "field sample"}, html("label", {for: "sample"}, `Row of the sample (${tree.sample.rows.length})`), list);
}

function fieldOf(column, k) {
  let input;
  if (column.values) {
    input = html("select", {}, html("option", {value: ""}, "missing"),
                 ...column.values.map((name, code) => html("option", {value: code}, name)),
                 html("option", {value: -1}, "another one"));
  } else if (column.dates) input = html("input", {type: "datetime-local", step: 1});
  else input = html("input", {type: "number", step: "any", placeholder: "missing"});
  input.id = `field-${k}`;
  if (!column.dates) input.value = state.row[k] === null ? "" : state.row[k];
  else if (state.row[k] !== null) input.valueAsNumber = Math.round(state.row[k] * 86400) * 1000;
  input.oninput = () => {
    const given = column.dates ? input.valueAsNumber / 864e5 : Number(input.value);
    state.row[k] = input.value === "" || Number.isNaN(given) ? null : given;
    input.classList.toggle("changed", state.row[k] !== state.original[k]);
    updateRow();
  };
  const said = column.dates ? dateText : short;
  const title = column.low === undefined ? "" : `from ${said(column.low)} to ${said(column.high)}`;
  return html("div", {class: "field", title}, html("label", {for: input.id}, column.name), input);
}

function buildRow() {
  const reset = html("button", {}, "As it was"), said = html("div", {id: "said"});
  reset.onclick = () => { takeRow(state.original, state.sampled); showTab("row"); };
  const asked = tree.columns.map((column, k) => [column, k]).sort((a, b) => b[0].importance - a[0].importance);
  byId("row").replaceChildren(sampleChooser() ?? "", said, html("h3", {}, "What if? Change a value:"),
    ...asked.map(([column, k]) => fieldOf(column, k)), html("p", {}, reset));
  updateRow();
}

// The class that is predicted: the most probable one, or with costs of errors the one that costs least.
function classOf(explained) {
  const p = explained.prediction;
  if (!tree.costs) return p.indexOf(Math.max(...p));
  if (!tree.models || !explained.known) return tree.answer[explained.path[explained.path.length - 1]];
  const expected = p.map((_, c) => p.reduce((sum, share, k) => sum + share * tree.costs[k][c], 0));
  const room = 1e-12 * Math.max(...tree.costs.flat()), least = Math.min(...expected);
  return expected.findIndex((cost) => cost <= least + room);
}

function answerOf(explained) {
  const p = explained.prediction;
  if (tree.target !== "classes") return p.map(short).join(", ");
  const said = classOf(explained);
  return `${tree.outputs[said]} (${(100 * p[said]).toFixed(1)} %)`;
}

// The contributions: of the class that is predicted, or of the first number.
function stepsOf(explained) {
  const shown = tree.target === "classes" ? classOf(explained) : 0;
  const most = Math.max(...explained.steps.flatMap((step) => step.terms.map((term) => Math.abs(term.change[shown]))), 0);
  let sum = valuesOf(tree, 0)[shown];
  const result = [html("div", {class: "step"}, `all training rows: ${tree.outputs[shown]}`, html("b", {}, short(sum)))];
  for (const step of explained.steps) {
    sum += step.change[shown];
    const missing = step.child === undefined && standIns(tree, step.node, explained.x);
    const words = step.child !== undefined ? tree.splits[step.node].ways[step.branch]
      : `model of the leaf${missing ? ` (missing: ${missing})` : ""}`;
    const terms = byColumn(step.terms).filter((term) => term.change[shown] !== 0)
      .sort((a, b) => Math.abs(b.change[shown]) - Math.abs(a.change[shown]));
    result.push(html("div", {class: "step"}, html("b", {}, short(sum)), words), ...terms.slice(0, 8).map((term) => html("div", {class: "weight"},
      html("span", {}, term.text), scaleBar(term.change[shown], most),
      html("span", {}, signed(term.change[shown])))));
    if (terms.length > 8) result.push(html("div", {class: "soft"}, `${terms.length - 8} smaller ones`));
  }
  return result;
}

// What the row has in a column of the table.
function ownValue(c) {
  const {values, dates} = tree.columns[c], value = state.row[c];
  if (value === null) return "missing";
  return values ? values[value] ?? "another one" : dates ? dateText(value) : short(value);
}

// The terms of each column of the table as one, and those of each product of two columns.
function byColumn(terms) {
  const found = new Map();
  for (const term of terms) {
    const own = term.text ? [] : [...new Set(term.columns.filter((j) => j >= 0).map((j) => tree.source ? tree.source[j][0] : j))];
    own.sort((a, b) => a - b);
    const text = term.text ?? `${own.map((c) => tree.columns[c].name).join(" * ")} (${own.map(ownValue).join(", ")})`;
    const before = found.get(text)?.change;
    found.set(text, {text, change: term.change.map((value, k) => value + (before ? before[k] : 0))});
  }
  return [...found.values()];
}

function updateRow() {
  const explained = explainRow(tree, state.row), leaf = explained.path[explained.path.length - 1];
  if (!byId("row").hidden) { state.explained = explained; clear(); later(); }
  const link = html("button", {}, `leaf ${leaf}`);
  link.onclick = () => { choose(leaf, true); showTab("node"); };
  const odd = explained.known ? null : html("p", {class: "soft"}, "This page does not know the models of these leaves: "
    + "it shows what the leaf says without.");
  byId("said").replaceChildren(html("p", {class: "answer"}, html("span", {class: "soft"}, "predicted: "),
                               html("b", {}, answerOf(explained)), " in ", link), odd ?? "",
                               ...stepsOf(explained));
}
