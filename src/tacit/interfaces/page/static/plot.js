// Drawings as SVG: axes in logarithms or not, lines, areas and dots; redrawn when the width changes.
import { s } from "./common.js";

const LEFT = 58, RIGHT = 14, TOP = 14, BOTTOM = 46;

/** Keep a drawing as wide as its place. */
export function responsive(place, draw) {
  const redraw = () => { if (place.clientWidth) draw(place.clientWidth); };
  place.redraw?.disconnect();
  place.redraw = new ResizeObserver(redraw);
  place.redraw.observe(place);
  redraw();
}

function scale(axis, from, to) {
  const at = axis.log ? Math.log10 : axis.root ? (v) => Math.sign(v) * Math.sqrt(Math.abs(v)) : (v) => v;
  const low = at(axis.low), span = at(axis.high) - low || 1;
  return (v) => from + (to - from) * Math.min(1, Math.max(0, (at(v) - low) / span));
}

function ticks({ low, high, log, root, whole }, most) {
  if (root) return [-100, -25, -5, 0, 1, 5, 10, 25, 50, 100, 200, 400, 800].filter((v) => v >= low && v <= high);
  if (log) {
    const decades = Math.log10(high / low);
    const steps = decades < 2.2 ? [1, 2, 5] : [1];
    const skip = Math.max(1, Math.ceil(decades / most));
    const found = [];
    for (let p = Math.floor(Math.log10(low)); p <= Math.log10(high); p += 1) {
      if (p % skip === 0) for (const step of steps) found.push(Number((step * 10 ** p).toPrecision(3)));
    }
    return found.filter((v) => v >= low * 0.999 && v <= high * 1.001);
  }
  const rough = (high - low) / most, size = 10 ** Math.floor(Math.log10(rough || 1));
  let step = [1, 2, 5, 10].map((m) => m * size).find((m) => m >= rough) || 1;
  if (whole) step = Math.max(1, Math.round(step));
  const found = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step / 1e6; v += step) found.push(Number(v.toPrecision(6)));
  return found;
}

/** Draw a chart; `x` and `y` are {low, high, log, label, shown}, `draw` gets (place, add). */
export function chart({ width, height, title, x, y }, draw) {
  const across = scale(x, LEFT, width - RIGHT), up = scale(y, height - BOTTOM, TOP);
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title });
  for (const v of ticks(x, width / 80)) {
    svg.append(s("line", { class: "grid", x1: across(v), x2: across(v), y1: TOP, y2: height - BOTTOM }),
      s("text", { x: across(v), y: height - BOTTOM + 17, "text-anchor": "middle" }, x.shown(v)));
  }
  for (const v of ticks(y, height / 50)) {
    svg.append(s("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: up(v), y2: up(v) }),
      s("text", { x: LEFT - 7, y: up(v) + 4, "text-anchor": "end" }, y.shown(v)));
  }
  svg.append(s("line", { class: "axis", x1: LEFT, x2: width - RIGHT, y1: height - BOTTOM, y2: height - BOTTOM }),
    s("text", { x: (LEFT + width - RIGHT) / 2, y: height - 6, "text-anchor": "middle" }, x.label),
    s("text", { x: 13, y: (TOP + height - BOTTOM) / 2, "text-anchor": "middle", transform: `rotate(-90 13 ${(TOP + height - BOTTOM) / 2})` }, y.label));
  const path = (points) => points.map(([a, b], i) => `${i ? "L" : "M"}${across(a).toFixed(1)} ${up(b).toFixed(1)}`).join("");
  draw({ across, up, path, left: LEFT, right: width - RIGHT, top: TOP, bottom: height - BOTTOM }, (tag, attributes, ...inside) => svg.append(s(tag, attributes, ...inside)));
  return svg;
}

/** The sample of a line for a legend. */
export const sample = (kind) => s("svg", { viewBox: "0 0 28 12", "aria-hidden": "true" },
  s("line", { x1: 1, x2: 27, y1: 6, y2: 6, class: kind }));

/** Numbers as short as an axis wants them. */
export function brief(v) {
  if (v >= 1e9) return `${v / 1e9}G`;
  if (v >= 1e6) return `${v / 1e6}M`;
  return v >= 1e4 ? `${v / 1e3}k` : String(v);
}
