"use strict";
// The page keeps no state: it shows what the program sends, and sends what a person does.
const $ = id => document.getElementById(id);
const money = (amount, signDisplay = "auto") =>
  amount.toLocaleString("en-US", { style: "currency", currency: "USD", signDisplay });
let socket, typed;

function connect() {
  [socket, typed] = [new WebSocket(`ws://${location.host}/live`), 0];
  socket.onmessage = ({ data }) => {
    const { status, splices } = JSON.parse(data);
    if (splices) splices.forEach(splice);
    if (status) show(status);
    document.body.dataset.state = "open";
  };
  socket.onclose = () => {
    document.body.dataset.state = "closed";
    setTimeout(connect, 500);
  };
}
const send = action => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(action));

function splice({ at, count, rows }) {
  const { rows: lines } = $("rows"), old = [...lines].slice(at, at + count);
  // A row that is replaced keeps its line, so that a button can be pressed meanwhile.
  rows.forEach((row, index) =>
    fill(old[index] ?? $("rows").insertBefore($("blank").content.firstChild.cloneNode(true), lines[at + index]), row));
  old.slice(rows.length).forEach(line => line.remove());
}

function fill(line, { position, price, worth, gain }) {
  [line.dataset.id, line.dataset.sign] = [position.id, Math.sign(gain)];
  [position.symbol, position.quantity, money(position.paid), price ? money(price) : "–", money(worth),
    money(gain, "exceptZero")].forEach((text, index) => { line.cells[index].textContent = text; });
}

function show({ total, gain, rising, count, search, order, canUndo, canRedo, editing, typed: seen }) {
  $("total").textContent = money(total);
  [$("gain").textContent, $("gain").dataset.sign] = [money(gain, "exceptZero"), Math.sign(gain)];
  $("count").textContent = `${rising} of ${count} are worth more than they have cost`;
  if (document.activeElement !== $("search")) $("search").value = search;
  $("order").value = order;
  [$("undo").disabled, $("redo").disabled] = [!canUndo, !canRedo];
  const opens = editing && $("editor").hidden;
  $("editor").hidden = !editing;
  if (!editing) return;
  $("editing").textContent = editing.symbol;
  // A text that the program has yet to see is not replaced.
  for (const [field, text] of Object.entries(editing.texts))
    if (seen === typed && $(field).value !== text) $(field).value = text;
  $("hint").textContent = editing.hint;
  $("conflict").hidden = !editing.isConflict;
  $("save").disabled = editing.hint !== "";
  if (opens) $("quantity").select();
}

document.onsubmit = event => {
  event.preventDefault();
  send(event.target === $("editor") ? { commit: {} } : { add: { symbol: $("symbol").value } });
  $("symbol").value = "";
};
document.onclick = ({ target }) => {
  const id = target.closest("tr")?.dataset.id;
  if (target.dataset.do) send({ [target.dataset.do]: id ? { id } : {} });
};
$("editor").oninput = ({ target }) => send({ type: { text: target.value, in: target.id, number: ++typed } });
$("search").oninput = ({ target }) => send({ search: { text: target.value } });
$("order").onchange = ({ target }) => send({ sort: { by: target.value } });
connect();
