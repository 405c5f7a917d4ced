// Mouse, fingers and keys.

// Pointers that are down, by their numbers: one moves the tree, two zoom it as well.
const held = new Map();
let moved = false;

// The middle of the first two of them, and how far they are apart.
function grip() {
  const [a, b = a] = held.values();
  return {x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, span: Math.hypot(a[0] - b[0], a[1] - b[1])};
}

function release(event) {
  held.delete(event.pointerId);
  if (!held.size) board.classList.remove("moving");
}

board.addEventListener("pointerdown", (event) => {
  if (!held.size) moved = false;
  held.set(event.pointerId, [event.clientX, event.clientY]);
});
window.addEventListener("pointermove", (event) => {
  const at = held.get(event.pointerId), to = [event.clientX, event.clientY];
  if (!at) return;
  if (!(event.buttons & 1)) { release(event); return; }
  if (!moved && Math.hypot(to[0] - at[0], to[1] - at[1]) < 4) return;
  const before = grip();
  held.set(event.pointerId, to);
  const after = grip(), box = board.getBoundingClientRect();
  moved = true;
  board.classList.add("moving");
  state.x += after.x - before.x;
  state.y += after.y - before.y;
  if (before.span > 0) zoom(Math.max(after.span, 1) / before.span, after.x - box.left, after.y - box.top);
  later();
});
window.addEventListener("pointerup", release);
window.addEventListener("pointercancel", release);
board.addEventListener("click", (event) => {
  const hit = event.target.closest("[data-toggle], [data-node]");
  if (moved || !hit) return;
  if (hit.dataset.toggle !== undefined) toggle(Number(hit.dataset.toggle));
  else choose(Number(hit.dataset.node));
});
board.addEventListener("dblclick", (event) => {
  const hit = event.target.closest("[data-node]");
  if (hit) toggle(Number(hit.dataset.node));
});
board.addEventListener("wheel", (event) => {
  event.preventDefault();
  const box = board.getBoundingClientRect(), turn = event.deltaY * (event.deltaMode === 1 ? 18 : 1);
  zoom(Math.exp(-turn / 500), event.clientX - box.left, event.clientY - box.top);
}, {passive: false});

// The neighbour on the same level that is open.
function neighbour(q, step) {
  const y = plan.place.get(q).y, level = plan.shown.filter((p) => plan.place.get(p).y === y);
  level.sort((a, b) => plan.place.get(a).x - plan.place.get(b).x);
  return level[level.indexOf(q) + step] ?? q;
}

const KEYS = {
  ArrowUp: () => choose(Math.max(tree.parent[state.chosen], 0), true),
  ArrowDown: () => {
    if (!tree.splits[state.chosen]) return;
    if (state.closed.has(state.chosen)) toggle(state.chosen);
    choose(tree.first[state.chosen], true);
  },
  ArrowLeft: () => choose(neighbour(state.chosen, -1), true),
  ArrowRight: () => choose(neighbour(state.chosen, 1), true),
  Enter: () => toggle(state.chosen),
  " ": () => toggle(state.chosen),
  "+": () => zoom(1.25),
  "=": () => zoom(1.25),
  "-": () => zoom(0.8),
  "0": fit,
  "/": () => byId("search").focus(),
  "n": nextFound,
  "s": save,
  "?": () => { byId("keys").hidden = !byId("keys").hidden; },
};
board.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});
byId("search").addEventListener("input", (event) => search(event.target.value));
byId("search").addEventListener("keydown", (event) => {
  if (event.key === "Enter") nextFound();
  if (event.key !== "Escape") return;
  event.target.value = "";
  search("");
  board.focus();
});

byId("zoom-in").onclick = () => zoom(1.25);
byId("zoom-out").onclick = () => zoom(0.8);
byId("fit").onclick = fit;
byId("expand").onclick = () => { state.closed.clear(); arrange(); fit(); };
byId("collapse").onclick = () => { closeForReading(); choose(0); };
byId("save").onclick = save;
byId("help").onclick = KEYS["?"];
byId("tab-node").onclick = () => showTab("node");
byId("tab-row").onclick = () => showTab("row");
window.addEventListener("resize", later);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", later);

byId("facts").textContent = tree.facts;
if (tree.target === "classes" && tree.outputs.length <= 10) {
  tree.outputs.forEach((name, c) => byId("key").append(
    html("i", {style: `background:${tree.colours[c]}`}), html("span", {title: name}, cut(name, 180))));
}
if (tree.target !== "classes" && hasPlaces(tree)) {
  const range = tree.value.map((values) => values[0]);
  if (tree.models) byId("key").append("means of training rows: ");
  for (const [at, value] of [[0, Math.min(...range)], [1, Math.max(...range)]]) {
    byId("key").append(html("i", {style: `background:${ramp(tree, at)}`}), short(value));
  }
}
if (tree.sample) takeRow(tree.sample.rows[0], 0);
else startFields();
closeForReading();
choose(0);
