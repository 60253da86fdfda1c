// The list of the steps, the text of a step, and the panes beside it.

function listElement(group, index) {
  const item = make("li", group[CONTEXT] ? "inner" : "");
  item.id = "row-" + index;
  item.setAttribute("role", "option");
  item.append(
    make("span", "step", number(group[STEP])),
    make("span", "says k-" + word(group[KIND])),
    make("span", "grew", group[GREW] === null ? "" : signed(group[GREW])),
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
  const group = data.groups[index];
  const parts = data.parts[index];
  const roles = { edit: ["edit", "write", "patch"] }[kind] || [kind];
  if (kind === "error" && !(BAD.includes(group[OUTCOME]) || parts.some((part) => part[ROLE] === "error"))) return false;
  if (kind && kind !== "error" && !(roles.includes(group[KIND]) || parts.some((part) => roles.includes(part[ROLE]))))
    return false;
  const has = (text) => text.toLowerCase().includes(words);
  return (
    !words ||
    has(group[SAYS]) ||
    has(group[RESULT]) ||
    parts.some((part) => has(part[TITLE]) || has(part[PATH]) || has(data.texts[part[TEXT]]))
  );
}

function filter() {
  sought = by("words").value.trim().toLowerCase();
  const kind = by("kind").value;
  const isFolded = (group) => !sought && !kind && folded.has(group[TURN]) && !group[STEPS].includes(group[TURN]);
  shown = data.groups.map((_, index) => index);
  shown = shown.filter((index) => fits(index, sought, kind) && !isFolded(data.groups[index]));
  const chosen = new Set(shown);
  for (const each of document.querySelectorAll("#steps [data-more]")) delete each.dataset.more;
  for (const turn of sought || kind ? [] : folded) {
    const more = data.groups.filter((group) => group[TURN] === turn).length - 1;
    if (more) by("row-" + groupOf(turn)).querySelector(".says").dataset.more = count(more, "row");
  }
  data.groups.forEach((_, index) => {
    by("row-" + index).hidden = !chosen.has(index);
  });
  by("found").textContent =
    sought || kind ? number(shown.length) + " of " + number(data.groups.length) : count(shown.length, "row");
  show();
}

// ---- the text of a step ----

function words(parent, text) {
  // The text, with every place of the words that are searched for marked.
  if (!sought) {
    parent.append(text);
    return parent;
  }
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
  const box = make("div");
  const pre = make("pre", ["prompt", "text", "thinking", "summary", "note"].includes(role) ? "prose" : "");
  const every = text.split("\n");
  box.append(pre);
  if (every.length <= FOLDED + 5 || (sought && text.toLowerCase().includes(sought))) {
    lines(pre, text, role);
    return box;
  }
  lines(pre, every.slice(0, FOLDED).join("\n"), role);
  const more = make("button", "fold", "Show all " + number(every.length) + " lines");
  more.addEventListener("click", () => {
    put(pre);
    lines(pre, text, role);
    more.remove();
    pre.tabIndex = -1;
    pre.focus();
  });
  box.append(more);
  return box;
}

function partElement(part) {
  const text = data.texts[part[TEXT]];
  const size = part[SIZE] ? count(part[SIZE], "token") : "";
  const box = make(part[ROLE] === "thinking" ? "details" : "div", "part " + word(part[ROLE]));
  if (part[ROLE] === "thinking") {
    box.open = opened || Boolean(sought && text.toLowerCase().includes(sought));
    box.append(make("summary", "", [part[TITLE] || "thinking", size].filter(Boolean).join(", ")));
  } else {
    const head = make("div", "head");
    if (part[TITLE] !== part[PATH]) head.append(make("span", "", part[TITLE] || part[ROLE]));
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
  const grew = group[GREW] === null ? "" : " (" + signed(group[GREW]) + ")";
  if (group[WINDOW] !== null) found.push(number(group[WINDOW]) + " in the window" + grew);
  if (group[AT] !== null) {
    const start = data.groups.find((each) => each[AT] !== null)[AT];
    found.push(time(group[AT]), elapsed(group[AT] - start) + " since the start");
  }
  if (group[TURN] && group[TURN] !== group[STEP]) found.push("answers the prompt at step " + number(group[TURN]));
  const against = data.evidence.filter(([, , steps]) => steps.some((step) => group[STEPS].includes(step)));
  const said = against.map(([file, kind]) => (file ? file + " (" + kind + ")" : kind));
  if (said.length) found.push("in the autopsy: " + said.join(", "));
  return found.filter(Boolean).join(" · ");
}

// ---- the panes ----

function windowPane() {
  const at = lastUpTo(windows, cursor);
  if (at < 0) return [make("p", "", "No window is recorded up to this step.")];
  const whose = data.agent ? "" : "The agent's window is not recorded. This is the suggested window. ";
  const of = data.groups[windows[at][0]];
  return [
    make("p", "", whose + "As of step " + number(Math.max(...of[STEPS], of[STEP])) + "."),
    ...rowElements(windows[at][1]),
  ];
}

function diffPane() {
  const at = lastUpTo(data.diffs, cursor);
  if (at < 0 || data.diffs[at][0] !== cursor) return [make("p", "", "No diff is kept for this row.")];
  return [
    make("p", "", "What this row changed in the " + (data.agent ? "agent's" : "suggested") + " window."),
    ...rowElements(data.diffs[at].slice(1)),
  ];
}

function watchPane() {
  if (!data.watch.length) return [make("p", "", "No file was read or changed.")];
  const choice = make("select");
  choice.setAttribute("aria-label", "Watched file");
  data.watch.forEach(([name], index) => {
    const each = make("option", "", name);
    each.value = index;
    choice.append(each);
  });
  choice.value = watched;
  choice.addEventListener("change", () => {
    watched = Number(choice.value);
    drawTimeline();
    show();
    by("pane").querySelector("select").focus();
  });
  const [, , runs, places] = data.watch[watched];
  const now = runs.find(
    ([first, last]) => data.groups.length && first <= data.groups[cursor][STEP] && data.groups[cursor][STEP] <= last,
  );
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
    "Record: " +
      data.name +
      ", " +
      count(data.steps, "step") +
      ". This report shows steps " +
      number(data.first) +
      " to " +
      number(data.last) +
      ".",
    "Hash of the chain at its last step: " + data.hash,
    "Texts are as recorded: secrets stay masked, and withheld and erased texts are missing.",
    "Hidden characters are spelled out, such as [U+202E RLO].",
    "Made by ccos-tui " + data.version + ". This file loads nothing and sends nothing.",
    data.left_out.length ? "Left out of this report:" : "Nothing was left out of this report.",
  ];
  return [...[...said, ...data.left_out].map((each) => make("p", "", each)), ...rowElements(data.cost)];
}

const PANES = {
  window: windowPane,
  diff: diffPane,
  watch: watchPane,
  about: aboutPane,
  autopsy: () => rowElements(data.autopsy),
  failures: () => rowElements(data.failures),
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
