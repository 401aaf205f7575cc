// The Plan page: sliders ask, the quick learners answer at once, the others may improve the answer.
import { $, Refusal, ask, copied, count, follow, h, nice, percent, say, slider, sorry, table, term } from "./common.js";
import "./plan_table.js";
import { brief, chart, responsive, sample } from "./plot.js";

const PAUSE = 350;
let families = [], sizes = {}, shown = null, simulated = null, wanted = null;

const sliders = {
  n: slider({ id: "n", label: "Rows I have (n)", word: "n", values: nice(20, 1e6), start: "5000", shown: (v) => `${count(Number(v))} rows`, changed }),
  alpha: slider({ id: "alpha", label: "Error I accept (α)", word: "alpha", values: nice(0.005, 0.45), start: "0.05", shown: (v) => percent(Number(v)), changed }),
  epsilon: slider({ id: "epsilon", label: "Privacy budget (ε)", word: "epsilon", values: nice(0.05, 10), start: "1", shown: (v) => `epsilon ${v}`, changed }),
  labels: slider({ id: "labels", label: "Labels at once (k)", word: "k", values: ["1", "2", "3", "4", "5", "6", "8", "10", "12", "16", "24", "32"], start: "1", changed }),
};
for (const [name, each] of Object.entries(sliders)) $(`s-${name}`).append(each.element);
for (const [word, name] of [["class", "a class"], ["delta", "delta"], ["beta", "beta"], ["agnostic", "this"], ["best", "this"]]) $(`t-${word}`).append(term(word, name));

const question = () => document.querySelector("[name=question]:checked").value;

function request() {
  const asked = {
    class: { family: $("family").value, sizes: Object.fromEntries(Object.entries(sizes).map(([name, each]) => [name, each.value])) },
    question: question(), beta: $("beta").value, delta: $("delta").value, labels: sliders.labels.value,
    agnostic: $("agnostic").checked, proper: $("proper").checked,
  };
  if ($("best-error").value.trim()) asked.best_error = $("best-error").value.trim();
  for (const name of ["n", "alpha", "epsilon"]) if (name !== asked.question) asked[name] = sliders[name].value;
  return asked;
}

function remember(asked) {
  const flat = { ...asked, ...asked.class.sizes, family: asked.class.family };
  delete flat.class;
  history.replaceState(null, "", `#${new URLSearchParams(flat)}`);
}

function restore() {
  const flat = new URLSearchParams(location.hash.slice(1));
  const radio = [...document.querySelectorAll("[name=question]")].find((each) => each.value === flat.get("question"));
  if (radio) radio.checked = true;
  if (families.some((each) => each.name === flat.get("family"))) $("family").value = flat.get("family");
  chosen();
  for (const [name, each] of [...Object.entries(sliders), ...Object.entries(sizes)]) if (flat.get(name)) each.value = flat.get(name);
  for (const name of ["delta", "beta"]) if ([...$(name).options].some((o) => o.value === flat.get(name))) $(name).value = flat.get(name);
  $("best-error").value = flat.get("best_error") || "";
  for (const name of ["agnostic", "proper"]) $(name).checked = flat.get(name) === "true";
}

/** Show the sizes of the family that is chosen. */
function chosen() {
  const family = families.find((each) => each.name === $("family").value);
  $("family-says").textContent = family.says;
  sizes = {};
  for (const each of family.sizes.filter((size) => size.low < size.high)) {
    const values = Array.from({ length: each.high - each.low + 1 }, (_, i) => String(each.low + i));
    sizes[each.name] = slider({ id: `size-${each.name}`, label: each.says, values, start: String(each.start), changed });
  }
  $("sizes").replaceChildren(...Object.values(sizes).map((each) => each.element));
}

let waiting = null;
function changed() {
  clearTimeout(waiting);
  waiting = setTimeout(asked, 15);
}

async function asked() {
  wanted?.abort();
  const mine = new AbortController(), sent = request();
  wanted = mine;
  for (const name of ["n", "alpha", "epsilon"]) $(`s-${name}`).hidden = name === sent.question;
  $("few").hidden = sent.question !== "n";
  $("power").classList.add("old");
  document.body.dataset.state = "asking";
  try {
    const found = await ask("plan.first", sent, mine.signal);
    remember(sent);
    $("trouble").replaceChildren();
    shown = { ...found, sent };
    if (simulated && simulated.key !== key(sent)) simulated = null;
    draw();
    document.body.dataset.state = "answered";
    await new Promise((go) => setTimeout(go, PAUSE));
    await beside(mine, sent);
    await rest(mine, sent, found.pending);
  } catch (error) {
    if (error.name === "AbortError") return;
    document.body.dataset.state = "refused";
    say($("trouble"), error.message, "bad");
    $("checked").textContent = "";
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Ask the same for labels of the other kind: explained by a rule, or by none. */
async function beside(mine, sent) {
  if (sent.best_error || mine.signal.aborted) return;
  try {
    const found = await ask("plan.other", sent, mine.signal);
    if (mine.signal.aborted) return;
    shown.other = found;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    shown.other = { answer: null, learner: null };
  }
  draw();
}

/** Both kinds of labels side by side; the one that is planned for is drawn below. */
function both(top) {
  if (shown.sent.best_error || !shown.other) return [];
  const words = { n: (v) => `${count(v)} rows`, alpha: (v) => `error ${percent(v)}`, epsilon: (v) => `ε = ${Number(v.toPrecision(4))}` }[shown.sent.question];
  const said = (found, agnostic) => h("div", {}, agnostic ? "If no rule explains the labels" : "If a rule explains the labels",
    h("b", {}, found && found.answer !== null ? words(found.answer) : "no promise"), found?.learner ? `by ${found.learner}` : "");
  const cards = [said(top, shown.sent.agnostic), said(shown.other, !shown.sent.agnostic)];
  return [h("div", { class: "beside" }, shown.sent.agnostic ? cards.reverse() : cards)];
}

/** Ask the slower learners one by one, for as long as the question stays the same. */
async function rest(mine, sent, pending) {
  for (const learner of pending) {
    if (mine.signal.aborted) return;
    try {
      const found = await ask("plan.one", { ...sent, learner }, mine.signal);
      if (mine.signal.aborted) return;
      shown.results = [...shown.results.filter((each) => each.learner !== learner), found];
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof Refusal)) throw error;
      shown.slow = [...(shown.slow || []), learner];
    }
    shown.pending = shown.pending.filter((each) => each !== learner);
    draw();
  }
  document.body.dataset.state = "complete";
}

const key = (sent) => JSON.stringify([sent.class, sent.labels, sent.beta, sent.delta, sent.agnostic, sent.best_error, question() === "epsilon" ? sent.alpha : sent.epsilon, question() === "epsilon"]);

function best() {
  const free = shown.results.filter((each) => each.answer !== null && !each.assumes);
  return free.reduce((a, b) => (a === null || b.answer < a.answer ? b : a), null);
}

function draw() {
  const top = best(), asked = shown.sent.question;
  const words = (top || shown.results[0]).sentence;
  const cut = words.search(/[.:]( |$)/);
  $("answer").replaceChildren(h("p", { class: "answer" }, h("strong", {}, words.slice(0, cut + 1)), words.slice(cut + 1)));
  $("other").replaceChildren(...both(top));
  const left = shown.pending.length;
  const by = top ? `By the learner “${top.learner}”. ` : "";
  const slow = shown.slow ? ` Too slow for this page: ${shown.slow.join(", ")}.` : "";
  $("checked").textContent = left ? `${by}${left} more learners are being checked; they can only improve the answer.` : `${by}All learners are checked.${slow}`;
  $("power").classList.remove("old");
  picture(top);
  numbers(top);
  $("again").replaceChildren(copied(shown.command, "command"), h("h3", {}, "In Python"), copied(shown.python, "Python"));
  if (asked === "n" && top && !$("have").value) $("have").placeholder = String(Math.round(top.rows / 2));
}

function here(top) {
  if (!top) return null;
  const x = shown.axis === "alpha" ? (shown.sent.alpha ?? top.answer) : (shown.sent.epsilon ?? top.answer);
  return [Number(x), shown.sent.question === "n" ? top.rows : Number(shown.sent.n)];
}

function picture(top) {
  const lines = shown.results.filter((each) => each.rows !== null && each.points.length > 1);
  lines.sort((a, b) => a.rows - b.rows);
  const alpha = shown.axis === "alpha", mark = here(top);
  const dots = simulated ? simulated.points : [];
  const all = [...lines.flatMap((each) => each.points), ...shown.impossible.filter((p) => p[1] > 0), ...dots, ...(mark ? [mark] : [])];
  const ys = all.map((p) => p[1]);
  const cap = Math.min(Math.max(...ys), 1e3 * Math.max(mark ? mark[1] : 1, ...(lines[0]?.points.map((p) => p[1]) || [1])));
  const x = { low: alpha ? 0.005 : 0.05, high: alpha ? 0.45 : 10, log: true, label: alpha ? "error α that is promised" : "privacy budget ε", shown: alpha ? (v) => percent(v) : String };
  const y = { low: Math.max(1, Math.min(...ys) / 1.6), high: cap * 1.6, log: true, label: "rows", shown: brief };
  responsive($("power"), (width) => {
    const height = width < 480 ? 320 : 400;
    const title = `Rows against ${alpha ? "error" : "epsilon"}; the same numbers are in the table below.`;
    $("power").replaceChildren(chart({ width, height, title, x, y }, ({ across, up, path, left, bottom, right }, add) => {
      const never = shown.impossible.filter((p) => p[1] > 0);
      if (never.length > 1) {
        const a = across(never[0][0]), b = across(never.at(-1)[0]);
        add("path", { class: "area", d: `${path(never)}L${b} ${bottom}L${a} ${bottom}Z` });
        add("path", { class: "edge", d: path(never) });
        add("text", { x: a + 8, y: bottom - 10, class: "strong" }, "impossible");
      }
      [...lines].reverse().forEach((each) => {
        const points = each.points.filter((p) => p[1] <= y.high);
        if (points.length < 2) return;
        add("path", { class: `path stroke ${style(each.learner)}${each === top ? " best" : ""}`, d: path(points) });
        for (const p of points) add("circle", { class: `fill ${style(each.learner)}`, cx: across(p[0]), cy: up(p[1]), r: each === top ? 4 : 2.5 }, title_(`${each.learner}: ${count(p[1])} rows at ${x.shown(p[0])}`));
      });
      if (mark) {
        add("line", { class: "here", x1: across(mark[0]), x2: across(mark[0]), y1: up(mark[1]), y2: bottom });
        add("line", { class: "here", x1: left, x2: across(mark[0]), y1: up(mark[1]), y2: up(mark[1]) });
        add("circle", { class: "dot-here", cx: across(mark[0]), cy: up(mark[1]), r: 7 });
        const far = across(mark[0]) > right - 120;
        add("text", { class: "strong", x: across(mark[0]) + (far ? -12 : 12), y: up(mark[1]) - 10, "text-anchor": far ? "end" : "start" }, `${count(mark[1])} rows`);
      }
      for (const p of dots) add("rect", { class: "seen", x: across(p[0]) - 5, y: up(p[1]) - 5, width: 10, height: 10, transform: `rotate(45 ${across(p[0])} ${up(p[1])})` }, title_(`needed in simulation: ${count(p[1])} rows at ${x.shown(p[0])}`));
    }));
  });
  $("legend").replaceChildren(
    ...lines.map((each) => h("li", {}, sample(`path stroke ${style(each.learner)}`), `${each.learner}${each.assumes ? ` (if ${each.assumes})` : ""}`)),
    ...(dots.length ? [h("li", {}, "◇ needed in simulation")] : []),
    h("li", {}, "● you are here"));
}

/** Each learner keeps its colour and dashes, whichever others come and go. */
const order = new Map();
function style(learner) {
  if (!order.has(learner)) order.set(learner, order.size);
  const i = order.get(learner);
  return `k${i % 7} d${Math.floor(i / 7) || (i % 3 === 2 ? 1 : 0)}`;
}

function title_(text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", "title");
  element.textContent = text;
  return element;
}

function numbers(top) {
  const given = shown.results.filter((each) => each.rows !== null).sort((a, b) => (shown.sent.question === "n" ? 0 : (a.answer ?? 1e9) - (b.answer ?? 1e9)) || a.rows - b.rows);
  const unit = { n: "rows", alpha: "error", epsilon: "ε" }[shown.sent.question];
  const value = (each) => (shown.sent.question === "n" ? count(each.rows) : each.answer === null ? "none" : String(each.answer));
  const xs = shown.impossible.map((p) => p[0]);
  const at = (points, x) => { const p = points.find((each) => each[0] === x); return p ? count(p[1]) : ""; };
  $("numbers").replaceChildren(
    table("Learners", ["learner", unit, "rule of this kind", "theorem", "only if"], given.map((each) => [each.learner + (each === top ? " (best)" : ""), value(each), each.proper ? "yes" : "no", each.theorem, each.assumes || ""]), [1]),
    h("p", { class: "hint" }, `Without privacy ${count(shown.nonprivate_n)} rows would be enough.`),
    h("details", {}, h("summary", {}, "What is impossible"), table("Lower bounds", ["fewer rows than", "are not enough for", "because of", "theorem"], shown.lower_bounds.map((b) => [count(b.n), b.applies_to, b.name, b.theorem]), [0])),
    h("details", {}, h("summary", {}, "The plot as a table"), table("Rows by error or epsilon", [shown.axis === "alpha" ? "α" : "ε", "impossible below", ...given.map((each) => each.learner)], xs.map((x) => [String(x), at(shown.impossible, x), ...given.map((each) => at(each.points, x))]), [0, 1, ...given.map((_, i) => i + 2)])));
}

$("simulate").addEventListener("click", async () => {
  const top = shown && best();
  if (!top) return say($("simulating"), "There is nothing to simulate: no learner can promise this.", "warn");
  const sent = shown.sent;
  const fixed = shown.axis === "alpha" ? { epsilon: sent.epsilon ?? String(top.answer) } : { alpha: sent.alpha };
  $("simulate").disabled = true;
  try {
    const found = await follow("plan.simulate", { ...sent, ...fixed, axis: shown.axis, learner: top.learner }, $("simulating"));
    simulated = { ...found, key: key(sent) };
    if (shown && key(shown.sent) === simulated.key) draw();
    const points = found.points.map((p) => [String(p[0]), count(p[1])]);
    $("simulating").replaceChildren(h("details", {}, h("summary", {}, `Simulated with “${found.learner}”: ${found.points.length} points are in the plot`), table("Rows needed in simulation", [shown.axis === "alpha" ? "α" : "ε", "rows needed"], points, [0, 1])));
  } catch (error) {
    sorry($("simulating"), error);
  }
  $("simulate").disabled = false;
});

$("ways").addEventListener("click", async () => {
  const place = $("ways-out");
  say(place, "Looking for ways out; this can take a while …");
  try {
    const { ways } = await ask("plan.advice", { ...request(), have: $("have").value.replace(/[, ]/g, "") || $("have").placeholder });
    place.replaceChildren(ways.length
      ? h("ul", {}, ways.map((way) => h("li", {}, `${way.change[0].toUpperCase()}${way.change.slice(1)}: then ${count(way.n)} rows are enough.`)))
      : h("p", {}, "No change that we know of helps."));
  } catch (error) {
    say(place, error.message, "bad");
  }
});

$("family").addEventListener("change", () => { chosen(); changed(); });
$("controls").addEventListener("submit", (event) => event.preventDefault());
for (const id of ["delta", "beta", "agnostic", "best-error", "proper", "question"]) $(id).addEventListener("change", changed);

try {
  ({ planned: families } = await ask("families"));
  $("family").append(...families.map((each) => h("option", { value: each.name }, each.name)));
  restore();
  await asked();
} catch (error) {
  say($("trouble"), error.message, "bad");
}
