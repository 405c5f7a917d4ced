// The page: what is open, where one looks, which node and row are chosen; mouse, keys, search, saving.

const tree = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const board = byId("tree"), edges = svg("g", {}), toggles = svg("g", {}), cards = svg("g", {});
const layer = svg("g", {}, edges, cards, toggles);
board.append(layer);

const NEAR = 0.5, FAR = 0.14, FEW = 40; // scales of detail; so many nodes are open at first
const state = {closed: new Set(), chosen: 0, row: null, explained: null, found: [], at: -1, scale: 1, x: 0, y: 0};
let plan, drawn = new Map(), detail = 2, waiting = false;

// How many nodes are below each node.
const below = new Array(tree.parent.length).fill(0);
for (let q = tree.parent.length - 1; q > 0; q--) below[tree.parent[q]] += below[q] + 1;

function closeDeep(most) {
  state.closed.clear();
  let shown = 1, level = [0];
  while (level.length) {
    const next = [];
    for (const q of level) {
      if (!tree.splits[q]) continue;
      if (shown + tree.children[q] > most) { state.closed.add(q); continue; }
      for (let b = 0; b < tree.children[q]; b++) next.push(tree.first[q] + b);
      shown += tree.children[q];
    }
    level = next;
  }
}

// As many nodes open as can be read at once.
function closeForReading() {
  for (const most of [FEW, 30, 22, 16, 11, 7]) {
    closeDeep(most);
    arrange();
    fit();
    if (state.scale >= NEAR) return;
  }
}

function drawToggle(q, place) {
  const closed = state.closed.has(q), y = place.y + place.high;
  return svg("g", {class: "toggle node", "data-toggle": q},
    svg("circle", {cx: place.x, cy: y, r: (closed ? 13 : 8) * (detail < 2 ? 1.8 : 1)}),
    svg("text", {x: place.x, y: y + (detail < 2 ? 7 : 3.5), class: detail < 2 ? "coarse" : ""}, closed ? `+${below[q]}` : "−"));
}

function mark(q, group) {
  group.classList.toggle("chosen", q === state.chosen);
  group.classList.toggle("found", state.found.includes(q));
  group.classList.toggle("way", Boolean(state.explained?.path.includes(q)));
}

function rowPosition(q) {
  return state.explained?.path.includes(q) && tree.splits[q] ? position(tree.splits[q], state.explained.x) : null;
}

function draw(q) {
  const place = plan.place.get(q), above = plan.place.get(tree.parent[q]);
  const parts = {card: drawCard(tree, q, place, detail, rowPosition(q))};
  mark(q, parts.card);
  cards.append(parts.card);
  if (above) {
    parts.edge = drawEdge(tree, q, above, place);
    parts.edge.firstChild.classList.toggle("way", Boolean(state.explained?.path.includes(q)));
    if (detail < 2) {
      parts.edge.lastChild.remove();
      parts.edge.firstChild.setAttribute("stroke-width", Math.max(edgeWidth(tree, q), 1 / state.scale).toFixed(1));
    }
    edges.append(parts.edge);
  }
  if (tree.splits[q] && detail) toggles.append(parts.toggle = drawToggle(q, place));
  drawn.set(q, parts);
}

function erase(q) {
  for (const part of Object.values(drawn.get(q))) part.remove();
  drawn.delete(q);
}

// Draw what can be seen, and take away what cannot.
function refresh() {
  waiting = false;
  layer.setAttribute("transform", `translate(${state.x} ${state.y}) scale(${state.scale})`);
  const finer = state.scale < FAR ? 0 : state.scale < NEAR ? 1 : 2;
  if (finer !== detail) { detail = finer; clear(); }
  const {clientWidth: wide, clientHeight: high} = board, margin = 80;
  const left = (-margin - state.x) / state.scale, right = (wide + margin - state.x) / state.scale;
  const top = (-margin - state.y) / state.scale, bottom = (high + margin - state.y) / state.scale;
  const near = (p) => p.x + p.wide / 2 > left && p.x - p.wide / 2 < right && p.y < bottom && p.y + p.high > top;
  const wanted = new Set();
  for (const q of plan.shown) {
    const place = plan.place.get(q), above = plan.place.get(tree.parent[q]);
    const crosses = above && Math.min(place.x, above.x) < right && Math.max(place.x, above.x) > left
      && above.y < bottom && place.y > top;
    if (near(place) || crosses) wanted.add(q);
  }
  for (const q of [...drawn.keys()]) if (!wanted.has(q)) erase(q);
  for (const q of wanted) if (!drawn.has(q)) draw(q);
}

function clear() {
  drawn = new Map();
  for (const group of [edges, cards, toggles]) group.replaceChildren();
}

function later() {
  if (!waiting) requestAnimationFrame(refresh);
  waiting = true;
}

function arrange() {
  plan = layOut(tree, state.closed);
  clear();
  later();
}

function zoom(factor, x = board.clientWidth / 2, y = board.clientHeight / 2) {
  const scale = Math.min(Math.max(state.scale * factor, 0.01), 4), ratio = scale / state.scale;
  state.x = x - (x - state.x) * ratio;
  state.y = y - (y - state.y) * ratio;
  state.scale = scale;
  later();
}

function fit() {
  const {box} = plan, wide = box.right - box.left + 40, high = box.bottom - box.top + 50;
  state.scale = Math.min(board.clientWidth / wide, board.clientHeight / high, 1.3);
  state.x = board.clientWidth / 2 - state.scale * (box.left + box.right) / 2;
  state.y = Math.max((board.clientHeight - state.scale * high) / 2, 0) + 15 * state.scale;
  later();
}

function reveal(q) {
  let hidden = false;
  for (let p = tree.parent[q]; p >= 0; p = tree.parent[p]) hidden = state.closed.delete(p) || hidden;
  if (hidden) arrange();
  const place = plan.place.get(q), {clientWidth: wide, clientHeight: high} = board;
  if (state.scale < NEAR) state.scale = 0.8;
  const x = place.x * state.scale + state.x, y = (place.y + place.high / 2) * state.scale + state.y;
  const halfWide = place.wide / 2 * state.scale, halfHigh = place.high / 2 * state.scale;
  if (x - halfWide < 0 || x + halfWide > wide) state.x += wide / 2 - x;
  if (y - halfHigh < 0 || y + halfHigh > high) state.y += high / 2 - y;
  later();
}

function choose(q, move = false) {
  state.chosen = q;
  if (move) reveal(q);
  for (const [node, parts] of drawn) mark(node, parts.card);
  board.setAttribute("aria-label", `${tree.splits[q] ? tree.splits[q].question : saidBy(tree, q)}, node ${q}`);
  showNode(q);
}

function toggle(q) {
  if (!tree.splits[q]) return;
  const before = plan.place.get(q);
  if (!state.closed.delete(q)) state.closed.add(q);
  arrange();
  const after = plan.place.get(q); // the node stays where it is on the screen
  state.x += (before.x - after.x) * state.scale;
  state.y += (before.y - after.y) * state.scale;
}

function search(words) {
  const wanted = words.trim().toLowerCase();
  state.found = [];
  state.at = -1;
  if (wanted) {
    tree.parent.forEach((_, q) => {
      const said = wanted.startsWith("#") ? `#${q}` : (tree.splits[q] ? searchable(q) : tree.says[q]).toLowerCase();
      if (wanted.startsWith("#") ? said === wanted : said.includes(wanted)) state.found.push(q);
    });
  }
  byId("found").textContent = wanted ? `${state.found.length} node${state.found.length === 1 ? "" : "s"}` : "";
  for (const [q, parts] of drawn) mark(q, parts.card);
}

function searchable(q) {
  const split = tree.splits[q], terms = split.terms ? split.terms.map((columns) => termName(tree, columns)) : [];
  return [split.question, ...terms, ...(split.chips ?? []).flat()].join(" ");
}

function nextFound() {
  if (!state.found.length) return;
  state.at = (state.at + 1) % state.found.length;
  choose(state.found[state.at], true);
}

// The tree as it is open now, as a file of its own.
function standalone() {
  const style = getComputedStyle(document.documentElement), {box} = plan;
  const rules = [...document.styleSheets[0].cssRules].map((rule) => rule.cssText).filter((rule) => rule.startsWith("svg"))
    .join("\n").replace(/var\((--[a-z]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  const [wide, high] = [box.right - box.left + 40, box.bottom + 50];
  const whole = svg("svg", {xmlns: SVG, width: Math.ceil(wide), height: Math.ceil(high),
                            viewBox: `${box.left - 20} -20 ${wide} ${high}`}, svg("style", {}, rules),
    svg("rect", {x: box.left - 20, y: -20, width: wide, height: high, fill: style.getPropertyValue("--page").trim()}));
  const lines = svg("g", {}), boxes = svg("g", {});
  for (const q of plan.shown) {
    const place = plan.place.get(q), above = plan.place.get(tree.parent[q]), card = drawCard(tree, q, place, 2, rowPosition(q));
    mark(q, card);
    boxes.append(card);
    if (!above) continue;
    const edge = drawEdge(tree, q, above, place);
    edge.firstChild.classList.toggle("way", Boolean(state.explained?.path.includes(q)));
    lines.append(edge);
  }
  whole.append(lines, boxes);
  return new XMLSerializer().serializeToString(whole);
}

function save() {
  const link = html("a", {href: URL.createObjectURL(new Blob([standalone()], {type: "image/svg+xml"})), download: "tree.svg"});
  link.click();
  URL.revokeObjectURL(link.href);
}
