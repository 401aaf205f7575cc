// The Learn page: table, schema, budget, plan, rules and files.
import { $, ask, count, h, percent, say, table } from "./common.js";
import { chosen, drawn, grouped, measured, promise, rules } from "./told.js";
import { Table, cost, files } from "./tables.js";

const BUTTONS = ["run", "preview"];
let learners = {};

const page = new Table({
  uses: [["feature", "learn from"], ["label", "predict"], ["group", "group by"], ["", "leave out"]],
  cut: ["label", "group"], first: "feature",
  rest: (columns) => ({
    features: columns.named("feature"), labels: columns.named("label"), by: columns.named("group"),
    class: $("class").value, learner: $("learner").value, alpha: $("alpha").value, best_error: $("best-error").value, hold_out: $("hold-out").value,
  }),
  listed(found) {
    if ($("class").options.length) return;
    learners = found.learners;
    $("class").append(...found.classes.map((each) => h("option", { value: each.name }, `${each.name}: ${each.says}`)));
    offered();
  },
});

/** Offer the learners that apply to the kind of rule and to the budget. */
function offered() {
  const before = $("learner").value, pure = $("delta").value === "0";
  const fit = learners[$("class").value].filter((each) => each.pure || !pure);
  $("learner").replaceChildren(h("option", { value: "auto" }, "auto: the one that suits the kind of rule"), ...fit.map((each) => h("option", { value: each.name }, `${each.name}: ${each.says}`)));
  if (fit.some((each) => each.name === before)) $("learner").value = before;
}

$("class").addEventListener("change", offered);
$("delta").addEventListener("change", offered);

$("preview").addEventListener("click", () => page.run("learn.preview", BUTTONS, (found) => $("result").replaceChildren(
  h("p", { class: "answer" }, h("strong", {}, found.alpha === null && Number($("hold-out").value) ? `The error will be measured, on ${percent(Number($("hold-out").value))} of the ${found.many}.` : promise(found))),
  ...chosen(found),
  table("The plan", ["what", "value"], [["protected", found.protected], [`${found.many} of the table`, count(found.rows)], ["predicted", found.labels.join(", ")], ["rules to choose from", found.class], ["learner", found.learner], ["it costs", cost(found)], ["proof", found.theorem]]),
  h("p", { class: "hint" }, "Nothing was drawn, and nothing was spent."),
  h("details", {}, h("summary", {}, "The schema as a file"), h("pre", { tabindex: 0 }, found.schema)))));

const learned = (found) => $("result").replaceChildren(
  h("h3", {}, "How good the rules are"),
  ...measured(found),
  ...grouped(found.groups),
  h("h3", {}, "The rules"),
  rules(found),
  ...found.points.map((svg) => drawn(svg, "wide")),
  ...chosen(found),
  h("p", { class: "note good" }, `Private: ${cost(found)} for replacing ${found.protected}; there are ${count(found.rows)} ${found.many}.`),
  ...(found.alpha === null && found.measured.length ? [] : [h("p", {}, promise(found))]),
  h("h3", {}, "To take away"),
  files(found, h("li", {}, h("a", { href: `files/${found.run}/report.html`, target: "_blank", rel: "noopener" }, "Read the report"))),
  packing(found.run));

/** Make the pack: what leaves the house, signed, with the program that checks it. */
function packing(run) {
  const place = h("div", { id: "packed", role: "status" });
  const button = h("button", { type: "button", id: "pack", onclick: async () => {
    button.disabled = true;
    try {
      const found = await ask("learn.pack", { run });
      place.replaceChildren(files({ run, files: [found.file] }),
        h("p", { class: "hint" }, `Its own checker believes it: ${found.shown.join("; ")}. It is signed by the key of this workspace; give ${found.key} to those who check.${found.policy ? "" : " There is no policy.toml in the workspace, so its policy forbids nothing."}`));
    } catch (error) {
      say(place, error.message, error.status === 409 ? "warn" : "bad");
    }
    button.disabled = false;
  } }, "Make the pack for others");
  return h("div", {}, button,
    h("p", { class: "hint" }, "A pack holds the model, its record, card, SQL, policy and ledger, and a small program with which anybody can check its privacy."), place);
}

$("run").addEventListener("click", () => page.run("learn.run", BUTTONS, learned));
page.choices().then(() => page.resumed("learn.run", BUTTONS, learned)).catch((error) => say($("table-trouble"), error.message, "bad"));
