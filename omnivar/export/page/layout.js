// Where the cards stand: subtrees as close as they go, no two cards of a level overlap.

const CARD = {wide: 216, high: 150, leafWide: 132, leafHigh: 62, soleWide: 330, gap: 14, between: 58};
const NO_BAR = 14; // what a card is lower by where nodes have no bar

function sizeOf(tree, q) {
  if (tree.splits[q]) return [CARD.wide, CARD.high];
  const wide = tree.parent.length === 1 ? CARD.soleWide : CARD.wide;
  const high = CARD.leafHigh - (hasPlaces(tree) ? 0 : NO_BAR);
  return tree.models ? [wide, high + 16 + 12 * cardTerms(tree, q)] : [CARD.leafWide, high];
}

// The nodes that are shown, parents first.
function openNodes(tree, closed) {
  const shown = [0];
  for (let k = 0; k < shown.length; k++) {
    const q = shown[k];
    if (!tree.splits[q] || closed.has(q)) continue;
    for (let b = 0; b < tree.children[q]; b++) shown.push(tree.first[q] + b);
  }
  return shown;
}

// x and y of the middle of the upper edge of each card that is shown.
function layOut(tree, closed) {
  const shown = openNodes(tree, closed), offset = new Map(), outline = new Map(), place = new Map();
  for (let k = shown.length - 1; k >= 0; k--) {
    const q = shown[k], left = [], right = [], open = tree.splits[q] && !closed.has(q);
    const kids = open ? Array.from({length: tree.children[q]}, (_, b) => tree.first[q] + b) : [];
    for (const child of kids) {
      const [childLeft, childRight] = outline.get(child);
      let shift = left.length ? -Infinity : 0;
      for (let d = 0; d < Math.min(right.length, childLeft.length); d++) {
        shift = Math.max(shift, right[d] - childLeft[d] + CARD.gap);
      }
      offset.set(child, shift);
      for (let d = 0; d < childLeft.length; d++) {
        if (d >= left.length) left.push(childLeft[d] + shift);
        right[d] = childRight[d] + shift;
      }
      outline.delete(child);
    }
    const centre = kids.length ? (offset.get(kids[0]) + offset.get(kids[kids.length - 1])) / 2 : 0;
    for (const child of kids) offset.set(child, offset.get(child) - centre);
    const half = sizeOf(tree, q)[0] / 2;
    outline.set(q, [[-half, ...left.map((v) => v - centre)], [half, ...right.map((v) => v - centre)]]);
  }
  const box = {left: Infinity, right: -Infinity, top: 0, bottom: 0};
  for (const q of shown) {
    const above = place.get(tree.parent[q]);
    const x = above ? above.x + offset.get(q) : 0, y = above ? above.y + CARD.high + CARD.between : 0;
    const [wide, high] = sizeOf(tree, q);
    place.set(q, {x, y, wide, high});
    box.left = Math.min(box.left, x - wide / 2);
    box.right = Math.max(box.right, x + wide / 2);
    box.bottom = Math.max(box.bottom, y + high);
  }
  return {shown, place, box};
}
