"use strict";
// A report's script is data.js, panes.js, timeline.js and moving.js, one behind the other.
//
// It plays the session that is packed into the page. Its texts come from a recording, so they are only ever set as
// text: `make` is the place where elements get their words. Nothing here parses markup or runs what it was given.

// Places in a row of the step list, and in a part of its text, as `contents.py` writes them.
const [STEP, STEPS, KIND, SAYS, RESULT, OUTCOME, TOKENS, GREW, WINDOW, AT, CONTEXT, TURN] = Array(12).keys();
const [ROLE, TITLE, TEXT, PATH, LINE, SIZE, MISSING] = Array(7).keys();
const BAD = ["error", "failed", "interrupted"]; // outcomes
const FOLDED = 30; // lines of a text that are shown before it is unfolded
const NEEDED = "This browser can't unpack the report. It needs Chrome 80, Firefox 113, Safari 16.4 or newer.";
const KEYS = [
  ["j k ↓ ↑", "next or previous step"],
  ["h l ← →", "back or on by a hundredth of the session"],
  ["PgDn PgUp", "ten steps"],
  ["g G Home End", "first or last step"],
  ["Space", "play or pause"],
  ["J K", "next or previous prompt"],
  ["e E", "next or previous failure or error"],
  ["} {", "next or previous compaction"],
  [". ,", "next or previous edit"],
  ["z Z", "fold or unfold this turn, all turns"],
  ["o", "open or close all thinking"],
  ["v d w a f i", "agent's window, diff, watch, autopsy, failures, about"],
  ["/", "filter the steps by words"],
  ["T", "switch between dark and light"],
  ["Tab", "next place on the page"],
  ["?", "these keys"],
];
const LANES = [
  // name in `overview`, words, colour
  ["failure", "failures", "l-bad"],
  ["error", "errors", "l-bad"],
  ["prompt", "prompts", "l-accent"],
  ["compaction", "compactions", "l-second"],
  ["fall", "falls", "l-second"],
  ["edit", "edits", "l-number"],
  ["mark", "bookmarks", "l-quiet"],
];
const TABS = [
  ["window", "v", "Agent's window"],
  ["diff", "d", "Diff"],
  ["watch", "w", "Watch"],
  ["autopsy", "a", "Autopsy"],
  ["failures", "f", "Failures"],
  ["about", "i", "About"],
];

const by = (id) => document.getElementById(id);
let data; // as `contents.py` writes it
let windows; // [row, places of its window's rows] of the rows that have one
let cursor = 0; // the row that is looked at
let tab = "window";
let watched = 0;
let timer = 0;
let shown = []; // the rows that the filter leaves
const folded = new Set(); // turns of which only the prompt is shown, unless rows are filtered
let opened = false; // whether thinking is open
let sought = ""; // the words that are filtered by, in small letters

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
  // The place of the last entry that begins with at most this value; -1 if there is none.
  let low = 0;
  let high = sorted.length;
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
    if (typeof span === "string") {
      parent.append(span);
      continue;
    }
    const [text, role, spoken] = span;
    const element = make("span", role ? "r-" + word(role) : "", text);
    if (spoken !== undefined && !spoken.trim()) element.setAttribute("aria-hidden", "true");
    else if (spoken) {
      element.setAttribute("role", "img");
      element.setAttribute("aria-label", spoken);
    }
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
  if (role === "title" || role === "heading") {
    row.setAttribute("role", leads ? "link" : "heading");
    if (!leads) row.setAttribute("aria-level", "3");
  }
  row.append(spans(make("span"), left));
  if (right.length) row.append(spans(make("span"), right));
  return row;
}

const rowElements = (places) => places.map(rowElement);
