"use strict";
// Plays the session that is packed into this file. Its texts come from a recording, so they are only ever set as text:
// `make` is the one place where elements get their words, and nothing here parses markup or runs what it was given.

// Places in a row of the step list, and in a part of its text, as `contents.py` writes them.
const [STEP, STEPS, KIND, SAYS, RESULT, OUTCOME, TOKENS, GREW, WINDOW, AT, CONTEXT, TURN] = Array(12).keys();
const [ROLE, TITLE, TEXT, PATH, LINE, SIZE, MISSING] = Array(7).keys();
const BAD = ["error", "failed", "interrupted"]; // outcomes
const FOLDED = 30; // lines of a text that are shown before it is unfolded
const NEEDED = "This browser can't unpack the report. It needs Chrome 80, Firefox 113, Safari 16.4 or newer.";
const KEYS = [
  ["j k ↓ ↑", "next or previous step"], ["h l ← →", "back or on by a hundredth of the session"],
  ["PgDn PgUp", "ten steps"], ["g G Home End", "first or last step"], ["Space", "play or pause"],
  ["J K", "next or previous prompt"], ["e E", "next or previous failure or error"],
  ["} {", "next or previous compaction"], [". ,", "next or previous edit"], ["o", "open or close all thinking"],
  ["v d w a f i", "agent's window, diff, watch, autopsy, failures, about"], ["/", "filter the steps by words"],
  ["T", "switch between dark and light"], ["Tab", "next place on the page"], ["?", "these keys"],
];
const LANES = [ // name in `overview`, words, colour
  ["failure", "failures", "l-bad"], ["error", "errors", "l-bad"], ["prompt", "prompts", "l-accent"],
  ["compaction", "compactions", "l-second"], ["fall", "falls", "l-second"], ["edit", "edits", "l-number"],
  ["mark", "bookmarks", "l-quiet"],
];
const TABS = [
  ["window", "v", "Agent's window"], ["diff", "d", "Diff"], ["watch", "w", "Watch"], ["autopsy", "a", "Autopsy"],
  ["failures", "f", "Failures"], ["about", "i", "About"],
];

const by = (id) => document.getElementById(id);
let data, windows, diffs, cursor = 0, tab = "window", watched = 0, timer = 0, shown = [], opened = false, sought = "";

function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

function put(parent, ...children) {
  parent.replaceChildren(...children);
  return parent;
}

const number = (value) => value.toLocaleString("en");
const signed = (value) => (value < 0 ? "−" : "+") + number(Math.abs(value));
const count = (value, one) => number(value) + " " + one + (value === 1 ? "" : "s");
const word = (text) => (/^[a-z-]+$/.test(text) ? text : "other"); // a text as part of a class name
const time = (at) => new Date(at).toISOString().replace("T", " ").slice(0, 19) + " UTC";

function elapsed(millis) {
  const seconds = Math.max(0, Math.round(millis / 1000));
  const pad = (value) => String(value).padStart(2, "0");
  return Math.floor(seconds / 3600) + ":" + pad(Math.floor(seconds / 60) % 60) + ":" + pad(seconds % 60);
}

// ---- unpacking ----

async function unpack() {
  if (typeof DecompressionStream === "undefined") throw new Error(NEEDED);
  const bytes = Uint8Array.from(atob(by("record").textContent), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function undo(differences) {
  // Each entry is [number of the row, places kept at the start, places kept at the end, places in between].
  let before = [];
  return differences.map(([row, start, end, between]) => {
    before = [...before.slice(0, start), ...between, ...before.slice(before.length - end)];
    return [row, before];
  });
}

function lastUpTo(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle][0] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const groupOf = (step) => Math.max(0, lastUpTo(data.groups, step));

// ---- rows of answers ----

function spans(parent, written) {
  for (const span of written) {
    if (typeof span === "string") { parent.append(span); continue; }
    const [text, role, spoken] = span;
    const element = make("span", role ? "r-" + word(role) : "", text);
    if (spoken === "") element.setAttribute("aria-hidden", "true");
    else if (spoken) { element.setAttribute("role", "img"); element.setAttribute("aria-label", spoken); }
    parent.append(element);
  }
  return parent;
}

function rowElement(place) {
  const [left, right, step, node, role] = data.rows[place];
  const leads = step >= data.first && step <= data.last;
  const row = make(leads ? "a" : "div", "row" + (role ? " r-" + word(role) : ""));
  if (leads) {
    row.href = "#step=" + step;
    const group = data.groups[cursor];
    if (group && tab === "autopsy" && group[STEPS].includes(step)) row.classList.add("here");
  }
  if (role === "title" || role === "heading") { row.setAttribute("role", leads ? "link" : "heading"); if (!leads) row.setAttribute("aria-level", "3"); }
  row.append(spans(make("span"), left));
  if (right.length) row.append(spans(make("span"), right));
  return row;
}

const rowElements = (places) => places.map(rowElement);

// ---- the step list ----

function listElement(group, index) {
  const item = make("li", group[CONTEXT] ? "inner" : "");
  item.id = "row-" + index;
  item.setAttribute("role", "option");
  item.append(
    make("span", "step", number(group[STEP])), make("span", "says k-" + word(group[KIND])), make("span", "grew", group[GREW] === null ? "" : signed(group[GREW])),
  );
  const says = item.querySelector(".says");
  says.append(group[KIND] === "tool" ? "" : make("span", "kind", group[KIND] + " "), group[SAYS]);
  if (BAD.includes(group[OUTCOME])) says.prepend(make("span", "r-bad", "✗ "));
  else if (group[OUTCOME] === "passed") says.prepend(make("span", "r-good", "✓ "));
  if (group[RESULT]) says.append("  ", make("span", BAD.includes(group[OUTCOME]) ? "r-bad" : "r-quiet", group[RESULT]));
  item.title = says.textContent;
  item.addEventListener("click", () => go(index));
  return item;
}

function fits(index, words, kind) {
  const group = data.groups[index], parts = data.parts[index];
  const roles = { edit: ["edit", "write", "patch"] }[kind] || [kind];
  if (kind === "error" && !(BAD.includes(group[OUTCOME]) || parts.some((part) => part[ROLE] === "error"))) return false;
  if (kind && kind !== "error" && !(roles.includes(group[KIND]) || parts.some((part) => roles.includes(part[ROLE])))) return false;
  const has = (text) => text.toLowerCase().includes(words);
  return !words || has(group[SAYS]) || has(group[RESULT]) || parts.some((part) => has(part[TITLE]) || has(part[PATH]) || has(data.texts[part[TEXT]]));
}

function filter() {
  sought = by("words").value.trim().toLowerCase();
  const kind = by("kind").value;
  shown = data.groups.map((_, index) => index).filter((index) => fits(index, sought, kind));
  const chosen = new Set(shown);
  data.groups.forEach((_, index) => { by("row-" + index).hidden = !chosen.has(index); });
  by("found").textContent = sought || kind ? number(shown.length) + " of " + number(data.groups.length) : count(shown.length, "row");
  show();
}

// ---- the text of a step ----

function words(parent, text) {
  // The text, with every place of the words that are searched for marked.
  if (!sought) { parent.append(text); return parent; }
  const lower = text.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(sought); at >= 0; at = lower.indexOf(sought, from)) {
    parent.append(text.slice(from, at), make("mark", "", text.slice(at, at + sought.length)));
    from = at + sought.length;
  }
  parent.append(text.slice(from));
  return parent;
}

function lines(parent, text, role) {
  if (role !== "edit" && role !== "patch") return words(parent, text);
  for (const line of text.split("\n")) {
    const name = { "+": "plus", "-": "minus", "@": "hunk" }[line[0]];
    if (name) parent.append(words(make("span", name), line + "\n"));
    else words(parent, line + "\n");
  }
  return parent;
}

function textElement(text, role) {
  const box = make("div"), pre = make("pre", ["prompt", "text", "thinking", "summary", "note"].includes(role) ? "prose" : "");
  const every = text.split("\n");
  box.append(pre);
  if (every.length <= FOLDED + 5 || (sought && text.toLowerCase().includes(sought))) { lines(pre, text, role); return box; }
  lines(pre, every.slice(0, FOLDED).join("\n"), role);
  const more = make("button", "fold", "Show all " + number(every.length) + " lines");
  more.addEventListener("click", () => { put(pre); lines(pre, text, role); more.remove(); pre.tabIndex = -1; pre.focus(); });
  box.append(more);
  return box;
}

function partElement(part) {
  const text = data.texts[part[TEXT]], size = part[SIZE] ? count(part[SIZE], "token") : "";
  const box = make(part[ROLE] === "thinking" ? "details" : "div", "part " + word(part[ROLE]));
  if (part[ROLE] === "thinking") {
    box.open = opened || Boolean(sought && text.toLowerCase().includes(sought));
    box.append(make("summary", "", [part[TITLE] || "thinking", size].filter(Boolean).join(", ")));
  } else {
    const head = make("div", "head");
    head.append(make("span", "", part[TITLE] || part[ROLE]));
    if (part[PATH]) head.append(make("span", "path mono", part[PATH] + (part[LINE] ? ":" + part[LINE] : "")));
    if (size) head.append(make("span", "", size));
    box.append(head);
  }
  if (text) box.append(textElement(text, part[ROLE]));
  if (part[MISSING]) box.append(make("p", "missing", part[MISSING]));
  return box;
}

function facts(group) {
  const found = [group[OUTCOME], group[CONTEXT], group[TOKENS] ? count(group[TOKENS], "token") : ""];
  if (group[WINDOW] !== null) found.push(number(group[WINDOW]) + " in the window" + (group[GREW] === null ? "" : " (" + signed(group[GREW]) + ")"));
  if (group[AT] !== null) {
    const start = data.groups.find((each) => each[AT] !== null)[AT];
    found.push(time(group[AT]), elapsed(group[AT] - start) + " since the start");
  }
  if (group[TURN] && group[TURN] !== group[STEP]) found.push("answers the prompt at step " + number(group[TURN]));
  const against = data.suspects.filter(([, , steps]) => steps.some((step) => group[STEPS].includes(step)));
  if (against.length) found.push("evidence against " + against.map(([name, kind]) => name + " (" + kind + ")").join(", "));
  return found.filter(Boolean).join(" · ");
}

// ---- the panes ----

function windowPane() {
  const at = lastUpTo(windows, cursor);
  if (at < 0) return [make("p", "", "No window is recorded up to this step.")];
  const whose = data.agent ? "" : "The agent's window is not recorded. This is the suggested window. ";
  const of = data.groups[windows[at][0]];
  return [make("p", "", whose + "As of step " + number(Math.max(...of[STEPS], of[STEP])) + "."), ...rowElements(windows[at][1])];
}

function diffPane() {
  const at = lastUpTo(diffs, cursor);
  if (at < 0 || diffs[at][0] !== cursor) return [make("p", "", "No diff is kept for this row.")];
  return [make("p", "", "What this row changed in the " + (data.agent ? "agent's" : "suggested") + " window."), ...rowElements(diffs[at].slice(1))];
}

function watchPane() {
  if (!data.watch.length) return [make("p", "", "No file was read or changed.")];
  const choice = make("select");
  choice.setAttribute("aria-label", "Watched file");
  data.watch.forEach(([name], index) => { const each = make("option", "", name); each.value = index; choice.append(each); });
  choice.value = watched;
  choice.addEventListener("change", () => { watched = Number(choice.value); drawTimeline(); show(); by("pane").querySelector("select").focus(); });
  const [, , runs, places] = data.watch[watched];
  const now = runs.find(([first, last]) => data.groups.length && first <= data.groups[cursor][STEP] && data.groups[cursor][STEP] <= last);
  const changes = runs.slice(1).map(([first, , state]) => {
    const row = make("a", "row", "step " + number(first) + ": " + state);
    row.href = "#step=" + first;
    return row;
  });
  const top = make("p");
  top.append(choice, now ? " is “" + now[2] + "” at this step." : "");
  return [top, make("h3", "", "At the last step"), ...rowElements(places), make("h3", "", "Changes"), ...changes];
}

function aboutPane() {
  const said = [
    "Record: " + data.name + ", " + count(data.steps, "step") + ". This report shows steps " + number(data.first) + " to " + number(data.last) + ".",
    "Hash of the chain at its last step: " + data.hash,
    "Texts are as recorded: secrets stay masked, withheld and erased texts are missing, hidden characters are spelled out, such as [U+202E RLO].",
    "Made by ccos-tui " + data.version + ". This file loads nothing and sends nothing.",
    data.left_out.length ? "Left out of this report:" : "Nothing was left out of this report.",
  ];
  return [...said, ...data.left_out].map((each) => make("p", "", each));
}

const PANES = {
  window: windowPane, diff: diffPane, watch: watchPane, about: aboutPane,
  autopsy: () => rowElements(data.autopsy), failures: () => rowElements(data.failures),
};

function chooseTab(name, focused) {
  tab = name;
  for (const button of by("tabs").children) {
    const chosen = button.id === "tab-" + name;
    button.setAttribute("aria-selected", chosen);
    button.tabIndex = chosen ? 0 : -1;
    if (chosen && focused) button.focus();
  }
  by("pane").setAttribute("aria-labelledby", "tab-" + name);
  by("pane").scrollTop = 0;
  put(by("pane"), ...PANES[tab]());
}

// ---- the timeline ----

const share = (step) => (step - data.first + 0.5) / Math.max(data.last - data.first + 1, 1);

function lane(height, name, d) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 1000 " + height);
  svg.setAttribute("height", height);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  for (const [each, path] of Array.isArray(d) ? d : [[name, d]]) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "path");
    element.setAttribute("class", each);
    element.setAttribute("d", path);
    svg.append(element);
  }
  return svg;
}

function strip(figures, name) {
  const most = Math.max(1, ...figures), wide = 1000 / Math.max(figures.length, 1);
  const points = figures.map((each, at) => "V" + (32 - (30 * each) / most).toFixed(1) + "H" + ((at + 1) * wide).toFixed(1));
  return lane(32, name, "M0 32" + points.join("") + "V32Z");
}

function carried({ held, begins, cliffs, last }) {
  // How full the window was: as the host said last. After a cut nobody knows it until the host says it again.
  let known = 0;
  return held.map((each, at) => {
    const end = at + 1 < begins.length ? begins[at + 1] : last + 1;
    const now = each === null ? known : each;
    known = each === null && cliffs.some((step) => begins[at] <= step && step < end) ? 0 : now;
    return now;
  });
}

function drawTimeline() {
  const { heat, held, lanes } = data.overview, labels = [], drawn = [];
  const add = (label, figure, height, svg) => {
    const row = make("div");
    row.append(make("span", "", label), make("span", "", figure));
    row.style.height = height + "px";
    labels.push(row);
    drawn.push(svg);
  };
  if (heat.some(Boolean)) add("heat", "", 32, strip(heat, "l-heat"));
  if (held.some(Boolean)) add("window", number(Math.max(...held)), 32, strip(carried(data.overview), "l-window"));
  for (const [name, label, colour] of LANES) {
    const steps = (lanes.find((each) => each.name === name) || { steps: [] }).steps;
    const path = steps.map((step) => "M" + (1000 * share(step)).toFixed(2) + " 3V13").join("");
    if (steps.length) add(label, number(steps.length), 16, lane(16, colour, path));
  }
  const accused = [...new Set(data.suspects.flatMap(([, , steps]) => steps))];
  if (accused.length) add("evidence", number(accused.length), 16, lane(16, "l-second", accused.map((step) => "M" + (1000 * share(step)).toFixed(2) + " 3V13").join("")));
  if (data.watch.length) {
    const [name, , runs] = data.watch[watched];
    const held = runs.filter(([, last, state]) => last >= data.first && !["unborn", "out", "gone"].includes(state));
    const paths = held.map(([first, last, state]) => [
      "held " + (state === "in" ? "l-good" : "l-number"),
      "M" + (1000 * share(Math.max(first, data.first)) - 500 / (data.last - data.first + 1)).toFixed(2) + " 8H" + (1000 * share(Math.min(last, data.last)) + 500 / (data.last - data.first + 1)).toFixed(2),
    ]);
    add(name.split("/").pop(), "watch", 16, lane(16, "", paths));
  }
  put(by("labels"), ...labels);
  const hover = make("div");
  hover.id = "hover";
  hover.hidden = true;
  const line = make("div");
  line.id = "cursor";
  put(by("lanes"), ...drawn, line, hover);
}

function pointed(event) {
  const box = by("lanes").getBoundingClientRect();
  const part = Math.min(Math.max((event.clientX - box.left) / Math.max(box.width, 1), 0), 0.999999);
  return data.first + Math.floor(part * (data.last - data.first + 1));
}

function hover(event) {
  const step = pointed(event), group = data.groups[groupOf(step)], label = by("hover"), right = share(step) > 0.6;
  if (!group) return;
  label.textContent = number(step) + " " + group[KIND] + " " + group[SAYS].slice(0, 60);
  label.style.left = right ? "auto" : 100 * share(step) + "%";
  label.style.right = right ? 100 * (1 - share(step)) + "%" : "auto";
  label.hidden = false;
}

// ---- moving ----

function show() {
  const group = data.groups[cursor];
  if (!group) return;
  const before = document.querySelector("#steps [aria-selected=true]"), now = by("row-" + cursor);
  if (before) before.removeAttribute("aria-selected");
  now.setAttribute("aria-selected", "true");
  by("steps").setAttribute("aria-activedescendant", now.id);
  reveal(now);
  const last = Math.max(...group[STEPS], group[STEP]);
  const steps = number(group[STEP]) + (last > group[STEP] ? " to " + number(last) : "");
  by("step-title").textContent = "Step " + steps + ": " + (group[KIND] === "tool" ? group[SAYS] : group[KIND]);
  by("step-facts").textContent = facts(group);
  by("where").textContent = "Step " + steps + " of " + number(data.steps) + ": " + group[KIND] + " " + group[SAYS] + " " + group[RESULT];
  const parts = data.parts[cursor].map(partElement);
  put(by("step-text"), ...(parts.length ? parts : [make("p", "part", group[SAYS] || "This step has no text.")]));
  by("step-text").scrollTop = 0;
  by("cursor").style.left = 100 * share(group[STEP]) + "%";
  by("lanes").setAttribute("aria-valuenow", group[STEP]);
  by("lanes").setAttribute("aria-valuetext", "step " + steps + ", " + group[KIND] + " " + group[SAYS]);
  chooseTab(tab, false);
}

function reveal(item) {
  // Scrolls the list alone, never the page.
  const list = by("steps"), box = list.getBoundingClientRect(), at = item.getBoundingClientRect();
  if (at.top < box.top || at.bottom > box.bottom) list.scrollTop += at.top - box.top - box.height / 3;
}

function go(index, silent) {
  if (!data.groups.length) return;
  cursor = Math.min(Math.max(index, 0), data.groups.length - 1);
  show();
  if (!silent) history.replaceState(null, "", "#step=" + data.groups[cursor][STEP]);
}

function move(by_) {
  // Moves among the rows that the filter shows.
  const at = shown.findIndex((index) => index >= cursor);
  const here = at < 0 ? shown.length : at;
  const target = by_ > 0 && shown[here] !== cursor ? here + by_ - 1 : here + by_;
  if (shown.length) go(shown[Math.min(Math.max(target, 0), shown.length - 1)]);
}

function jump(names, forward) {
  const steps = data.overview.lanes.filter((each) => names.includes(each.name)).flatMap((each) => each.steps);
  const rows = [...new Set(steps.map(groupOf))].sort((one, other) => one - other);
  const found = forward ? rows.find((row) => row > cursor) : rows.reverse().find((row) => row < cursor);
  if (found !== undefined) go(found);
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => { if (cursor >= shown[shown.length - 1]) play(false); else move(1); }, 1000 / Number(by("speed").value)) : 0;
  by("play").textContent = on ? "Pause" : "Play";
  by("play").setAttribute("aria-pressed", Boolean(on));
}

function fromAddress() {
  const found = /^#step=(\d{1,9})$/.exec(location.hash);
  if (found) go(groupOf(Number(found[1])), true);
}

function switchTheme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.dataset.theme || (dark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
}

function openThinking() {
  opened = !opened;
  for (const each of by("step-text").querySelectorAll("details")) each.open = opened;
}

const ACTIONS = {
  j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
  l: () => move(stride()), ArrowRight: () => move(stride()), h: () => move(-stride()), ArrowLeft: () => move(-stride()),
  PageDown: () => move(10), PageUp: () => move(-10),
  g: () => go(shown[0] || 0), Home: () => go(shown[0] || 0),
  G: () => go(shown[shown.length - 1] || 0), End: () => go(shown[shown.length - 1] || 0),
  " ": () => play(!timer), J: () => jump(["prompt"], true), K: () => jump(["prompt"], false),
  e: () => jump(["failure", "again", "error"], true), E: () => jump(["failure", "again", "error"], false),
  "}": () => jump(["compaction", "fall"], true), "{": () => jump(["compaction", "fall"], false),
  ".": () => jump(["edit"], true), ",": () => jump(["edit"], false), o: openThinking, T: switchTheme,
  "/": () => by("words").focus(), "?": () => by("keys").showModal(),
};
const stride = () => Math.max(1, Math.round(data.groups.length / 100));
for (const [name, key] of TABS) ACTIONS[key] = () => chooseTab(name, false);

function pressed(event) {
  const target = event.target, key = event.key;
  if (event.ctrlKey || event.altKey || event.metaKey || by("keys").open) return;
  if (target.matches("input, select")) {
    if (key === "Escape") { by("words").value = ""; filter(); target.blur(); by("steps").focus(); }
    else if (key === "Enter" && shown.length) { go(shown.find((index) => index >= cursor) || shown[0]); by("steps").focus(); }
    return;
  }
  if (target.getAttribute("role") === "tab" && (key === "ArrowLeft" || key === "ArrowRight")) {
    const names = TABS.map(([name]) => name);
    chooseTab(names[(names.indexOf(tab) + (key === "ArrowRight" ? 1 : names.length - 1)) % names.length], true);
    event.preventDefault();
    return;
  }
  if (target.matches("button, summary, a") && (key === " " || key === "Enter")) return; // they act themselves
  if (target.matches("#step-text, #pane") && /^(Arrow|Page|Home|End| )/.test(key)) return; // they scroll
  const action = Object.prototype.hasOwnProperty.call(ACTIONS, key) ? ACTIONS[key] : null;
  if (action) { event.preventDefault(); action(); }
}

function listen() {
  for (const [id, action] of [["first", "g"], ["back", "k"], ["on", "j"], ["last", "G"], ["play", " "], ["theme", "T"], ["help", "?"]]) {
    by(id).addEventListener("click", ACTIONS[action]);
  }
  by("speed").addEventListener("change", () => { if (timer) play(true); });
  by("words").addEventListener("input", filter);
  by("kind").addEventListener("change", filter);
  const lanes = by("lanes");
  let dragged = false;
  lanes.addEventListener("pointerdown", (event) => { dragged = true; lanes.setPointerCapture(event.pointerId); go(groupOf(pointed(event))); });
  lanes.addEventListener("pointermove", (event) => { hover(event); if (dragged) go(groupOf(pointed(event))); });
  lanes.addEventListener("pointerup", () => { dragged = false; });
  lanes.addEventListener("pointerleave", () => { by("hover").hidden = true; });
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", fromAddress);
}

function build() {
  by("name").textContent = data.name;
  if (!data.agent) TABS[0][2] = "Suggested window";
  put(by("steps"), ...data.groups.map(listElement));
  put(by("tabs"), ...TABS.map(([name, key, label]) => {
    const button = make("button", "", label);
    button.id = "tab-" + name;
    button.title = label + " (" + key + ")";
    button.setAttribute("role", "tab");
    button.setAttribute("aria-controls", "pane");
    button.addEventListener("click", () => chooseTab(name, true));
    return button;
  }));
  const keys = make("dl"), close = make("button", "", "Close");
  for (const [key, words_] of KEYS) keys.append(make("dt", "", key), make("dd", "", words_));
  close.addEventListener("click", () => by("keys").close());
  put(by("keys"), make("h2", "", "Keys"), keys, close);
  by("lanes").setAttribute("aria-valuemin", data.first);
  by("lanes").setAttribute("aria-valuemax", data.last);
}

async function start() {
  try {
    data = await unpack();
  } catch (error) {
    by("notice").textContent = error.message === NEEDED ? NEEDED : "This report is damaged: " + error.message;
    by("notice").hidden = false;
    return;
  }
  windows = undo(data.windows);
  diffs = data.diffs;
  build();
  by("report").hidden = false;
  drawTimeline();
  filter();
  listen();
  fromAddress();
  by("steps").focus();
}

start();
