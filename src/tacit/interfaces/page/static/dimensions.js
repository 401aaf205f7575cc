// The Dimensions page: a class in, its dimensions and what shows them out.
import { $, ask, follow, h, s, slider, sorry, table, term } from "./common.js";
import { chart, responsive } from "./plot.js";

let families = [], sizes = {};
let cells = [[0, 0, 0, 0, 1], [0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 1], [1, 0, 1, 0, 1]];
const source = () => document.querySelector("[name=source]:checked").value;

function board() {
  const button = (i, j) => h("button", {
    type: "button", "aria-pressed": String(cells[i][j] === 1), tabindex: i + j ? -1 : 0, "data-at": `${i},${j}`,
    "aria-label": `rule ${i}, case ${j}`,
    onclick: (event) => {
      cells[i][j] = 1 - cells[i][j];
      event.currentTarget.setAttribute("aria-pressed", String(cells[i][j] === 1));
      event.currentTarget.textContent = cells[i][j];
    },
    onkeydown: (event) => {
      const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      const next = move && $("board").querySelector(`[data-at="${i + move[0]},${j + move[1]}"]`);
      if (!next) return;
      event.preventDefault();
      event.currentTarget.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    },
  }, String(cells[i][j]));
  $("board").replaceChildren(
    h("caption", { class: "hidden-text" }, "The class: a line a rule, a column a case"),
    h("thead", {}, h("tr", {}, h("td", {}), cells[0].map((_, j) => h("th", { scope: "col" }, `x${j}`)))),
    h("tbody", {}, cells.map((row, i) => h("tr", {}, h("th", { scope: "row" }, `c${i}`), row.map((_, j) => h("td", {}, button(i, j)))))));
}

function resized() {
  const size = (id) => Math.min(Number($(id).max), Math.max(1, Math.round(Number($(id).value)) || 1));
  const [height, width] = [size("height"), size("width")];
  cells = Array.from({ length: height }, (_, i) => Array.from({ length: width }, (_, j) => cells[i]?.[j] ?? 0));
  board();
}

function chosen() {
  const family = families.find((each) => each.name === $("family").value);
  $("family-says").textContent = family.says;
  sizes = {};
  for (const each of family.sizes.filter((size) => size.low < size.high)) {
    const values = Array.from({ length: each.high - each.low + 1 }, (_, i) => String(each.low + i));
    sizes[each.name] = slider({ id: `size-${each.name}`, label: each.says, values, start: String(each.start), changed: () => {} });
  }
  $("sizes").replaceChildren(...Object.values(sizes).map((each) => each.element));
}

function request() {
  if (source() === "drawn") return { rows: cells.map((row) => row.join("")) };
  if (source() === "pasted") return { rows: $("paste").value.split("\n").map((line) => line.replace(/[\s,;]/g, "")).filter(Boolean) };
  return { family: $("family").value, sizes: Object.fromEntries(Object.entries(sizes).map(([name, each]) => [name, each.value])) };
}

$("find").addEventListener("click", async () => {
  const place = h("section", { class: "card" });
  $("found").replaceChildren(place);
  $("find").disabled = true;
  try {
    show(await follow("dimensions.find", request(), place));
  } catch (error) {
    sorry(place, error);
  }
  $("find").disabled = false;
});

const value = (known) => (known.exact ? String(known.lower) : `${known.lower} to ${known.upper}`);

function show(found) {
  const many = found.concepts === null ? "uncounted" : found.concepts;
  const tree = h("div", {}), curve = h("div", {});
  const set = found.shattered === null ? found.why_no_set : found.shattered.length ? `These cases get every answer: ${found.shattered.join(", ")}.` : "No case gets both answers.";
  $("found").replaceChildren(
    h("section", { class: "card" }, h("h2", {}, `${found.class}: ${many} rules over ${found.domain} cases`),
      h("div", { class: "big" },
        h("div", {}, h("b", { id: "vc" }, value(found.vc)), h("span", { class: "row" }, "VC dimension", term("vc", "the VC dimension"))),
        h("div", {}, h("b", { id: "littlestone" }, value(found.littlestone)), h("span", { class: "row" }, "Littlestone dimension", term("littlestone", "the Littlestone dimension")))),
      h("p", {}, set), found.matrix ? matrix(found.matrix) : null,
      h("p", { class: "hint" }, `VC: ${found.vc.why}. Littlestone: ${found.littlestone.why}.`)),
    h("section", { class: "card" }, h("h2", {}, "The tree of mistakes"),
      h("p", { class: "hint" }, found.tree ? "An opponent asks the case in the box, and says that your answer was wrong, whatever it was. Every way down is kept by some rule, so each level is one mistake." : found.why_no_tree), tree,
      found.tree ? asTable(found.tree) : null),
    h("section", { class: "card" }, h("h2", {}, "Error against messages"),
      h("p", { class: "hint" }, "Alice knows the rule, Bob the case. How often is Bob wrong if Alice may send one of so many messages, with shared coins? This decides private learning too. A bar shows between which two numbers the least error is known to lie."), curve,
      h("details", {}, h("summary", {}, "As a table"), found.curve.length
        ? table("Least errors", ["messages", "error at least", "at most"], found.curve.map((row) => row.map((v) => String(Number(v.toPrecision(5))))), [0, 1, 2])
        : null, table("Bits", ["error", "bits at least", "at most"], found.communication.map((row) => [row[0], row[1].toFixed(3), row[2].toFixed(3)]), [0, 1, 2]))));
  if (found.tree) responsive(tree, (width) => tree.replaceChildren(drawTree(found.tree, width)));
  responsive(curve, (width) => curve.replaceChildren(found.curve.length ? drawCurve(found.curve, width) : drawBits(found.communication, width)));
}

function matrix(found) {
  const lit = (j) => (found.shattered.includes(j) ? { class: "lit" } : {});
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The class, with the shattered cases marked" }, h("table", { class: "board" },
    h("caption", { class: "hidden-text" }, "The class; shattered cases are marked"),
    h("thead", {}, h("tr", {}, h("td", {}), found.points.map((x, j) => h("th", { scope: "col", ...lit(j) }, found.shattered.includes(j) ? `★${x}` : x)))),
    h("tbody", {}, found.rows.map((row, i) => h("tr", {}, h("th", { scope: "row" }, `c${i}`), row.map((bit, j) => h("td", lit(j), h("span", bit === "1" ? { class: "one" } : {}, bit))))))));
}

function drawTree(tree, width) {
  const depth = tree.shown, step = 64, leaves = depth <= 3 && tree.leaves.length;
  const wide = Math.max(width, 26 * 2 ** depth), height = 34 + step * depth + (leaves ? 14 + 13 * Math.max(...tree.leaves.map((l) => wrap(l, wide / 2 ** depth).length)) : 14);
  const at = (node) => { const level = Math.floor(Math.log2(node + 1)); return [((node + 1 - 2 ** level + 0.5) / 2 ** level) * wide, 20 + level * step]; };
  const svg = s("svg", { viewBox: `0 0 ${wide} ${height}`, width: wide, height, role: "img", "aria-label": `A tree of mistakes of depth ${tree.depth}; it is in the table below.` });
  tree.points.forEach((_, node) => [2 * node + 1, 2 * node + 2].forEach((child, yes) => {
    const [x1, y1] = at(node), [x2, y2] = at(child);
    svg.append(s("line", { class: yes ? "yes" : "no", x1, y1, x2, y2 }), s("text", { x: (x1 + x2) / 2 + (yes ? 8 : -8), y: (y1 + y2) / 2, "text-anchor": "middle" }, yes ? "1" : "0"));
  }));
  tree.points.forEach((point, node) => {
    const [x, y] = at(node), half = 10 + 4 * point.length;
    svg.append(s("rect", { class: "node", x: x - half, y: y - 13, width: 2 * half, height: 26, rx: 7 }), s("text", { class: "strong", x, y: y + 5, "text-anchor": "middle" }, point));
  });
  for (let leaf = 0; leaf < 2 ** depth; leaf += 1) {
    const [x, y] = at(2 ** depth - 1 + leaf);
    svg.append(s("circle", { class: "leaf", cx: x, cy: y, r: 4 }));
    if (leaves) wrap(tree.leaves[leaf], wide / 2 ** depth).forEach((line, i) => svg.append(s("text", { x, y: y + 18 + 13 * i, "text-anchor": "middle", "font-size": 11 }, line)));
  }
  return wide > width ? h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The tree" }, svg) : svg;
}

function wrap(text, room) {
  const most = Math.max(4, Math.floor(room / 6.2)), lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1) && lines.at(-1).length + word.length >= most) lines.push("");
    lines[lines.length - 1] += `${lines.at(-1) ? " " : ""}${word}`;
  }
  return lines.slice(0, 4);
}

function asTable(tree) {
  const rows = tree.points.map((point, node) => {
    let path = "", each = node;
    while (each > 0) { path = `${each % 2 ? 0 : 1}${path}`; each = Math.floor((each - 1) / 2); }
    return [path || "at first", point];
  });
  return h("details", {}, h("summary", {}, "The tree as a table"), table("Questions", ["after the answers", "case that is asked"], rows),
    tree.leaves.length ? table("Rules at the leaves", ["answers", "kept by the rule"], tree.leaves.map((rule, i) => [i.toString(2).padStart(tree.depth, "0"), rule])) : null);
}

function drawCurve(points, width) {
  const x = { low: 1, high: Math.max(2, points.at(-1)[0]), log: false, whole: true, label: "messages", shown: String };
  const y = { low: 0, high: 0.52, log: false, label: "least error", shown: String };
  return chart({ width, height: 280, title: "Least error against messages; in the table below.", x, y }, ({ across, up, path }, add) => {
    add("path", { class: "path stroke k0", d: path(points.map((p) => [p[0], p[2]])) });
    for (let m = 1; m <= points.at(-1)[0]; m += 1) {
      const known = points.find((p) => p[0] === m);
      const low = points.find((p) => p[0] >= m)[1], high = points.findLast((p) => p[0] <= m)[2];
      add("line", { class: "stroke k0 thick", x1: across(m), x2: across(m), y1: up(low), y2: up(high) });
      if (known) add("circle", { class: "k0 fill", cx: across(m), cy: up(high), r: 5 });
    }
  });
}

function drawBits(bits, width) {
  const error = (text) => text.split("/").reduce((a, b) => Number(a) / Number(b));
  const most = Math.max(1, ...bits.map((b) => b[2]));
  const x = { low: 0, high: most, log: false, label: "bits of a message", shown: String };
  const y = { low: 0, high: 0.5, log: false, label: "error", shown: String };
  return chart({ width, height: 280, title: "Error against bits; in the table below.", x, y }, ({ across, up, path }, add) => {
    for (const [side, kind] of [[1, "k1 d1"], [2, "k0"]]) {
      const points = bits.map((b) => [b[side], error(b[0])]);
      add("path", { class: `path stroke ${kind}`, d: path(points) });
      for (const p of points) add("circle", { class: `fill ${kind}`, cx: across(p[0]), cy: up(p[1]), r: 4 });
    }
    add("text", { x: across(bits.at(-1)[2]) - 4, y: up(0.06), "text-anchor": "end" }, "solid: enough, dashed: needed");
  });
}

$("source").addEventListener("change", () => {
  for (const [id, name] of [["drawn", "drawn"], ["pasted", "pasted"], ["chosen", "family"]]) $(id).hidden = source() !== name;
});
for (const id of ["height", "width"]) $(id).addEventListener("change", resized);
board();
({ searched: families } = await ask("families"));
$("family").append(...families.map((each) => h("option", { value: each.name }, each.name)));
$("family").addEventListener("change", chosen);
chosen();
