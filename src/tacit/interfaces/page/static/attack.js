// The Attack page: the same fingerprints against a learner without privacy and one with it.
import { $, copied, follow, h, nice, percent, slider, sorry, table } from "./common.js";
import { chart, responsive } from "./plot.js";

const whole = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => String(low + i));
const sliders = {
  users: slider({ id: "users", label: "People in the data", values: whole(3, 20), start: "6", changed: explain }),
  epsilon: slider({ id: "epsilon", label: "Privacy budget (ε)", word: "epsilon", values: nice(0.1, 10), start: "1", changed: () => {} }),
  runs: slider({ id: "runs", label: "Times it is tried", values: whole(4, 40), start: "12", changed: () => {} }),
};
for (const [name, each] of Object.entries(sliders)) $(`s-${name}`).append(each.element);

/** Say which δ the private learner is given, and why not a larger one. */
function explain() {
  const users = Number(sliders.users.value);
  $("why-delta").textContent = users > 0 ? `The private learner is also given δ = 1/${users}² = ${(1 / users ** 2).toPrecision(2)}, with which its promise may fail. A program that publishes one random row keeps a promise with δ = 1/${users}, and names somebody each time: δ must be well below that. Of ${users} people 1/${users}² is still large; of a table with a million it is nothing.` : "";
}
explain();

$("controls").addEventListener("submit", async (event) => {
  event.preventDefault();
  const place = h("section", { class: "card" });
  $("found").replaceChildren(place);
  $("attack").disabled = true;
  try {
    show(await follow("attack.run", {
      users: sliders.users.value, epsilon: sliders.epsilon.value, runs: sliders.runs.value, code: $("code").value, learner: $("learner").value,
    }, place));
  } catch (error) {
    sorry(place, error);
  }
  $("attack").disabled = false;
});

function show(found) {
  const scores = found.panels.flatMap((each) => [...each.scores, ...each.left_out, each.bar]);
  const high = Math.max(...scores) * 1.12, low = Math.min(0, ...scores) * 1.12;
  $("found").replaceChildren(
    h("section", { class: "card" }, h("p", { class: "answer" }, verdict(found)),
      h("div", { class: "pair" }, found.panels.map((panel) => draw(panel, found, low, high))),
      h("ul", { class: "legend" }, h("li", {}, "● in the data, last run"), h("li", {}, "○ left out, all runs"), h("li", {}, "┅ accused above this line"))),
    h("section", { class: "card" }, h("h2", {}, "The numbers"),
      table("Both learners", ["", ...found.panels.map(name)], [
        ["promise", ...found.panels.map((p) => (p.private ? `ε = ${p.epsilon}, δ = ${Number(p.delta.toPrecision(3))}` : "none"))],
        ["runs in which somebody is accused", ...found.panels.map((p) => `${p.traced} of ${p.runs}`)],
        ["runs in which a person left out is accused", ...found.panels.map((p) => `${p.innocent_accused} of ${p.runs}`)],
        ["labels on which all agree that are reproduced", ...found.panels.map((p) => percent(p.reproduced))],
        ["so its ε is at least", ...found.panels.map((p) => p.epsilon_at_least.toFixed(2))],
        ["may accuse a person in at most", ...found.panels.map((p) => (p.private ? `${percent(p.allowed)} of runs` : "no limit"))],
      ]),
      h("details", {}, h("summary", {}, "The scores as a table"), table("Accusation scores of the last run", ["person", ...found.panels.map(name)], found.panels[0].scores.map((_, i) => [String(i + 1), ...found.panels.map((p) => p.scores[i].toFixed(2))]), [1, 2]),
        h("p", { class: "hint" }, `The line is at ${found.panels[0].bar}. ${found.labels} labels, ${found.code} code, ${found.setting}.`))),
    h("section", { class: "card" }, h("h2", {}, "The same without this page"), copied(found.command, "command")));
}

const name = (panel) => (panel.private ? `${panel.learner}, private` : "fits the data, not private");

function verdict(found) {
  const [openly, privately] = found.panels;
  const kept = privately.within ? "keeps its promise here" : "breaks its promise";
  return [h("strong", {}, `Without privacy somebody is named in ${openly.traced} of ${openly.runs} runs.`),
    ` With privacy in ${privately.traced} of ${privately.runs}: the private learner ${kept}.`];
}

function draw(panel, found, low, high) {
  const place = h("div", {});
  const x = { low: 0, high: found.users + 2, log: false, label: "person; those left out at the right", shown: (v) => (v >= 1 && v <= found.users && Number.isInteger(v) ? String(v) : "") };
  const y = { low, high, root: true, label: "accusation score (square-root scale)", shown: String };
  requestAnimationFrame(() => responsive(place, (width) => place.replaceChildren(
    chart({ width, height: 300, title: `Accusation scores, ${name(panel)}: ${panel.traced} of ${panel.runs} runs accuse somebody. The scores are in the table below.`, x, y }, ({ across, up, left, right }, add) => {
      const zero = up(Math.max(0, low)), kind = panel.private ? "k0" : "k1";
      add("line", { class: "threshold", x1: left, x2: right, y1: up(panel.bar), y2: up(panel.bar) });
      add("text", { class: "threshold-text", x: left + 6, y: up(panel.bar) - 7 }, "accused above");
      panel.scores.forEach((score, i) => {
        add("line", { class: `stroke ${kind}`, x1: across(i + 1), x2: across(i + 1), y1: zero, y2: up(score), "stroke-width": 2 });
        add("circle", { class: `fill ${kind}`, cx: across(i + 1), cy: up(score), r: 6 });
      });
      panel.left_out.forEach((score, i) => add("circle", { class: "seen", cx: across(found.users + 1 + 0.5 * (((i * 7) % 11) / 10 - 0.5)), cy: up(score), r: 4 }));
    }))));
  return h("figure", {}, h("h2", {}, name(panel)), place,
    h("figcaption", {}, panel.private ? `${panel.traced} of ${panel.runs} runs accuse somebody; its promise allows ${percent(panel.allowed)} for one person.` : `${panel.traced} of ${panel.runs} runs accuse somebody, rightly.`));
}
