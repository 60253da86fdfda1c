// Going from step to step: what is shown then, keys, mouse, playing, and the start of it all.

function show() {
  const group = data.groups[cursor];
  if (!group) return;
  const before = document.querySelector("#steps [aria-selected=true]");
  const now = by("row-" + cursor);
  if (before) before.removeAttribute("aria-selected");
  now.setAttribute("aria-selected", "true");
  by("steps").setAttribute("aria-activedescendant", now.id);
  reveal(now);
  const last = Math.max(...group[STEPS], group[STEP]);
  const steps = number(group[STEP]) + (last > group[STEP] ? " to " + number(last) : "");
  by("step-title").textContent = "Step " + steps + ": " + (group[KIND] === "tool" ? group[SAYS] : group[KIND]);
  by("step-facts").textContent = facts(group);
  by("where").textContent =
    "Step " + steps + " of " + number(data.steps) + ": " + group[KIND] + " " + group[SAYS] + " " + group[RESULT];
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
  const list = by("steps");
  const box = list.getBoundingClientRect();
  const at = item.getBoundingClientRect();
  if (at.top < box.top || at.bottom > box.bottom) list.scrollTop += at.top - box.top - box.height / 3;
}

function go(index, silent) {
  if (!data.groups.length) return;
  cursor = Math.min(Math.max(index, 0), data.groups.length - 1);
  if (folded.has(data.groups[cursor][TURN]) && by("row-" + cursor).hidden) {
    folded.delete(data.groups[cursor][TURN]);
    filter();
  } else show();
  if (!silent) history.replaceState(null, "", "#step=" + data.groups[cursor][STEP]);
}

function move(by_) {
  // Moves among the rows that the filter shows.
  const at = shown.findIndex((index) => index >= cursor);
  const here = at < 0 ? shown.length : at;
  const target = by_ > 0 && shown[here] !== cursor ? here + by_ - 1 : here + by_;
  if (shown.length) go(shown[Math.min(Math.max(target, 0), shown.length - 1)]);
}

function fold(turns) {
  // Folds these turns; if all of them are folded, unfolds them.
  const known = turns.filter((turn) => turn && data.groups[groupOf(turn)][STEPS].includes(turn));
  const unfold = known.every((turn) => folded.has(turn));
  for (const turn of known) unfold ? folded.delete(turn) : folded.add(turn);
  if (folded.has(data.groups[cursor][TURN])) cursor = groupOf(data.groups[cursor][TURN]);
  filter();
}

function jump(names, forward) {
  const steps = data.overview.lanes.filter((each) => names.includes(each.name)).flatMap((each) => each.steps);
  const rows = [...new Set(steps.map(groupOf))].sort((one, other) => one - other);
  const found = forward ? rows.find((row) => row > cursor) : rows.reverse().find((row) => row < cursor);
  if (found !== undefined) go(found);
}

function play(on) {
  clearInterval(timer);
  timer = on
    ? setInterval(
        () => {
          if (cursor >= shown[shown.length - 1]) play(false);
          else move(1);
        },
        1000 / Number(by("speed").value),
      )
    : 0;
  by("play").textContent = on ? "Pause" : "Play";
  by("play").setAttribute("aria-pressed", Boolean(on));
}

function fromAddress() {
  const found = /^#step=(\d{1,9})$/.exec(location.hash);
  if (found) go(groupOf(Number(found[1])), true);
}

function switchTheme() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.dataset.theme || (dark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
}

function openThinking() {
  opened = !opened;
  for (const each of by("step-text").querySelectorAll("details")) each.open = opened;
}

const ACTIONS = {
  j: () => move(1),
  ArrowDown: () => move(1),
  k: () => move(-1),
  ArrowUp: () => move(-1),
  l: () => move(stride()),
  ArrowRight: () => move(stride()),
  h: () => move(-stride()),
  ArrowLeft: () => move(-stride()),
  PageDown: () => move(10),
  PageUp: () => move(-10),
  g: () => go(shown[0] || 0),
  Home: () => go(shown[0] || 0),
  G: () => go(shown[shown.length - 1] || 0),
  End: () => go(shown[shown.length - 1] || 0),
  " ": () => play(!timer),
  J: () => jump(["prompt"], true),
  K: () => jump(["prompt"], false),
  e: () => jump(["failure", "again", "error"], true),
  E: () => jump(["failure", "again", "error"], false),
  "}": () => jump(["compaction", "fall"], true),
  "{": () => jump(["compaction", "fall"], false),
  ".": () => jump(["edit"], true),
  ",": () => jump(["edit"], false),
  z: () => fold([data.groups[cursor][TURN]]),
  Z: () => fold([...new Set(data.groups.map((group) => group[TURN]))]),
  o: openThinking,
  T: switchTheme,
  "/": () => by("words").focus(),
  "?": () => by("keys").showModal(),
};
const stride = () => Math.max(1, Math.round(data.groups.length / 100));
for (const [name, key] of TABS) ACTIONS[key] = () => chooseTab(name, false);

function pressed(event) {
  const target = event.target;
  const key = event.key;
  if (event.ctrlKey || event.altKey || event.metaKey || by("keys").open) return;
  if (target.matches("input, select")) {
    if (key === "Escape") {
      by("words").value = "";
      filter();
      target.blur();
      by("steps").focus();
    } else if (key === "Enter" && shown.length) {
      go(shown.find((index) => index >= cursor) || shown[0]);
      by("steps").focus();
    }
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
  if (action) {
    event.preventDefault();
    action();
  }
}

function listen() {
  for (const [id, action] of [
    ["first", "g"],
    ["back", "k"],
    ["on", "j"],
    ["last", "G"],
    ["play", " "],
    ["theme", "T"],
    ["help", "?"],
  ]) {
    by(id).addEventListener("click", ACTIONS[action]);
  }
  by("speed").addEventListener("change", () => {
    if (timer) play(true);
  });
  by("words").addEventListener("input", filter);
  by("kind").addEventListener("change", filter);
  const lanes = by("lanes");
  let dragged = false;
  lanes.addEventListener("pointerdown", (event) => {
    dragged = true;
    lanes.setPointerCapture(event.pointerId);
    go(groupOf(pointed(event)));
  });
  lanes.addEventListener("pointermove", (event) => {
    hover(event);
    if (dragged) go(groupOf(pointed(event)));
  });
  lanes.addEventListener("pointerup", () => {
    dragged = false;
  });
  lanes.addEventListener("pointerleave", () => {
    by("hover").hidden = true;
  });
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", fromAddress);
}

function build() {
  by("name").textContent = data.name;
  if (!data.agent) TABS[0][2] = "Suggested window";
  put(by("steps"), ...data.groups.map(listElement));
  put(
    by("tabs"),
    ...TABS.map(([name, key, label]) => {
      const button = make("button", "", label);
      button.id = "tab-" + name;
      button.title = label + " (" + key + ")";
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", "pane");
      button.addEventListener("click", () => chooseTab(name, true));
      return button;
    }),
  );
  const keys = make("dl");
  const close = make("button", "", "Close");
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
  build();
  by("report").hidden = false;
  drawTimeline();
  filter();
  listen();
  fromAddress();
  by("steps").focus();
}

start();
