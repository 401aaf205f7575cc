// The Optimum page: the best private learner of a small class, its law beside the exponential one.
import { $, ask, copied, follow, h, nice, percent, say, slider, sorry, table } from "./common.js";
import { chart, responsive, sample } from "./plot.js";

const whole = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => String(low + i));
const n = slider({ id: "n", label: "Rows", word: "n", values: whole(1, 6), start: "4", changed: () => {} });
const epsilon = slider({ id: "epsilon", label: "Privacy budget (ε)", word: "epsilon", values: nice(0.1, 5), start: "1", changed: () => {} });
$("s-n").append(n.element);
$("s-epsilon").append(epsilon.element);
let families = [], sizes = {};

function chosen() {
  const family = families.find((each) => each.name === $("family").value);
  $("family-says").textContent = family.says;
  sizes = Object.fromEntries(family.sizes.filter((each) => each.low < each.high).map((each) => [each.name, slider({ id: `size-${each.name}`, label: each.says, values: whole(each.low, each.high), start: String(each.start), changed: () => {} })]));
  $("sizes").replaceChildren(...Object.values(sizes).map((each) => each.element));
}

const LAWS = [["optimum", "the best learner", "k0"], ["exponential", "the exponential mechanism", "k1"]];

function show(found) {
  const place = h("div", {}), high = Math.max(...Object.values(found.laws).flat());
  $("found").replaceChildren(
    h("section", { class: "card" },
      h("p", { class: "answer" }, h("strong", {}, `No private learner errs less than ${percent(found.lower)} here.`), ` One errs ${percent(found.upper)} at most, on the worst rows that a rule explains.${found.verified ? " Both are proved in exact arithmetic." : ""}`),
      table("Our learners", ["learner", "error", "times the best"], found.learners.map((each) => [each.name, percent(each.loss), each.ratio === null ? "" : each.ratio.toFixed(3)]), [1, 2])),
    h("section", { class: "card" }, h("h2", {}, "What comes out"),
      h("figure", {}, place, h("ul", { class: "legend" }, LAWS.map(([, name, kind]) => h("li", {}, sample(`stroke solid ${kind}`), name))),
        h("figcaption", {}, `The chance of each rule, written as its answers point by point, on these rows: ${found.rows.map(([x, y]) => `(${x}, ${y})`).join(" ")}. The rule ${found.target} labels them.`)),
      h("details", {}, h("summary", {}, "The same as a table"), table("Chances", ["rule", ...LAWS.map((each) => each[1])], found.outputs.map((each, i) => [each, ...LAWS.map(([law]) => found.laws[law][i].toFixed(4))]), [1, 2]))),
    h("section", { class: "card" }, h("h2", {}, "The same without this page"), copied(found.command, "command")));
  const x = { low: 0, high: found.outputs.length, label: "rule", shown: () => "" }, y = { low: 0, high: high * 1.1, label: "chance", shown: percent };
  responsive(place, (width) => place.replaceChildren(chart({ width, height: 300, title: "Chance of each rule; the same numbers are in the table below.", x, y }, ({ across, up, bottom }, add) => {
    const bar = (across(1) - across(0)) * 0.36, letters = across(1) - across(0) > 8 * found.outputs[0].length;
    found.outputs.forEach((rule, i) => {
      LAWS.forEach(([law, name, kind], j) => add("rect", { class: `fill ${kind}`, x: across(i + 0.5) + (j - 1) * bar, y: up(found.laws[law][i]), width: bar, height: bottom - up(found.laws[law][i]) }));
      if (letters) add("text", { class: rule === found.target ? "strong" : "", x: across(i + 0.5), y: bottom + 17, "text-anchor": "middle" }, rule);
    });
  })));
}

$("family").addEventListener("change", chosen);
$("controls").addEventListener("submit", async (event) => {
  event.preventDefault();
  const place = h("section", { class: "card" });
  $("found").replaceChildren(place);
  $("find").disabled = true;
  try {
    show(await follow("optimum.find", { family: $("family").value, sizes: Object.fromEntries(Object.entries(sizes).map(([name, each]) => [name, each.value])), n: n.value, epsilon: epsilon.value, proper: $("proper").checked }, place));
  } catch (error) {
    sorry(place, error);
  }
  $("find").disabled = false;
});

try {
  ({ solved: families } = await ask("families"));
  $("family").append(...families.map((each) => h("option", { value: each.name }, each.name)));
  chosen();
  document.body.dataset.state = "ready";
} catch (error) {
  say($("found"), error.message, "bad");
}
