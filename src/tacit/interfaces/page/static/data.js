// The Data page: counts, cross-tables, means, quantiles and made-up rows of a table.
import { $, count, h, percent, say, table } from "./common.js";
import { Table, cost, files } from "./tables.js";

const BUTTONS = ["count", "rows"];
const page = new Table({
  uses: [["", "leave out"], ["by", "count by"], ["mean", "mean"], ["quantiles", "quantiles"]],
  cut: ["by"], first: "",
  rest: (columns) => ({
    by: columns.named("by"), mean: columns.named("mean"), quantiles: columns.named("quantiles"), rows: columns.used.map((each) => each.name),
    levels: $("levels").value.split(",").map((each) => each.trim()).filter(Boolean),
  }),
});

const shown = (value) => (typeof value === "number" ? count(Number(value.toPrecision(5))) : value);
const interval = (each) => `${shown(each.value)} (${shown(each.low)} to ${shown(each.high)})`;

/** One line a cell, one column a statistic; quantiles by themselves. */
function counted(found) {
  const cells = new Map(), titles = [], wide = Math.max(1, ...found.answers.filter((each) => each.kind === "count").map((each) => each.high));
  for (const each of found.answers.filter((each) => each.level === null)) {
    const key = JSON.stringify(each.cell), title = each.kind === "count" ? "rows" : `mean of ${each.of}`;
    if (!titles.includes(title)) titles.push(title);
    if (!cells.has(key)) cells.set(key, [...each.cell]);
    cells.get(key).push(each.kind === "count" ? h("span", { class: "counted" }, h("meter", { min: 0, max: wide, value: each.value, "aria-hidden": "true" }), interval(each)) : interval(each));
  }
  const levels = found.answers.filter((each) => each.level !== null);
  $("result").replaceChildren(
    ...(cells.size ? [table("Counts", [...found.by, ...titles], [...cells.values()])] : []),
    ...(levels.length ? [table("Quantiles", ["column", "level", "value"], levels.map((each) => [each.of, String(each.level), interval(each)]))] : []),
    ...(found.more ? [h("p", { class: "hint" }, `${count(found.more)} more answers are in the file.`)] : []),
    h("p", { class: "hint" }, `Each interval holds the table’s own number with probability ${percent(found.confidence)}; only noise hides anything.`),
    paid(found), files(found));
}

const made = (found) => $("result").replaceChildren(
  h("p", { class: "answer" }, h("strong", {}, `${count(found.made)} made-up rows`), ` of ${found.columns.join(", ")}.`),
  h("p", {}, `Asked for ${found.questions}, no answer is off by more than ${percent(Number(found.error))} of the table’s ${found.many}, except with probability ${percent(found.beta)}; by ${found.method}.`),
  paid(found), files(found));

const paid = (found) => h("p", { class: "note good" }, `Private: ${cost(found)} for replacing ${found.protected}; there are ${count(found.rows)} ${found.many}.`);

$("count").addEventListener("click", () => page.run("data.count", BUTTONS, counted));
$("rows").addEventListener("click", () => page.run("data.rows", BUTTONS, made));
page.choices()
  .then(() => page.resumed("data.count", BUTTONS, counted))
  .then(() => page.resumed("data.rows", BUTTONS, made))
  .catch((error) => say($("table-trouble"), error.message, "bad"));
