// What pages share that spend the budget of a table: the table, who is protected, columns, the account.
import { $, ask, attend, follow, h, nice, progress, say, slider, sorry, term, upload } from "./common.js";
import { Columns } from "./columns.js";

export class Table {
  /** `rest` gives what a page asks beside table, columns and budget; `learned` hears of choices. */
  constructor({ uses, cut, first, rest, listed = () => {} }) {
    this.columns = new Columns(uses, cut, first);
    Object.assign(this, { rest, listed, account: null, asks: 0 });
    this.epsilon = slider({ id: "epsilon", label: "ε to spend on this run", word: "epsilon", values: nice(0.05, 10), start: "1", shown: (v) => `epsilon ${v}`, changed: () => this.budget() });
    $("s-epsilon").append(this.epsilon.element);
    $("t-ledger").append(term("ledger", "the ledger"));
    $("table").addEventListener("change", () => this.opened());
    $("person").addEventListener("change", () => {
      for (const each of this.columns.all) if (each.name === $("person").value) { each.use.value = ""; each.show(); }
    });
    $("upload").addEventListener("change", () => this.uploaded());
  }

  async choices(chosen = "") {
    const found = await ask("learn.choices");
    $("folder").textContent = found.folder;
    $("table").replaceChildren(h("option", { value: "" }, found.tables.length ? "choose a table" : "the workspace has no table yet"), ...found.tables.map((name) => h("option", { value: name }, name)));
    this.columns.known(found.runs);
    this.listed(found);
    $("table").value = chosen;
    if (chosen) await this.opened();
    document.body.dataset.state = "ready";
  }

  async opened() {
    $("table-trouble").replaceChildren();
    if (document.body.dataset.state !== "working") $("result").replaceChildren();
    this.columns.all = [];
    const name = $("table").value;
    if (!name) return;
    try {
      const found = await ask("learn.columns", { table: name });
      if ($("table").value !== name) return; // another table was chosen meanwhile
      $("person").replaceChildren(h("option", { value: "" }, "one row"), ...found.columns.map((each) => h("option", { value: each }, `all rows of one person: ${each}`)));
      this.columns.show(found.columns, found.more);
      await this.refreshed();
    } catch (error) {
      $("columns").replaceChildren();
      say($("table-trouble"), error.message, "bad");
    }
  }

  async uploaded() {
    const [file] = $("upload").files;
    if (!file) return;
    say($("table-trouble"), `Copying ${file.name} …`);
    try {
      const { table: name } = await upload(file);
      await this.choices(name);
      say($("table-trouble"), `${name} is in the workspace.`, "good");
    } catch (error) {
      say($("table-trouble"), error.message, "bad");
    }
    $("upload").value = "";
  }

  request() {
    return { table: $("table").value, columns: this.columns.read(), person: [$("person").value].filter(Boolean), epsilon: this.epsilon.value, delta: $("delta").value, ...this.rest(this.columns) };
  }

  async refreshed() {
    const asked = ++this.asks, name = $("table").value;
    const found = name ? await ask("budget.show", { table: name }) : null;
    if (asked !== this.asks) return; // a newer answer was asked for meanwhile
    this.account = found;
    this.budget();
  }

  /** Show what is left of the budget, and what this run would take. */
  budget() {
    const account = this.account, place = $("budget");
    if (!account) return;
    if (!account.open) return this.unopened(place);
    delete place.dataset.asks;
    if (!account.cap_delta) $("delta").value = "0";
    for (const each of $("delta").options) each.disabled = Number(each.value) > account.cap_delta;
    const left = account.left_epsilon, after = left - Number(this.epsilon.value);
    place.replaceChildren(
      h("meter", { min: 0, max: account.cap_epsilon, value: left, "aria-label": "Budget that is left" }),
      h("p", { class: "row between" }, h("span", { id: "left" }, h("b", {}, `ε = ${Number(left.toPrecision(6))}`), ` of ${account.cap_epsilon} is left`, account.cap_delta ? `; δ: ${account.spent_delta} of ${account.cap_delta} spent` : "; no δ"),
        h("span", { class: after < 0 ? "note bad" : "hint" }, after < 0 ? "this run would be refused" : `after this run at least ${Number(after.toPrecision(6))}`)),
      h("p", { class: "hint" }, `It protects ${account.protects}.`),
      h("div", { id: "budget-trouble" }));
  }

  unopened(place) {
    const name = $("table").value;
    if (place.dataset.asks === name) return; // what was typed for this table stays: a cap is for ever
    place.dataset.asks = name;
    for (const each of $("delta").options) each.disabled = false;
    const cap = h("input", { type: "text", class: "small", id: "cap", value: "3", inputmode: "decimal" });
    const spare = h("select", { id: "cap-delta" }, h("option", { value: "1e-5" }, "0.00001"), h("option", { value: "1e-8" }, "0.00000001"), h("option", { value: "0" }, "0: never fails"));
    place.replaceChildren(h("p", {}, "No budget was opened for this table. Decide once who is protected and how much may ever be spent; this page cannot change either later. With a δ of 0 for ever, scorecards are learned by noisy counts only, which takes more rows."),
      h("div", { class: "row" }, h("label", { for: "cap" }, "ε for ever"), cap, h("label", { for: "cap-delta" }, "δ"), h("span", {}, spare),
        h("button", { type: "button", id: "open", onclick: () => this.open(cap.value, spare.value) }, "Open this budget")),
      h("div", { id: "budget-trouble" }));
  }

  async open(cap, spare) {
    try {
      const found = await ask("budget.open", { ...this.request(), cap_epsilon: cap || "3", cap_delta: spare || "0" });
      this.asks += 1;
      this.account = found;
      this.budget();
    } catch (error) {
      say($("budget-trouble"), error.message, "bad");
    }
  }

  /** Do a job that is asked for by some buttons, and show what it found. */
  async work(buttons, doing, show) {
    document.body.dataset.state = "working";
    for (const id of buttons) $(id).disabled = true;
    try {
      show(await doing());
    } catch (error) {
      if (/granted no budget/.test(error.message) && this.account?.open) this.admit();
      else sorry($("result"), error);
    }
    await this.refreshed().catch(() => {});
    for (const id of buttons) $(id).disabled = false;
    document.body.dataset.state = "ready";
  }

  run(task, buttons, show) { return this.work(buttons, () => follow(task, this.request(), $("result")), show); }

  /** Follow a run that this page, or another, has begun before. */
  async resumed(task, buttons, show) {
    const { jobs, seconds } = await ask("running");
    if (jobs[task]) await this.work(buttons, () => attend({ job: jobs[task], seconds }, progress($("result"))), show);
  }

  /** Offer to read the table by a changed schema, from the same budget. */
  admit() {
    say($("result"), "The budget was opened for other columns, or for other ranges. Admit these, and it is the same budget.", "warn");
    $("result").append(h("button", { type: "button", id: "admit", onclick: async () => {
      await this.open();
      say($("result"), "The changed columns are admitted; the budget is the same as before. Now ask again.", "good");
    } }, "Admit these columns, with the same budget"));
  }
}

export const cost = (found) => `ε = ${Number(found.epsilon.toPrecision(6))}, δ = ${found.delta}`;

/** Links to the files of a run. */
export const files = (found, ...more) => h("ul", { class: "files" }, found.files.map((name) => h("li", {}, h("a", { href: `files/${found.run}/${name}${name.endsWith(".html") ? "?keep" : ""}`, download: true }, `Download ${name}`))), more);
