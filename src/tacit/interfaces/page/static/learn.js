// The Learn page: table, schema, budget, plan, rules and files.
import { $, ask, attend, count, follow, h, nice, percent, progress, say, slider, sorry, table, term, upload } from "./common.js";

let columns = [], account = null, asks = 0;
const epsilon = slider({ id: "epsilon", label: "ε to spend on this run", word: "epsilon", values: nice(0.05, 10), start: "1", shown: (v) => `epsilon ${v}`, changed: () => budget() });
$("s-epsilon").append(epsilon.element);
$("t-ledger").append(term("ledger", "the ledger"));

async function choices(chosen = "") {
  const found = await ask("learn.choices");
  $("folder").textContent = found.folder;
  $("table").replaceChildren(h("option", { value: "" }, found.tables.length ? "choose a table" : "the workspace has no table yet"), ...found.tables.map((name) => h("option", { value: name }, name)));
  if (!$("class").options.length) {
    $("class").append(...found.classes.map((each) => h("option", { value: each.name }, `${each.name}: ${each.says}`)));
    $("learner").append(...found.learners.map((each) => h("option", { value: each.name }, `${each.name}: ${each.says}`)));
    $("learner").value = "generic";
  }
  $("table").value = chosen;
  if (chosen) await opened();
  document.body.dataset.state = "ready";
}

async function opened() {
  $("table-trouble").replaceChildren();
  if (document.body.dataset.state !== "working") $("result").replaceChildren();
  columns = [];
  const name = $("table").value;
  if (!name) return;
  try {
    const found = await ask("learn.columns", { table: name });
    if ($("table").value !== name) return; // another table was chosen meanwhile
    columns = found.columns.map(column);
    $("columns").replaceChildren(...columns.map((each) => each.element), ...(found.more ? [h("p", { class: "hint" }, `${found.more} more columns are not shown.`)] : []));
    await refreshed();
  } catch (error) {
    $("columns").replaceChildren();
    say($("table-trouble"), error.message, "bad");
  }
}

/** One column of the schema: how it is used, its type and its public range. */
function column(name, place) {
  const option = (value, text) => h("option", { value }, text);
  const use = h("select", { "aria-label": `How ${name} is used` }, option("", "ignore"), option("feature", "learn from"), option("label", "predict"));
  const kind = h("select", { "aria-label": `Type of ${name}`, hidden: true }, option("integer", "whole number"), option("real", "number"), option("category", "category"), option("bits", "yes / no"));
  const field = (key, text, attributes = {}) => h("label", {}, text, h("input", { type: "text", "data-key": key, id: `c${place}-${key}`, ...attributes }));
  const ranges = {
    integer: () => [field("low", "from", { inputmode: "decimal" }), field("high", "to", { inputmode: "decimal" })],
    real: () => [field("low", "from", { inputmode: "decimal" }), field("high", "to", { inputmode: "decimal" }), field("step", "in steps of", { inputmode: "decimal" })],
    category: () => [field("values", "values, by commas", { class: "wide" })],
    bits: () => [h("span", { class: "hint" }, "0/1, true/false, yes/no")],
  };
  const range = h("div", { class: "range" });
  const show = () => {
    kind.hidden = !use.value;
    range.replaceChildren(...(use.value ? ranges[kind.value]() : []));
  };
  use.addEventListener("change", () => { if (use.value === "label") kind.value = "bits"; show(); });
  kind.addEventListener("change", show);
  const read = () => {
    const said = { name, type: kind.value };
    for (const input of range.querySelectorAll("input")) {
      said[input.dataset.key] = input.dataset.key === "values" ? input.value.split(",").map((each) => each.trim()).filter(Boolean) : input.value;
    }
    return said;
  };
  return { name, use, read, element: h("div", { class: "column", role: "group", "aria-label": name }, h("b", {}, name), use, kind, range) };
}

function request() {
  const used = columns.filter((each) => each.use.value);
  const named = (use) => used.filter((each) => each.use.value === use).map((each) => each.name);
  return {
    table: $("table").value, columns: used.map((each) => each.read()), features: named("feature"), labels: named("label"),
    class: $("class").value, learner: $("learner").value, epsilon: epsilon.value, delta: $("delta").value, alpha: $("alpha").value, best_error: $("best-error").value, hold_out: $("hold-out").value,
  };
}

async function refreshed() {
  const asked = ++asks, name = $("table").value;
  const found = name ? await ask("budget.show", { table: name }) : null;
  if (asked !== asks) return; // a newer answer was asked for meanwhile
  account = found;
  budget();
}

/** Show what is left of the budget, and what this run would take. */
function budget() {
  if (!account) return;
  const place = $("budget");
  if (!account.open) {
    const name = $("table").value;
    if (place.dataset.asks === name) return; // what was typed for this table stays: a cap is for ever
    place.dataset.asks = name;
    const cap = h("input", { type: "text", class: "small", id: "cap", value: "3", inputmode: "decimal" });
    const spare = h("select", { id: "cap-delta" }, h("option", { value: "1e-5" }, "0.00001"), h("option", { value: "1e-8" }, "0.00000001"), h("option", { value: "0" }, "0: no scorecards, ever"));
    place.replaceChildren(h("p", {}, "No budget was opened for this table. Decide once how much may ever be spent on it; this page cannot raise it later."),
      h("div", { class: "row" }, h("label", { for: "cap" }, "ε for ever"), cap, h("label", { for: "cap-delta" }, "δ"), h("span", {}, spare),
        h("button", { type: "button", id: "open", onclick: () => open(cap.value, spare.value) }, "Open this budget")),
      h("div", { id: "budget-trouble" }));
    return;
  }
  delete place.dataset.asks;
  const left = account.left_epsilon, after = left - Number(epsilon.value);
  place.replaceChildren(
    h("meter", { min: 0, max: account.cap_epsilon, value: left, "aria-label": "Budget that is left" }),
    h("p", { class: "row between" }, h("span", { id: "left" }, h("b", {}, `ε = ${Number(left.toPrecision(6))}`), ` of ${account.cap_epsilon} is left`, account.cap_delta ? `; δ: ${account.spent_delta} of ${account.cap_delta} spent` : ""),
      h("span", { class: after < 0 ? "note bad" : "hint" }, after < 0 ? "this run would be refused" : `after this run at least ${Number(after.toPrecision(6))}`)),
    h("div", { id: "budget-trouble" }));
}

async function open(cap, spare) {
  try {
    const found = await ask("budget.open", { ...request(), cap_epsilon: cap || "3", cap_delta: spare || "0" });
    asks += 1;
    account = found;
    budget();
  } catch (error) {
    say($("budget-trouble"), error.message, "bad");
  }
}

const promise = (found) => (found.alpha === null
  ? "Nothing can be promised about the error: too few rows, or a learner that never promises."
  : `The error is at most ${percent(found.alpha)} above the best rule’s, except with probability ${percent(found.beta)}, if the rows are independent draws${found.best_error === null ? "" : ` and the best rule errs at most ${percent(found.best_error)}`}.${found.assumes ? ` It assumes: ${found.assumes}.` : ""}`);

async function work(doing, show) {
  document.body.dataset.state = "working";
  $("run").disabled = $("preview").disabled = true;
  try {
    show(await doing());
  } catch (error) {
    sorry($("result"), error);
    if (/no budget for this schema|granted no budget/.test(error.message) && account?.open) admit();
  }
  await refreshed().catch(() => {});
  $("run").disabled = $("preview").disabled = false;
  document.body.dataset.state = "ready";
}

/** Offer to read the table by a changed schema, from the same budget. */
function admit() {
  $("result").append(h("button", { type: "button", id: "admit", onclick: async () => {
    await open();
    say($("result"), "The changed columns are admitted; the budget is the same as before.", "good");
  } }, "Admit these columns, with the same budget"));
}

$("preview").addEventListener("click", () => work(() => follow("learn.preview", request(), $("result")), (found) => $("result").replaceChildren(
  h("p", { class: "answer" }, h("strong", {}, promise(found))),
  table("The plan", ["what", "value"], [["rows of the table", count(found.rows)], ["rules to choose from", found.class], ["it costs", `ε = ${Number(found.epsilon.toPrecision(6))}, δ = ${found.delta}`], ["proof", found.theorem]]),
  h("p", { class: "hint" }, "Nothing was drawn, and nothing was spent."),
  h("details", {}, h("summary", {}, "The schema as a file"), h("pre", { tabindex: 0 }, found.schema)))));

/** A picture that the server drew. */
const drawn = (svg, kind = "") => h("figure", { class: `drawn ${kind}` }, new DOMParser().parseFromString(svg, "text/html").body.firstChild);

const measured = (found) => (found.measured.length
  ? found.measured.flatMap((each) => [h("p", { class: `note ${each.better ? "good" : "warn"}` }, h("b", {}, each.label), ` ${each.says}.`), h("div", { class: "pair" }, each.pictures.map((svg) => drawn(svg)))])
  : [h("p", { class: "note warn" }, "Nothing was measured: nobody knows how often these rules err on rows they never saw. Hold out a share such as 0.2 to know.")]);

const learned = (found) => $("result").replaceChildren(
  h("h3", {}, "The rules"),
  h("ul", {}, found.rules.map(([label, rule]) => h("li", { class: "rule" }, h("b", {}, label), `: ${rule.startsWith("if ") ? rule : `yes if ${rule}`}`))),
  ...found.points.map((svg) => drawn(svg, "wide")),
  h("p", { class: "note good" }, `Private: ε = ${Number(found.epsilon.toPrecision(6))}, δ = ${found.delta} for replacing any one of the ${count(found.rows)} rows.`),
  h("h3", {}, "How good they are"),
  ...measured(found),
  h("p", {}, promise(found)),
  h("h3", {}, "To take away"),
  h("ul", { class: "files" }, found.files.map((name) => h("li", {}, h("a", { href: `files/${found.run}/${name}${name.endsWith(".html") ? "?keep" : ""}`, download: true }, `Download ${name}`))),
    h("li", {}, h("a", { href: `files/${found.run}/report.html`, target: "_blank", rel: "noopener" }, "Read the report"))));

$("run").addEventListener("click", () => work(() => follow("learn.run", request(), $("result")), learned));

/** Follow a run that this page, or another, has begun before. */
async function resumed() {
  const found = await ask("running");
  if (found.job) await work(() => attend(found, progress($("result"))), learned);
}

$("table").addEventListener("change", opened);
$("upload").addEventListener("change", async () => {
  const [file] = $("upload").files;
  if (!file) return;
  say($("table-trouble"), `Copying ${file.name} …`);
  try {
    const { table: name } = await upload(file);
    await choices(name);
    say($("table-trouble"), `${name} is in the workspace.`, "good");
  } catch (error) {
    say($("table-trouble"), error.message, "bad");
  }
  $("upload").value = "";
});

choices().then(resumed).catch((error) => say($("table-trouble"), error.message, "bad"));
