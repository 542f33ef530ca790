'use strict';
// Shows what the program sends. All text is put in as text, never as markup.

const byId = id => document.getElementById(id);
const query = {text: '', kind: '', order: 'made', isDescending: false, offset: 0, limit: 100, selected: 0};
const columns = [
  ['kind', 'kind', ''], ['name', 'name', ''], ['', 'value', ''], ['rate', '/s', 'number'], ['', 'last 20 s', ''],
  ['total', 'total', 'number'], ['waiting', 'waiting', 'number'], ['', 'dropped', 'number'],
  ['handlers', 'handlers', 'number'], ['', 'mean µs', 'number'], ['slowest', 'slowest µs', 'number'],
];
let socket = null;
let state = null;
let isPaused = false;
let isRejected = false;

function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

// The connection

function connect() {
  socket = new WebSocket('ws://' + location.host + '/live');
  socket.onopen = () => { socket.send(location.hash.slice(1)); ask(); };
  socket.onmessage = message => {
    const isFirst = state === null;
    state = JSON.parse(message.data);
    if (!isPaused || isFirst || isAsked) draw();
    isAsked = false;
  };
  socket.onclose = event => {
    isRejected = event.code === 4401;
    const status = byId('status');
    status.classList.add('closed');
    status.textContent = isRejected ? 'wrong token: open the address that the program printed' : 'the program has ended';
    document.body.dataset.state = isRejected ? 'rejected' : 'closed';
    if (!isRejected) setTimeout(connect, 1000);
  };
}
let isAsked = false;
function ask() {
  isAsked = true;
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(query));
}

// Drawing

function draw() {
  document.body.dataset.state = 'live';
  byId('program').textContent = `${state.program} · process ${state.process}`;
  const status = byId('status');
  status.classList.remove('closed');
  status.textContent = `${state.count} objects` + (state.areValuesHidden ? ' · values hidden' : '') + (isPaused ? ' · paused' : '');
  drawWarnings();
  drawKinds();
  drawRows();
  drawPages();
  drawDetail();
  byId('graph-note').textContent = state.graph.nodes.length === 0 ? 'No value is derived from another one.'
    : state.graph.hidden ? `${state.graph.hidden} more are not drawn: choose a value to see what is around it.`
    : 'Bright: where the last propagation went.';
  byId('graph-scroller').hidden = state.graph.nodes.length === 0;
  drawGraph(byId('graph'), state.graph, query.selected, choose);
  drawTimeline();
}

function keep(parent, count, create) {
  while (parent.children.length > count) parent.lastChild.remove();
  while (parent.children.length < count) parent.append(create());
  return parent.children;
}
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function drawWarnings() {
  const items = keep(byId('warnings'), state.warnings.length, () => {
    const item = make('button', {type: 'button', className: 'warning'}, make('b'), make('span'));
    item.addEventListener('click', () => { if (item.dataset.object) choose(+item.dataset.object); });
    return item;
  });
  state.warnings.forEach((warning, index) => {
    const item = items[index];
    item.dataset.kind = warning.kind;
    item.dataset.object = warning.object ?? '';
    put(item.children[0], warning.title);
    put(item.children[1], warning.detail);
  });
}

function drawKinds() {
  const kinds = ['', ...Object.keys(state.kinds).sort()];
  const items = keep(byId('kinds'), kinds.length, () => {
    const item = make('button', {type: 'button'});
    item.addEventListener('click', () => {
      query.kind = item.dataset.kind;
      query.offset = 0;
      ask();
    });
    return item;
  });
  kinds.forEach((kind, index) => {
    items[index].dataset.kind = kind;
    items[index].setAttribute('aria-pressed', String(query.kind === kind));
    put(items[index], kind ? `${kind} ${state.kinds[kind]}` : 'all');
  });
}

function drawHeads() {
  byId('heads').replaceChildren(...columns.map(([order, title, style]) => {
    const head = make('th', {className: style, scope: 'col'});
    const isOrder = order && query.order === order;
    if (isOrder) head.setAttribute('aria-sort', query.isDescending ? 'descending' : 'ascending');
    const button = make('button', {type: 'button', disabled: !order, textContent: title + (isOrder ? (query.isDescending ? ' ▾' : ' ▴') : '')});
    button.addEventListener('click', () => {
      // Largest first, then smallest first, then as they were made.
      const isText = style === '';
      if (query.order !== order) [query.order, query.isDescending] = [order, !isText];
      else if (query.isDescending !== isText) query.isDescending = !query.isDescending;
      else [query.order, query.isDescending] = ['made', false];
      query.offset = 0;
      drawHeads();
      ask();
    });
    head.append(button);
    return head;
  }));
}

function makeRow() {
  const spark = svg('svg', {class: 'spark', viewBox: '0 0 80 18', preserveAspectRatio: 'none', 'aria-hidden': 'true'}, svg('polyline', {}));
  const row = make('tr', {}, make('td', {className: 'kind'}), make('td', {className: 'name'}, make('span'), make('span', {className: 'place'})),
    make('td', {className: 'value'}), make('td', {className: 'number rate'}), make('td', {}, spark),
    ...['total', 'waiting', 'dropped', 'handlers', 'mean', 'slowest'].map(name => make('td', {className: 'number ' + name})));
  row.addEventListener('click', () => choose(+row.dataset.id));
  return row;
}
const orEmpty = number => number ? String(number) : '';
function valueOf(row) {
  if (row.isStale && row.kind === 'derived') return 'not computed';
  return row.value ?? (row.type && `of ${row.type}`);
}

function drawRows() {
  const items = keep(byId('rows'), state.rows.length, makeRow);
  state.rows.forEach((row, index) => {
    const item = items[index];
    const cells = item.children;
    item.dataset.id = row.id;
    item.classList.toggle('chosen', row.id === query.selected);
    put(cells[0], row.kind);
    put(cells[1].children[0], row.name);
    put(cells[1].children[1], row.name.endsWith(row.place) ? '' : row.place);
    put(cells[2], valueOf(row));
    cells[2].classList.toggle('dim', row.value == null || row.isStale && row.kind === 'derived');
    cells[2].title = row.type;
    put(cells[3], row.rate.toFixed(row.rate < 10 ? 1 : 0));
    drawSparkline(cells[4].firstChild.firstChild, row.history);
    put(cells[5], String(row.total));
    put(cells[6], orEmpty(row.waiting));
    put(cells[7], orEmpty(row.dropped));
    put(cells[8], String(row.handlers));
    put(cells[9], orEmpty(row.mean));
    put(cells[10], orEmpty(row.slowest));
  });
}

function drawPages() {
  const last = state.offset + state.rows.length;
  const step = (title, offset, isPossible) => {
    const button = make('button', {type: 'button', textContent: title, disabled: !isPossible});
    button.addEventListener('click', () => { query.offset = Math.max(0, offset); ask(); });
    return button;
  };
  byId('pages').hidden = state.matching === state.count && state.matching <= query.limit;
  if (byId('pages').contains(document.activeElement) && !isAsked) return;  // the focus is kept
  byId('pages').replaceChildren(
    step('Previous', state.offset - query.limit, state.offset > 0), step('Next', last, last < state.matching),
    state.matching ? `${state.offset + 1}–${last} of ${state.matching}` : 'nothing matches');
}

function link(object) {
  const button = make('button', {type: 'button', className: 'link', textContent: object.name});
  button.addEventListener('click', () => choose(object.id));
  return button;
}
function drawDetail() {
  const target = byId('detail');
  const detail = state.detail;
  if (target.contains(document.activeElement) && +target.dataset.id === detail?.row.id) return;  // the focus is kept
  target.dataset.id = detail?.row.id ?? '';
  if (!detail) {
    target.replaceChildren(make('p', {className: 'dim', textContent: query.selected ? 'It has been destroyed.' : 'Choose a row to see its handlers.'}));
    return;
  }
  const row = detail.row;
  const facts = make('dl');
  const fact = (name, ...content) => { if (content.length) facts.append(make('dt', {textContent: name}), make('dd', {}, ...content)); };
  fact('kind', row.kind + (row.type ? ` of ${row.type}` : ''));
  fact('made at', row.place);
  if (row.value != null) fact('value', row.value + (row.isStale && row.kind === 'derived' ? ' (stale: recomputed when it is read)' : ''));
  if (detail.computations) fact('computed', `${detail.computations} times, ${detail.unchanged} without a change`);
  fact('reads', ...detail.reads.map(link));
  fact('read by', ...detail.readBy.map(link));
  fact('streams', ...detail.streams.map(link));
  const handlers = make('table', {}, make('tbody', {}, ...detail.handlers.map(handler => make('tr', {},
    make('td', {textContent: handler.place + (handler.count > 1 ? ` × ${handler.count}` : '') + (handler.paused ? `, ${handler.paused} paused` : '')}),
    make('td', {className: 'number', textContent: handler.calls ? `${handler.calls} calls` : ''}),
    make('td', {className: 'number', textContent: handler.calls ? `mean ${(handler.time / handler.calls / 1000).toFixed(1)} µs` : ''}),
    make('td', {className: 'number', textContent: handler.calls ? `max ${(handler.slowest / 1000).toFixed(0)} µs` : ''}),
    make('td', {className: 'number', textContent: handler.waiting ? `${handler.waiting} waiting` : ''})))));
  target.replaceChildren(make('h2', {textContent: row.name}), facts,
    make('div', {className: 'dim', textContent: detail.handlers.length ? 'Handlers, by where they were added' : 'No handlers'}),
    make('div', {className: 'handlers'}, handlers));
}

function drawTimeline() {
  const moments = state.timeline.slice(0, 40);
  const items = keep(byId('timeline'), moments.length, () => make('li', {}, make('span', {className: 'dim'}), make('span'), make('span', {className: 'dim'})));
  moments.forEach((moment, index) => {
    const [ago, text, took] = items[index].children;
    put(ago, `−${moment.ago < 1000 ? moment.ago.toFixed(0) + ' ms' : (moment.ago / 1000).toFixed(1) + ' s'}`);
    put(text, (moment.cause ? `${moment.cause} → ` : '') + `${moment.name}: ${moment.what}`);
    put(took, `${moment.micros.toFixed(1)} µs`);
  });
}

// What the user does

function choose(id) {
  query.selected = query.selected === id ? 0 : id;
  ask();
}
function move(by) {
  if (!state?.rows.length) return;
  const index = state.rows.findIndex(row => row.id === query.selected);
  const next = state.rows[Math.min(state.rows.length - 1, Math.max(0, index + by))];
  query.selected = next.id;
  document.querySelector(`#rows tr[data-id="${next.id}"]`)?.scrollIntoView({block: 'nearest'});
  ask();
}
function togglePause() {
  isPaused = !isPaused;
  byId('pause').setAttribute('aria-pressed', String(isPaused));
  if (state) draw();
}

byId('pause').addEventListener('click', togglePause);
byId('search').addEventListener('input', () => { query.text = byId('search').value; query.offset = 0; ask(); });
document.addEventListener('keydown', event => {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  if (document.activeElement === byId('search')) {
    if (event.key === 'Escape') { byId('search').value = ''; query.text = ''; byId('search').blur(); ask(); }
    if (event.key === 'ArrowDown') { byId('search').blur(); byId('rows').focus(); }
    return;
  }
  const actions = {
    '/': () => byId('search').focus(), p: togglePause, ArrowDown: () => move(1), j: () => move(1), ArrowUp: () => move(-1),
    k: () => move(-1), Escape: () => choose(query.selected),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
window.addEventListener('hashchange', () => location.reload());
drawHeads();
connect();
