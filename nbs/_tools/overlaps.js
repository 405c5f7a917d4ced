// Texts of an SVG file that lie over each other or outside of the picture, as they are seen: a function of its address.
// The boxes that are compared may be turned; they hold the letters, not the room above and below the line.
(async (address) => {
  const SLACK = 1.5; // pixels
  const holder = document.body.appendChild(document.createElement("div"));
  holder.style.cssText = "position: absolute; left: 0; top: 0";
  holder.innerHTML = await (await fetch(address)).text();
  const svg = holder.querySelector("svg"), view = svg.viewBox.baseVal;
  const corners = (text) => {
    const box = text.getBBox(), to = svg.getScreenCTM().inverse().multiply(text.getScreenCTM());
    const [top, bottom] = [box.y + 0.2 * box.height, box.y + 0.9 * box.height];
    return [[box.x, top], [box.x + box.width, top], [box.x + box.width, bottom], [box.x, bottom]].map(([x, y]) => {
      const point = new DOMPoint(x, y).matrixTransform(to);
      return [point.x, point.y];
    });
  };
  const texts = [...svg.querySelectorAll("text")].filter((t) => t.textContent.trim()).map((text) => {
    const points = corners(text), x = points.map((p) => p[0]), y = points.map((p) => p[1]);
    return {words: text.textContent, group: text.closest("[id^=text_]") ?? text, points,
            left: Math.min(...x), right: Math.max(...x), top: Math.min(...y), bottom: Math.max(...y)};
  });
  // how far two boxes reach into each other along the sides of the first: the least of both
  const depth = (a, b) => Math.min(...[[0, 1], [1, 2]].map(([i, j]) => {
    const [dx, dy] = [a[j][0] - a[i][0], a[j][1] - a[i][1]], length = Math.hypot(dx, dy) || 1;
    const along = (points) => points.map(([x, y]) => (x * dx + y * dy) / length), [p, q] = [along(a), along(b)];
    return Math.min(Math.max(...p), Math.max(...q)) - Math.max(Math.min(...p), Math.min(...q));
  }));
  const found = [];
  texts.forEach((a, k) => {
    if (a.left < view.x - 2 || a.top < view.y - 2 || a.right > view.x + view.width + 2
        || a.bottom > view.y + view.height + 2) found.push(`'${a.words}' is cut off`);
    for (const b of texts.slice(k + 1)) {
      if (a.group === b.group || a.left > b.right || b.left > a.right || a.top > b.bottom || b.top > a.bottom) continue;
      const shared = Math.min(depth(a.points, b.points), depth(b.points, a.points));
      if (shared > SLACK) found.push(`'${a.words}' over '${b.words}' (${shared.toFixed(1)})`);
    }
  });
  holder.remove();
  return found;
})
