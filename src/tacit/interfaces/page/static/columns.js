// The form that says what is public about columns: how each is used, its type and its range.
import { $, ask, h, say } from "./common.js";

const RESTS = [["clip", "to the nearest"], ["null", "kept apart"]];
const LISTS = ["values", "yes", "cuts"];
/** A list by commas; what holds a comma itself is written in double quotes. */
const split = (text) => [...text.matchAll(/\s*(?:"([^"]*)"|([^,]*))\s*(?:,|$)/g)].map((found) => (found[1] ?? found[2]).trim()).filter(Boolean);
const joined = (list) => [list].flat().map((each) => (String(each).includes(",") ? `"${each}"` : each)).join(", ");
const KINDS = { integer: "whole number", real: "number", date: "date", category: "category", bits: "yes / no" };

/** The columns of one table; `uses` are pairs of a value and its words, those in `cut` may be cut. */
export class Columns {
  constructor(uses, cut, first = "") {
    Object.assign(this, { uses, cut, first, all: [] });
    $("known").addEventListener("change", () => $("known").value && this.fill(ask("schema.of", { run: $("known").value })));
    $("schema").addEventListener("change", async () => {
      const [file] = $("schema").files;
      if (file) await this.fill(ask("schema.read", { text: await file.text() }));
      $("schema").value = "";
    });
  }

  /** Offer the schemas of earlier runs. */
  known(runs) {
    $("known").replaceChildren(h("option", { value: "" }, runs.length ? "choose a run" : "there is no run yet"), ...runs.map((each) => h("option", { value: each.run }, `${each.run}: ${each.says}`)));
  }

  show(names, more = 0) {
    this.all = names.map((name, place) => this.column(name, place));
    $("columns").replaceChildren(...this.all.map((each) => each.element), ...(more ? [h("p", { class: "hint" }, `${more} more columns are not shown.`)] : []));
  }

  /** Fill in what a schema says; columns that it lacks are left out. */
  async fill(asked) {
    try {
      const { columns } = await asked;
      const told = new Map(columns.map((each) => [each.name, each]));
      if (!this.all.length) this.show([...told.keys()]);
      for (const each of this.all) each.fill(told.get(each.name));
      const missed = [...told.keys()].filter((name) => !this.all.some((each) => each.name === name));
      say($("columns-trouble"), `Filled in.${missed.length ? ` The table has no column ${missed.join(", ")}.` : ""} Choose what each is used for.`, missed.length ? "warn" : "good");
    } catch (error) {
      say($("columns-trouble"), error.message, "bad");
    }
  }

  named(use) { return this.all.filter((each) => each.use.value === use).map((each) => each.name); }

  get used() { return this.all.filter((each) => each.use.value); }

  read() { return this.used.map((each) => each.read()); }

  column(name, place) {
    const option = ([value, text]) => h("option", { value }, text);
    const use = h("select", { "aria-label": `How ${name} is used` }, this.uses.map(option));
    const kind = h("select", { "aria-label": `Type of ${name}` }, Object.entries(KINDS).map(option));
    const field = (key, text, attributes = {}) => h("label", {}, text, h("input", { type: "text", "data-key": key, id: `c${place}-${key}`, ...attributes }));
    const number = { inputmode: "decimal" };
    const ranges = {
      integer: () => [field("low", "from", number), field("high", "to", number)],
      real: () => [field("low", "from", number), field("high", "to", number), field("step", "in steps of", number)],
      date: () => [field("low", "from", { placeholder: "2015-01-31" }), field("high", "to", { placeholder: "2026-12-31" })],
      category: () => [field("values", "values, by commas", { class: "wide", placeholder: 'small, large, "small, then large"' })],
      bits: () => [field("yes", "words for yes, by commas", { class: "wide", placeholder: "1, true, yes" })],
    };
    const cuts = () => (this.cut.includes(use.value) && !["category", "bits"].includes(kind.value) ? [field("cuts", "cut at, by commas", { placeholder: "round values" })] : []);
    const range = h("div", { class: "range" });
    const rest = h("select", { "aria-label": `What else is in ${name}` }, RESTS.map(option));
    const others = h("label", { class: "rest" }, "other cells", rest);
    let kept = {};
    const inputs = () => [...range.querySelectorAll("input")];
    const show = () => {
      for (const input of inputs()) kept[input.dataset.key] = input.value;
      kind.hidden = !use.value;
      if (use.value === "label" && kind.value === "bits") rest.value = "clip"; // a label is yes or no
      others.hidden = use.value === "label" && kind.value === "bits";
      range.replaceChildren(...(use.value ? [...ranges[kind.value](), ...cuts(), others] : []));
      for (const input of inputs()) input.value = kept[input.dataset.key] || "";
    };
    const fill = (told) => {
      range.replaceChildren();
      kept = Object.fromEntries(Object.entries(told || {}).map(([key, value]) => [key, joined(value)]));
      rest.value = kept.outside || "clip";
      if (told) kind.value = told.type;
      use.value = told ? use.value || this.first : "";
      show();
    };
    const read = () => {
      const said = { name, type: kind.value, outside: rest.value };
      for (const input of inputs()) said[input.dataset.key] = LISTS.includes(input.dataset.key) ? split(input.value) : input.value;
      return said;
    };
    use.value = this.first;
    use.addEventListener("change", () => { if (use.value === "label" && inputs().every((each) => !each.value)) kind.value = "bits"; show(); });
    kind.addEventListener("change", show);
    show();
    return { name, use, show, fill, read, element: h("div", { class: "column", role: "group", "aria-label": name }, h("b", {}, name), use, kind, range) };
  }
}
