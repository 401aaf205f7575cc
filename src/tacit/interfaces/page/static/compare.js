// The Compare page: what is known of two models of the workspace.
import { $, ask, count, h, percent, say, table } from "./common.js";
import { drawn, measured, promise, rules } from "./told.js";
import { cost } from "./tables.js";

const between = (told, low, high) => `${percent(told)} (${percent(low)} to ${percent(high)})`;
const lines = (label, { models }) => [
  ["error", ...models.map(({ errors: { [label]: e } }) => (e ? between(e.error, e.low, e.high) : "not measured"))],
  ["error of a constant", ...models.map(({ errors: { [label]: e } }) => (e ? between(e.constant_error, e.constant_low, e.constant_high) : ""))],
  ["area under the curve", ...models.map(({ errors: { [label]: e } }) => (e ? `${e.auc.toFixed(3)} (${e.auc_low.toFixed(3)} to ${e.auc_high.toFixed(3)})` : ""))],
];

function show(found) {
  const [one, two] = found.models, labels = [...new Set(found.models.flatMap((each) => each.rules.map(([label]) => label)))];
  const heads = ["", one.run, two.run === one.run ? `${two.run} again` : two.run];
  $("found").replaceChildren(
    h("section", { class: "card" }, h("h2", {}, "In numbers"), table("Both models", heads, [
      ...labels.flatMap((label) => lines(label, found).map(([what, ...said]) => [`${label}: ${what}`, ...said])),
      ["cost", cost(one), cost(two)], ["protected", one.protected, two.protected],
      ["rows or persons", count(one.rows), count(two.rows)], ["learner", one.learner, two.learner],
      ["learned from", one.features.join(", "), two.features.join(", ")], ["promised", promise(one), promise(two)],
    ]), h("p", { class: "hint" }, "Intervals of the same label that overlap do not tell which model is better. Choosing the one that was measured to be better makes its own interval a little too hopeful.")),
    h("div", { class: "pair" }, found.models.map((each) => h("section", { class: "card" }, h("h2", {}, each.run), rules(each), ...measured(each), ...each.points.map((svg) => drawn(svg, "wide"))))));
}

let latest = 0;

// Answers may come in another order than they were asked for: only that to the latest choice is shown.
async function changed() {
  const mine = (latest += 1);
  try {
    const found = await ask("compare.two", { first: $("first").value, second: $("second").value });
    if (mine === latest) show(found);
  } catch (error) {
    if (mine === latest) say($("found"), error.message, "bad");
  }
}

try {
  const { runs } = await ask("learn.choices");
  if (!runs.length) say($("found"), "There is no model in this workspace yet; learn one on the Learn page.", "warn");
  for (const [place, id] of ["first", "second"].entries()) {
    $(id).append(...runs.map((each) => h("option", { value: each.run }, `${each.run}: ${each.says}`)));
    $(id).selectedIndex = Math.min(place, runs.length - 1);
    $(id).addEventListener("change", changed);
  }
  if (runs.length) await changed();
  document.body.dataset.state = "ready";
} catch (error) {
  say($("found"), error.message, "bad");
}
