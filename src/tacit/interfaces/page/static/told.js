// How a model is shown: the pictures and sentences that the server made of it.
import { count, h, percent, table } from "./common.js";

/** A picture that the server drew. */
export const drawn = (svg, kind = "") => h("figure", { class: `drawn ${kind}` }, new DOMParser().parseFromString(svg, "text/html").body.firstChild);

export const promise = (found) => (found.alpha === null
  ? `Nothing can be promised about the error: ${found.nothing}.`
  : `The error is at most ${percent(found.alpha)} above the best rule’s, except with probability ${percent(found.beta)}, if the rows are independent draws${found.best_error === null ? "" : ` and the best rule errs at most ${percent(found.best_error)}`}.${found.assumes ? ` It assumes: ${found.assumes}.` : ""}`);

export const chosen = (found) => (found.why ? [h("p", { class: "note" }, `Chosen: ${found.why}.`)] : []);

export const rules = (found) => h("ul", {}, found.rules.map(([label, rule]) => h("li", { class: "rule" }, h("b", {}, label), `: ${rule}`)));

export const measured = (found) => (found.measured.length
  ? found.measured.map((each) => h("div", { class: `measured${each.pictures.length === 1 ? " single" : ""}` }, h("p", { class: `note ${each.better ? "good" : "warn"}` }, h("b", {}, each.label), ` ${each.says}.`), h("div", { class: "pictures" }, each.pictures.map((svg) => drawn(svg)))))
  : [h("p", { class: "note warn" }, "Nothing was measured: nobody knows how often these rules err on rows they never saw. Hold out a share such as 0.2 to know.")]);

/** What was measured in groups, whose sizes are told once: one line a group, one column a label. */
export function grouped(groups) {
  const labels = Object.keys(groups);
  if (!labels.length) return [];
  const lines = groups[labels[0]].map((each, place) => [each.group, `${count(each.rows_low)} to ${count(each.rows_high)}`,
    ...labels.map((label) => groups[label][place]).map((told) => `${percent(told.low)} to ${percent(told.high)}`)]);
  return [table("Errors by group; all of a label hold at once with 95 %", ["group", "rows", ...labels.map((label) => `error of ${label}`)], lines)];
}
