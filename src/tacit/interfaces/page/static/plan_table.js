// The Plan page for a table: what would be chosen for its schema and so many rows, and what is promised.
import { $, ask, copied, count, h, percent, say, table } from "./common.js";
import { Columns } from "./columns.js";

const columns = new Columns([["feature", "learn from"], ["label", "predict"], ["", "leave out"]], ["label"], "feature");
const above = (alpha) => (alpha === null ? "no promise" : `error ≤ ${percent(alpha)}`);
const card = (when, alpha, unless) => h("div", {}, when, h("b", {}, above(alpha)), alpha === null ? "the error is measured" : unless);

function show(found) {
  const within = found.told_within === null ? "" : ` An error of 20 % would be measured as one of about ${percent(Math.max(0.2 - found.told_within, 0))} to ${percent(0.2 + found.told_within)}.`;
  $("table-plan").replaceChildren(
    h("p", { class: "answer" }, h("strong", {}, `${found.chosen.class.replace(/\(.*/s, "")} by “${found.chosen.learner}”.`), ` ${found.chosen.why[0].toUpperCase()}${found.chosen.why.slice(1)}.`),
    h("div", { class: "beside" },
      card("If a rule explains the labels", found.promised.explained, `except with probability ${percent(found.beta)}`),
      card("If no rule explains the labels", found.promised.arbitrary, `above the best rule’s, except with probability ${percent(found.beta)}`)),
    h("p", {}, `${count(found.learned_from)} rows to learn from, ${count(found.held_out)} to measure on.${within}`),
    table("Other kinds of rules", ["kind of rule", "learner", "a rule explains the labels", "none does"], found.kinds.map((each) => (each.why ? [each.class, each.why, "", ""] : [each.class, each.learner, above(each.explained), above(each.arbitrary)]))),
    h("p", { class: "hint" }, "What promises nothing is not worse: scorecards never promise, and are measured on rows that are held out."),
    h("h3", {}, "The same without this page"), copied(found.command, "command"));
}

$("plan-table").addEventListener("click", async () => {
  $("plan-table").disabled = true;
  say($("table-plan"), "Working it out …");
  try {
    show(await ask("plan.table", { columns: columns.read(), features: columns.named("feature"), labels: columns.named("label"), n: $("rows").value.replace(/[, ]/g, ""), epsilon: $("table-epsilon").value, delta: $("table-delta").value }));
  } catch (error) {
    say($("table-plan"), error.message, "bad");
  }
  $("plan-table").disabled = false;
});

$("table").addEventListener("change", async () => {
  const name = $("table").value;
  if (!name) return;
  try {
    const found = await ask("learn.columns", { table: name });
    if ($("table").value === name) columns.show(found.columns, found.more); // else another was chosen meanwhile
  } catch (error) {
    say($("columns-trouble"), error.message, "bad");
  }
});

let asked = false;
$("for").addEventListener("change", async () => {
  const chosen = document.querySelector("[name=for]:checked").value;
  $("for-table").hidden = chosen !== "table";
  $("for-class").hidden = chosen !== "class";
  if (asked || chosen !== "table") return;
  asked = true;
  try {
    const found = await ask("learn.choices");
    $("table").append(...found.tables.map((name) => h("option", { value: name }, name)));
    columns.known(found.runs);
  } catch (error) {
    say($("columns-trouble"), error.message, "bad");
  }
});
