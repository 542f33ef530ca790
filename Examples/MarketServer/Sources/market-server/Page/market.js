"use strict";
// The charts of the market: server-sent events in, canvases out. A gap in a line is what this client was too slow for.

const length = 123;
const charts = document.getElementById("charts");
const state = document.getElementById("state");
const money = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const count = new Intl.NumberFormat("en-US");
let ticks = [];
let views = [];

function show(name, text) { state.dataset.state = name; state.textContent = text; }

function make(symbols) {
  views = [...symbols.map((name, index) => ({ name, value: tick => tick.prices[index] })),
    { name: "Portfolio", value: tick => tick.portfolio }];
  charts.replaceChildren(...views.map(view => {
    const card = document.createElement("article");
    card.className = "chart";
    card.innerHTML = "<h3><span></span><span class=price></span><span class=change></span></h3><canvas role=img></canvas>";
    card.querySelector("span").textContent = view.name;
    [view.price, view.change, view.canvas] = [".price", ".change", "canvas"].map(part => card.querySelector(part));
    view.canvas.setAttribute("aria-label", view.name + ", price over time");
    return card;
  }));
}

function add(tick) {
  if (ticks.length && tick.number <= ticks.at(-1).number) return;   // the opening had it
  ticks.push(tick);
  while (ticks[0].number <= tick.number - length) ticks.shift();
}

function draw() {
  const newest = ticks.at(-1);
  if (newest) {
    document.getElementById("month").textContent = newest.month;
    const style = getComputedStyle(document.documentElement);
    const color = name => style.getPropertyValue(name).trim();
    for (const view of views) {
      const now = view.value(newest);
      const before = ticks.length > 1 ? view.value(ticks.at(-2)) : null;
      const change = now == null || !before ? null : (now / before - 1) * 100;
      view.price.textContent = now == null ? "not traded" : money.format(now);
      view.change.textContent = change == null ? "" : (change < 0 ? "−" : "+") + Math.abs(change).toFixed(1) + " %";
      view.change.className = "change " + (change == null ? "" : change < 0 ? "down" : "up");
      plot(view, newest.number, color);
    }
  }
}

function plot(view, newest, color) {
  const scale = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = view.canvas;
  if (view.canvas.width !== Math.round(width * scale)) view.canvas.width = Math.round(width * scale);
  if (view.canvas.height !== Math.round(height * scale)) view.canvas.height = Math.round(height * scale);
  const context = view.canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const values = ticks.map(view.value).filter(value => value != null);
  if (!values.length) return;
  const top = Math.max(...values) * 1.05, left = 40, bottom = height - 6;
  const x = tick => left + (width - left - 4) * (1 - (newest - tick.number) / (length - 1));
  const y = value => bottom - (bottom - 8) * value / top;
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "right";
  context.textBaseline = "middle";
  const step = [1, 2, 2.5, 5, 10].map(part => part * 10 ** Math.floor(Math.log10(top / 2))).find(part => top / part < 4);
  for (let value = 0; value < top; value += step) {
    context.fillStyle = color("--rule");
    context.fillRect(left, Math.round(y(value)), width - left - 4, 1);
    context.fillStyle = color("--quiet");
    context.fillText(value >= 1000 ? value / 1000 + "k" : value, left - 6, y(value));
  }
  // Runs without a gap.
  const runs = [];
  for (const [index, tick] of ticks.entries()) {
    if (view.value(tick) == null) continue;
    const last = ticks[index - 1];
    if (!last || view.value(last) == null || last.number + 1 !== tick.number) runs.push([]);
    runs.at(-1).push(tick);
  }
  for (const run of runs) {
    const line = new Path2D();
    for (const tick of run) line.lineTo(x(tick), y(view.value(tick)));
    const area = new Path2D(line);
    area.lineTo(x(run.at(-1)), bottom);
    area.lineTo(x(run[0]), bottom);
    context.fillStyle = color("--fill");
    context.fill(area);
    context.strokeStyle = color("--line");
    context.lineWidth = 1.6;
    context.lineJoin = "round";
    context.stroke(line);
  }
}

// Drawn when the screen is, however many ticks have come.
let isAsked = false;
function redraw() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => { isAsked = false; draw(); });
}
addEventListener("resize", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

const events = new EventSource("prices");
events.addEventListener("opening", event => {
  const opening = JSON.parse(event.data);
  make(opening.symbols);
  // After a connection was lost the numbers show what is missing; a restarted server begins with 1.
  const newest = opening.ticks.at(-1)?.number ?? 0;
  if (ticks.length && newest < ticks.at(-1).number) ticks = [];
  opening.ticks.forEach(add);
  document.getElementById("dropped").textContent = "0";
  show("live", "live");
  redraw();
});
events.onmessage = event => { add(JSON.parse(event.data)); redraw(); };
events.addEventListener("dropped", event => {
  document.getElementById("dropped").textContent = count.format(JSON.parse(event.data));
});
events.addEventListener("closed", () => { events.close(); show("closed", "the market is closed"); });
events.onerror = () => { if (events.readyState !== EventSource.CLOSED) show("connecting", "no connection, trying again"); };

async function poll() {
  if (state.dataset.state === "live") {
    try {
      const lines = (await (await fetch("metrics")).text()).split("\n");
      for (const cell of document.querySelectorAll("[data-metric]")) {
        const line = lines.find(line => line.startsWith(cell.dataset.metric + " "));
        if (line) cell.textContent = count.format(line.slice(line.lastIndexOf(" ")));
      }
    } catch { /* the stream says that there is no connection */ }
  }
  setTimeout(poll, 1000);
}
poll();
