// The Theorems page: all statements, searched by their words.
import { $, ask, copied, h, say } from "./common.js";

let all = [];
const words = (each) => `${each.cited} ${each.key} ${each.kind} ${each.says} ${each.code.join(" ")} ${each.standing}`.toLowerCase();

function one(each) {
  const said = [["code", each.code.join(", ")], ["proof", each.proof && `docs/proofs/${each.proof}`], ["audit", each.case && `tacit audit ${each.case}`], ["test", each.test], [each.code.length ? "limits" : "why not", each.why]];
  return h("details", { class: "card slim" }, h("summary", {}, h("b", {}, each.cited), ` ${each.says}`),
    h("dl", {}, said.filter(([, text]) => text).flatMap(([what, text]) => [h("dt", {}, what), h("dd", {}, text)])), ...(each.runs ? [copied(each.runs, "command")] : []));
}

function show() {
  const asked = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((each) => asked.every((word) => each.words.includes(word)));
  $("many").textContent = `${found.length} of ${all.length}`;
  $("found").replaceChildren(...found.map(one));
}

try {
  all = (await ask("theorems.list")).theorems.map((each) => ({ ...each, words: words(each) }));
  $("search").addEventListener("input", show);
  show();
  document.body.dataset.state = "ready";
} catch (error) {
  say($("found"), error.message, "bad");
}
