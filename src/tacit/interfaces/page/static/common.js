// What all pages share: elements, questions to the server, jobs, and what to say when it is gone.

/** Make an element: h("p", {class: "hint"}, "text", child). */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Make an element of a drawing. */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const $ = (id) => document.getElementById(id);

/** What the server refuses: its sentence is shown to the reader. */
export class Refusal extends Error {
  constructor(status, why) {
    super(why);
    this.status = status;
  }
}

async function fetched(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    gone();
    throw new Refusal(0, "The explorer does not answer.");
  }
  if (response.ok) {
    $("banner").hidden = true;
    return response.json();
  }
  if (response.status === 404) gone();
  let why = "The explorer could not answer.";
  try {
    why = (await response.json()).why || why;
  } catch {
    // an answer without words
  }
  throw new Refusal(response.status, why);
}

/** Say that the server has stopped, and how to go on. */
function gone() {
  const again = h("button", { type: "button", onclick: () => location.reload() }, "Try again");
  $("banner").replaceChildren(
    "The explorer is not running under this address any more. Start it with ",
    h("code", {}, "tacit explore"), " and open the address it prints. ", again,
  );
  $("banner").hidden = false;
}

function posted(path, asked, signal) {
  const headers = { "Content-Type": "application/json" };
  return fetched(path, { method: "POST", headers, body: JSON.stringify(asked), signal });
}

/** Ask for a task that is done at once. */
export const ask = (task, asked = {}, signal = undefined) => posted(`api/${task}`, asked, signal);

/** Begin a job and follow it to its end, shown in a place with a button that cancels it. */
export async function follow(task, asked, place) {
  const shown = progress(place);
  return attend(await posted(`job/${task}`, asked), shown);
}

/** Follow a job that runs already. */
export async function attend({ job, seconds }, shown) {
  shown.allow(seconds, () => posted(`job/${job}/cancel`, {}));
  let seen = 0;
  for (;;) {
    const now = await fetched(`job/${job}/${seen}`);
    seen = now.steps;
    if (now.ended) {
      if (now.ended.answer) return now.ended.answer;
      throw new Refusal(now.ended.status, now.ended.why);
    }
    if (now.step) shown.tell(now.step);
  }
}

/** Send a file into the workspace. */
export const upload = (file) =>
  fetched(`tables/${encodeURIComponent(file.name)}`, { method: "PUT", headers: { "Content-Type": "application/octet-stream" }, body: file });

/** Show how a job is getting on, in an element that is read out; it can be cancelled once it is allowed. */
export function progress(place) {
  const said = h("p", { class: "state", role: "status" }, "beginning …");
  const bar = h("progress", { max: 1, "aria-label": "Progress" });
  const button = h("button", { type: "button", class: "cancel", disabled: true }, "Cancel");
  place.replaceChildren(bar, h("div", { class: "row between" }, said, button));
  return {
    allow(seconds, cancel) {
      button.disabled = false;
      button.addEventListener("click", () => {
        button.disabled = true;
        said.textContent = "cancelling …";
        cancel().catch(() => {}); // how it ended is told by the job itself
      });
      place.append(h("p", { class: "hint" }, `It may take ${seconds / 60} minutes at most; what takes longer is for the command line.`));
    },
    /** Hear a step such as "1/5 counting". */
    tell(step) {
      const part = /^(\d+)\/(\d+) (.*)$/.exec(step);
      if (!part) bar.removeAttribute("value");
      else bar.value = (Number(part[1]) + 0.5) / Number(part[2]);
      if (!button.disabled) said.textContent = `${part ? part[3] : step} …`;
    },
  };
}

/** Show a sentence in a place: kind is "bad", "warn", "good" or "". */
export function say(place, text, kind = "") {
  place.replaceChildren(h("p", { class: `note ${kind}`, role: kind === "bad" ? "alert" : "status" }, text));
}

/** Show why there is no answer: what was refused or cancelled is no failure. */
export const sorry = (place, error) => say(place, error.message, error.status === 409 ? "warn" : "bad");

/** A button that opens the glossary at a word. */
export function term(word, name) {
  return h("button", {
    type: "button", class: "term", popovertarget: "glossary", "aria-label": `What is ${name}?`,
    onclick: () => {
      for (const each of document.querySelectorAll("dt")) each.classList.toggle("lit", each.id === `w-${word}`);
      setTimeout(() => $(`w-${word}`)?.scrollIntoView({ block: "nearest" }), 50);
    },
  }, "?");
}

/** Text with a button that copies it. */
export function copied(text, name) {
  const button = h("button", {
    type: "button",
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Select the text to copy it";
      }
    },
  }, `Copy the ${name}`);
  return h("div", {}, h("pre", { tabindex: 0, "aria-label": name }, text), button);
}

/** A table of texts; columns named in `numbers` are aligned to the right. */
export function table(caption, header, rows, numbers = []) {
  const kind = (i) => (numbers.includes(i) ? { class: "number" } : {});
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {},
      h("caption", { class: "hidden-text" }, caption),
      h("thead", {}, h("tr", {}, header.map((each, i) => h("th", { scope: "col", ...kind(i) }, each)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, i) => h("td", kind(i), cell)))))));
}

export const count = (n) => n.toLocaleString("en-US");
export const percent = (share) => `${Number((100 * share).toPrecision(3))}\u00a0%`;

/** The nice numbers between two ends, as texts that say them exactly. */
export function nice(low, high, steps = ["1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8"]) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)) - 1; power <= Math.log10(high); power += 1) {
    for (const step of steps) {
      const value = Number((Number(step) * 10 ** power).toPrecision(3));
      if (value >= low * 0.999 && value <= high * 1.001) found.push(String(value));
    }
  }
  return [...new Set(found)];
}

/** A slider over texts, with a box for any other number; `changed` is called after each move. */
export function slider({ id, label, word, values, start, shown = (v) => v, changed }) {
  const nearest = (text) => values.reduce((best, each, i) =>
    Math.abs(Math.log(Number(each) / Number(text))) < Math.abs(Math.log(Number(values[best]) / Number(text))) ? i : best, 0);
  let value = start;
  const range = h("input", { type: "range", id, min: 0, max: values.length - 1, step: 1 });
  const box = h("input", { type: "text", class: "small", inputmode: "decimal", "aria-label": `${label}, as a number`, id: `${id}-box` });
  const show = (moved) => {
    if (!moved) range.value = String(nearest(value));
    range.setAttribute("aria-valuetext", shown(value));
    if (document.activeElement !== box) box.value = value;
  };
  range.addEventListener("input", () => { value = values[Number(range.value)]; box.value = value; show(true); changed(); });
  box.addEventListener("change", () => {
    const text = box.value.trim().replace(",", ".");
    value = text; show(!(Number(text) > 0)); changed();
  });
  show(false);
  return {
    element: h("div", {}, h("div", { class: "row between" },
      h("span", { class: "row" }, h("label", { for: id }, label), word ? term(word, label) : null), box), range),
    get value() { return value; },
    set value(text) { value = text; box.value = text; show(false); },
  };
}
