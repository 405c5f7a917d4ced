// What the tree says of a row, and why. A row has for each column of the user's table a number, null where it is
// missing; of a column of categories the number is the place among `values`.

// The row as the tree sees it: indicators of categories stand behind the columns of the table.
function matrixRow(tree, row) {
  if (!tree.source) return row;
  return tree.source.map(([k, category]) => category < 0 || row[k] === null ? row[k] : Number(row[k] === category));
}

// The value of a term: one column, or the product of two; NaN where it is missing and nothing stands in for it.
function termValue(columns, x, fill) {
  let value = 1;
  for (const j of columns) value *= x[j] === null ? (fill && j in fill ? fill[j] : NaN) : x[j];
  return value;
}

const BENDS = {tanh: Math.tanh, cos: Math.cos, cube: (u) => u * u * u};

// The sum of a network: of each unit its offset, its output, and the weights of the terms.
function networkSum(split, values) {
  return split.units.reduce((sum, [offset, output, ...weights]) => sum + output
    * BENDS[split.bend](values.reduce((u, value, k) => u + weights[k] * value, offset)), 0);
}

function weightedSum(split, weights, x, start = 0) {
  if (split.units) return networkSum(split, split.terms.map((columns) => termValue(columns, x, split.fill)));
  let sum = start;
  split.terms.forEach((columns, k) => { sum += weights[k] * termValue(columns, x, split.fill); });
  return sum;
}

function scores(split, x) {
  return split.weights.map((weights, b) => weightedSum(split, weights, x, split.intercepts[b]));
}

// Where the row stands on the line that the split is decided on; null where there is no such line.
function position(split, x) {
  if (split.kind === "column") return x[split.column];
  if (split.kind === "sum") return weightedSum(split, split.weights, x);
  if (split.kind !== "scores" || split.weights.length > 2) return null;
  const [first, second] = scores(split, x);
  return second - first;
}

function branchOf(split, x) {
  if (split.kind === "column") {
    const value = x[split.column];
    return value === null ? split.missing : Number(!(value <= split.threshold));
  }
  if (split.kind === "category") {
    if (x[split.column] === null) return split.missing ?? split.other;
    const branch = split.branches[x[split.column]] ?? -1;
    return branch < 0 ? split.other : branch;
  }
  if (split.kind === "sum") {
    const sum = weightedSum(split, split.weights, x);
    return Number.isNaN(sum) ? split.other : Number(!(sum <= split.threshold));
  }
  const all = scores(split, x);
  return all.some(Number.isNaN) ? split.other : all.indexOf(Math.max(...all));
}

function pathOf(tree, x) {
  const path = [0];
  for (let q = 0; tree.splits[q]; path.push(q)) q = tree.first[q] + branchOf(tree.splits[q], x);
  return path;
}

// How far each term moves the sum from where the usual row has it.
function pullsOf(terms, weights, x, fill) {
  const usual = {};
  for (const columns of terms) for (const j of columns) usual[j] = fill && j in fill ? fill[j] : 0;
  const known = x.map((value, j) => value === null ? usual[j] ?? 0 : value);
  return terms.map((columns, k) => {
    const there = columns.reduce((product, j) => product * known[j], 1);
    return weights[k] * (there - columns.reduce((product, j) => product * usual[j], 1));
  });
}

// How much of its score the row would lose with the usual value in one column.
function networkPulls(split, x) {
  const usual = split.terms.map(([j]) => split.fill && j in split.fill ? split.fill[j] : 0);
  const known = split.terms.map(([j], k) => x[j] === null ? usual[k] : x[j]), whole = networkSum(split, known);
  return usual.map((value, k) => whole - networkSum(split, known.map((own, i) => i === k ? value : own)));
}

// How far the usual row is on the side that was taken; below zero where it is on another.
function usualLead(split, branch, x) {
  const usual = x.map((_, j) => split.fill && j in split.fill ? split.fill[j] : 0);
  if (split.kind === "scores") {
    const all = scores(split, usual);
    return all[branch] - all.reduce((a, b) => a + b, 0) / all.length;
  }
  const sum = weightedSum(split, split.weights, usual);
  return branch ? sum - split.threshold : split.threshold - sum;
}

// What part of the change each term gets: by what it pulled to the side that was taken. The usual row gets the rest,
// which is none where it has no lead.
function sharesOf(pulls, towards, lead) {
  let sizes = pulls.map((pull) => Math.max(towards * pull, 0));
  if (!(lead > 0) && !sizes.some((size) => size > 0)) sizes = pulls.map(Math.abs);
  const total = sizes.reduce((a, b) => a + b, 0) + Math.max(lead, 0);
  return total > 0 && total < Infinity ? sizes.map((size) => size / total) : sizes.map(() => 1 / sizes.length);
}

function stepTerms(split, branch, x) {
  if (split.kind === "column" || split.kind === "category") {
    return [{columns: [split.column], value: x[split.column], share: 1}];
  }
  let weights = split.weights, towards = branch === 0 ? -1 : 1;
  if (split.kind === "scores") {
    towards = 1;
    const means = split.terms.map((_, k) => split.weights.reduce((sum, row) => sum + row[k], 0) / split.weights.length);
    const apart = split.weights.map((row) => row.map((w, k) => w - means[k]));
    // the middle one of parallel scores: what moves a row away from it
    weights = apart[branch].some((w) => w !== 0) ? apart[branch]
      : means.map((_, k) => apart.reduce((sum, row) => sum + Math.abs(row[k]), 0));
  }
  const pulls = split.units ? networkPulls(split, x) : pullsOf(split.terms, weights, x, split.fill);
  const lead = split.terms.length > 1 ? usualLead(split, branch, x) : 0, shares = sharesOf(pulls, towards, lead);
  const terms = split.terms.map((columns, k) => ({
    columns, weight: weights[k], pull: pulls[k], share: shares[k],
    value: columns.length === 1 ? x[columns[0]] : termValue(columns, x, split.fill),
  }));
  if (!(lead > 0 && lead < Infinity)) return terms;
  return [{text: "the usual row", columns: [], value: null, share: 1 - shares.reduce((a, b) => a + b, 0)}, ...terms];
}

function softmax(scores) {
  const top = Math.max(...scores), parts = scores.map((s) => Math.exp(s - top)), total = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => part / total);
}

// What each term adds to the probabilities on the straight way from the usual row, whose scores are given, to the row;
// moved: how far each term moves the score of each class. Gauss's rule, two points in each of n parts.
function changeOfProbabilities(usual, moved) {
  const classes = usual.map((_, c) => c), whole = classes.map((c) => moved.reduce((s, row) => s + row[c], 0));
  const middle = whole.reduce((a, b) => a + b, 0) / whole.length;
  const n = Math.min(400, 8 + 4 * Math.ceil(Math.max(0, ...whole.map((v) => Math.abs(v - middle)))));
  const mean = classes.map(() => 0), both = classes.map(() => classes.map(() => 0));
  for (let part = 0; part < n; part++) for (const side of [-0.5, 0.5]) {
    const t = (part + 0.5 + side / Math.sqrt(3)) / n, p = softmax(usual.map((v, c) => v + t * whole[c]));
    for (const c of classes) {
      mean[c] += p[c] / (2 * n);
      for (const k of classes) both[c][k] += p[c] * p[k] / (2 * n);
    }
  }
  const found = moved.map((row) => classes.map((c) => row[c] * mean[c] - classes.reduce((s, k) => s + both[c][k] * row[k], 0)));
  const before = softmax(usual), after = softmax(usual.map((v, c) => v + whole[c]));
  const sizes = found.map((row) => row.reduce((s, v) => s + Math.abs(v), 0)), total = sizes.reduce((a, b) => a + b, 0);
  const rest = classes.map((c) => after[c] - before[c] - found.reduce((s, row) => s + row[c], 0));
  return found.map((row, k) => row.map((v, c) => v + rest[c] * (total > 0 ? sizes[k] / total : 1 / sizes.length)));
}

// What a node predicts. Of many classes it tells those that differ from the rest.
function valuesOf(tree, q) {
  const told = tree.value[q];
  if (Array.isArray(told)) return told;
  const values = new Array(tree.outputs.length).fill(told.rest);
  told.classes.forEach((c, k) => { values[c] = told.values[k]; });
  return values;
}

// The logarithm of a column; values below the floor count as the floor.
function logarithm(models, j, value) {
  const [floor, shift] = models.logs[j];
  return Math.log(Math.max(value, floor) + shift);
}

// The model of a leaf: its prediction, and the terms that led there from the leaf's own value.
function leafModel(tree, leaf, x) {
  const models = tree.models, tables = models.tables[leaf];
  if (!tables) return null;
  const numbers = x.map((value, j) => models.codes.includes(j) ? 0 : value === null ? models.fill[j] : value);
  const usual = models.fill.map((value, j) => models.codes.includes(j) ? 0 : value);
  // a column and -1: 1 where it is missing, 0 for the usual row; a column and -2: its logarithm
  // in products columns are counted from a number near their mean
  const product = (columns, row) => columns[1] === -1 ? Number(row === numbers && x[columns[0]] === null)
    : columns[1] === -2 ? logarithm(models, columns[0], row[columns[0]])
    : columns.length === 1 ? row[columns[0]] : columns.reduce((p, j) => p * (row[j] - models.centre[j]), 1);
  const sum = (table, row) => models.terms.reduce((s, columns, k) => s + table[k + 1] * product(columns, row), table[0]);
  const termOf = (columns) => columns.length === 1 ? x[columns[0]] : product(columns, numbers);
  let said = tables.map((table) => sum(table, numbers));
  const own = valuesOf(tree, leaf), terms = [];
  const typical = tables.map((table) => sum(table, usual));
  if (tree.target === "classes") {
    said = softmax(said);
    const first = softmax(typical);
    const moved = models.terms.map((columns, k) => tables.map((table) => table[k + 1]
      * (product(columns, numbers) - product(columns, usual))));
    terms.push({text: "model of the leaf, for the usual row", change: first.map((v, c) => v - own[c])});
    changeOfProbabilities(typical, moved).forEach((change, k) => terms.push({
      columns: models.terms[k], name: models.names[k], value: termOf(models.terms[k]), change,
    }));
    return {said, terms};
  }
  terms.push({text: "model of the leaf, for the usual row", change: typical.map((v, c) => v - own[c])});
  models.terms.forEach((columns, k) => terms.push({
    columns, name: models.names[k], value: termOf(columns),
    change: tables.map((table) => table[k + 1] * (product(columns, numbers) - product(columns, usual))),
  }));
  const free = said;
  if (models.range[leaf]) said = said.map((v, c) => Math.min(Math.max(v, models.range[leaf][c][0]), models.range[leaf][c][1]));
  if (said.some((v, c) => v !== free[c])) {
    terms.push({text: "kept in the range of the leaf", change: said.map((v, c) => v - free[c])});
  }
  return {said, terms};
}

// The path of a row, what each step adds to the prediction, and the prediction.
function explainRow(tree, row) {
  const x = matrixRow(tree, row), path = pathOf(tree, x), steps = [];
  path.slice(0, -1).forEach((node, k) => {
    const child = path[k + 1], branch = child - tree.first[node];
    const before = valuesOf(tree, node), change = valuesOf(tree, child).map((value, c) => value - before[c]);
    const terms = stepTerms(tree.splits[node], branch, x);
    for (const term of terms) term.change = change.map((v) => v * term.share);
    steps.push({node, child, branch, terms, change});
  });
  const leaf = path[path.length - 1], model = tree.models ? leafModel(tree, leaf, x) : null;
  if (model) {
    const terms = model.terms.filter((term) => term.change.some((v) => v !== 0));
    const own = valuesOf(tree, leaf);
    steps.push({node: leaf, terms, change: model.said.map((v, c) => v - own[c])});
  }
  return {x, path, steps, prediction: model ? model.said : valuesOf(tree, leaf), known: !tree.models || model !== null};
}
