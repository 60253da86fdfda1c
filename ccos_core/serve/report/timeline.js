// The timeline: two strips, a lane for each sort of event, and the steps at which the watched file was in the window.

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

const ticks = (steps) => steps.map((step) => "M" + (1000 * share(step)).toFixed(2) + " 3V13").join("");

function bar(first, last) {
  const half = 500 / Math.max(data.last - data.first + 1, 1);
  const [from, to] = [Math.max(first, data.first), Math.min(last, data.last)];
  return "M" + (1000 * share(from) - half).toFixed(2) + " 8H" + (1000 * share(to) + half).toFixed(2);
}

function strip(figures, name) {
  const most = Math.max(1, ...figures);
  const wide = 1000 / Math.max(figures.length, 1);
  const points = figures.map(
    (each, at) => "V" + (32 - (30 * each) / most).toFixed(1) + "H" + ((at + 1) * wide).toFixed(1),
  );
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
  const { heat, held, lanes } = data.overview;
  const labels = [];
  const drawn = [];
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
    if (steps.length) add(label, number(steps.length), 16, lane(16, colour, ticks(steps)));
  }
  const accused = [...new Set(data.evidence.flatMap(([, , steps]) => steps))].filter((step) => step >= data.first);
  if (accused.length) add("evidence", number(accused.length), 16, lane(16, "l-second", ticks(accused)));
  if (data.watch.length) {
    const [name, , runs] = data.watch[watched];
    const held = runs.filter(([, last, state]) => last >= data.first && !["unborn", "out", "gone"].includes(state));
    const colour = (state) => "held " + (state === "in" ? "l-good" : "l-number");
    const paths = held.map(([first, last, state]) => [colour(state), bar(first, last)]);
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
  const step = pointed(event);
  const group = data.groups[groupOf(step)];
  const label = by("hover");
  const right = share(step) > 0.6;
  if (!group) return;
  label.textContent = number(step) + " " + group[KIND] + " " + group[SAYS].slice(0, 60);
  label.style.left = right ? "auto" : 100 * share(step) + "%";
  label.style.right = right ? 100 * (1 - share(step)) + "%" : "auto";
  label.hidden = false;
}
