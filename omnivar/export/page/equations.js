// The equations of a leaf as terms: what it says of each output or class, the term that matters most first.

// The number of a term for a row as the tree sees it.
function termNumber(models, columns, x) {
  if (columns[1] === -1) return Number(x[columns[0]] === null);
  if (columns[1] === -2) return logarithm(models, columns[0], x[columns[0]] ?? models.fill[columns[0]]);
  const known = (j) => x[j] ?? models.fill[j];
  if (columns.length === 1) return known(columns[0]) - (models.alone?.[columns[0]] ?? 0);
  return columns.reduce((product, j) => product * (known(j) - models.centre[j]), 1);
}

// The log odds of two classes, the scores of more less their mean, or what it says of each output.
function shownTables(tree, tables) {
  if (tree.target !== "classes") return tables.map((table, c) => [tree.outputs[c], table]);
  if (tables.length === 2) return [[`log odds of ${tree.outputs[1]}`, tables[1].map((w, k) => w - tables[0][k])]];
  const mean = tables[0].map((_, k) => tables.reduce((sum, table) => sum + table[k], 0) / tables.length);
  return tables.map((table, c) => [`score of ${tree.outputs[c]}`, table.map((w, k) => w - mean[k])]);
}

const found = new Map(); // equations of leaves that were asked for

// For each equation what it is of, its constant, its terms and its range; nothing of a leaf that has none.
function equationsOf(tree, q) {
  const models = tree.models, tables = models?.tables[q];
  if (!tables) return [];
  if (found.has(q)) return found.get(q);
  found.set(q, shownTables(tree, tables).map(([what, table], c) => {
    const terms = models.terms.map((columns, k) => ({
      columns, weight: table[k + 1], name: (models.shown ?? models.names)[k],
      size: table[k + 1] * (columns[1] === -1 ? 0.5 : columns[1] === -2 ? models.logs[columns[0]][2]
        : columns.reduce((product, j) => product * tree.spread[j], 1)),
    })).filter((term) => term.weight !== 0 && !term.columns.some((j) => models.codes.includes(j) && term.columns[1] !== -1));
    const moved = terms.reduce((sum, {columns, weight}) => sum
      + (columns.length === 1 ? weight * (models.alone?.[columns[0]] ?? 0) : 0), 0);
    for (const term of terms) term.words = `${term.weight < 0 ? "-" : "+"} ${short(Math.abs(term.weight))} * ${term.name}`;
    terms.sort((a, b) => Math.abs(b.size) - Math.abs(a.size));
    return {what, constant: table[0] + moved, terms, range: models.range[q]?.[c]};
  }));
  return found.get(q);
}

// What stands in for a missing value of a column, in words; of an indicator that is 0 there is nothing to say.
function standIn(tree, j, as, is) {
  const fill = tree.models.fill[j], [source, category] = tree.source ? tree.source[j] : [j, -1];
  const {name, values, dates} = tree.columns[source];
  if (category >= 0) return fill === 1 ? `${name} ${is} ${values[category]}` : "";
  const day = tree.spread[j] < 10 ? Math.round(fill * 1440) / 1440 : Math.round(fill);
  return `${name} ${as} ${dates ? dateText(day) : short(fill)}`;
}

// The same for an equation: of the columns that training rows missed, or of those that a row misses.
function standIns(tree, q, x = null) {
  const columns = new Set(equationsOf(tree, q).flatMap(({terms}) => terms.flatMap(({columns: c}) => c[1] === -1 ? [] : c[1] === -2 ? [c[0]] : c)));
  return [...columns].filter((j) => x ? x[j] === null : tree.models.missed?.includes(j)).sort((a, b) => a - b)
    .map((j) => x ? standIn(tree, j, "as", "is") : standIn(tree, j, "=", "=")).filter((words) => words).join(", ");
}

// The equation on a card: that of the class which most rows have, or of the first output.
function cardEquation(tree, q) {
  const equations = equationsOf(tree, q), equation = equations[equations.length > 1 ? tree.answer?.[q] ?? 0 : 0];
  return equation?.terms.length ? equation : null;
}

// How many of its terms a card shows: all that there is room for where the leaf is the whole tree.
function cardTerms(tree, q) {
  return Math.min(cardEquation(tree, q)?.terms.length ?? 0, tree.parent.length === 1 ? 16 : 4);
}

// One term of an equation; of a row that comes here also what it adds.
function termLine(name, weight, bar, part) {
  return html("div", {class: part === null ? "weight" : "weight parts"}, html("span", {}, name), bar,
              html("span", {}, weight), part === null ? null : html("span", {}, part));
}

function signed(value) {
  return (value > 0 ? "+" : "") + short(value);
}

const MOST_LINES = 14; // others fold

function equationTable(tree, equation, x) {
  const most = Math.max(...equation.terms.map((term) => Math.abs(term.size)), 0), none = html("span", {});
  const parts = x && equation.terms.map((term) => term.weight * termNumber(tree.models, term.columns, x));
  const lines = equation.terms.map((term, k) => termLine(term.name, short(term.weight), scaleBar(term.size, most),
                                                         x ? signed(parts[k]) : null));
  const head = x ? [termLine("", "weight", none, rowName())] : [];
  head.push(termLine("constant", short(equation.constant), none.cloneNode(), x ? short(equation.constant) : null));
  if (lines.length > MOST_LINES) {
    const rest = lines.splice(MOST_LINES - 1);
    lines.push(html("details", {}, html("summary", {}, `${rest.length} smaller terms`), ...rest));
  }
  if (x) lines.push(termLine("sum", "", none.cloneNode(), short(parts.reduce((a, b) => a + b, equation.constant))));
  if (equation.range) lines.push(html("p", {class: "soft"}, `kept from ${short(equation.range[0])} to ${short(equation.range[1])}`));
  return [...head, ...lines];
}

function rowName() {
  return state.sampled === null ? "your row" : tree.sample.names[state.sampled].split(":")[0];
}

// All equations of a leaf; of many classes that of the leaf's own is open.
function equationTables(q) {
  const equations = equationsOf(tree, q).filter((equation) => equation.terms.length), open = cardEquation(tree, q);
  if (!equations.length) return [];
  const explained = state.row && explainRow(tree, state.row), here = explained?.path.includes(q) ? explained.x : null;
  const words = standIns(tree, q);
  return [html("h3", {}, "Terms of the equation" + (equations.length > 1 ? "s" : "")), html("p", {class: "soft"}, BARS),
    ...equations.map((equation) => {
      const what = `${equation.what} =`, lines = equationTable(tree, equation, here);
      if (equations.length === 1) return html("div", {}, html("p", {class: "question"}, what), ...lines);
      const fold = html("details", {}, html("summary", {}, what), ...lines);
      fold.open = equation === open || equations.length < 3;
      return fold;
    }), words ? html("p", {class: "soft"}, `Missing values count as: ${words}`) : ""];
}

// What a leaf answers, in a few words; where it computes that, from how many equations.
function saidBy(tree, q) {
  const table = tree.models?.tables[q] ?? [];
  if (!table.some((row) => row.slice(1).some((weight) => weight !== 0))) return tree.says[q];
  const classes = tree.target === "classes", n = classes && table.length === 2 ? 1 : table.length;
  return `${n === 1 ? "an equation gives" : `${n} equations give`} the ${classes ? "class" : "value"}`;
}
