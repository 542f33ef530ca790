'use strict';
// Sparklines and the graph of dependencies, as SVG.

const svgNamespace = 'http://www.w3.org/2000/svg';

function svg(name, attributes, ...children) {
  const element = document.createElementNS(svgNamespace, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  element.append(...children);
  return element;
}

function drawSparkline(line, history) {
  const top = Math.max(1, ...history);
  line.setAttribute('points', history.map((count, index) =>
    `${(index + 40 - history.length) * 2},${(17 - 16 * count / top).toFixed(1)}`).join(' '));
}

// In columns: what reads nothing on the left, everything else to the right of what it reads. In a cycle a value that is being
// placed counts as placed.
function columnsOf(nodes, edges) {
  const reads = new Map(nodes.map(node => [node.id, []]));
  for (const edge of edges) reads.get(edge.to).push(edge.from);
  const columns = new Map();
  function place(id) {
    if (columns.has(id)) return columns.get(id);
    columns.set(id, 0);
    const column = Math.max(-1, ...reads.get(id).map(place)) + 1;
    columns.set(id, column);
    return column;
  }
  for (const node of nodes) place(node.id);
  return columns;
}

function drawGraph(target, graph, chosen, choose) {
  const [width, height, gapX, gapY] = [150, 38, 46, 12];
  const columns = columnsOf(graph.nodes, graph.edges);
  const heights = [];
  const places = new Map();
  for (const node of graph.nodes) {
    const column = columns.get(node.id);
    heights[column] = (heights[column] ?? 0) + 1;
    places.set(node.id, [column * (width + gapX) + 8, (heights[column] - 1) * (height + gapY) + 8]);
  }
  const fullWidth = Math.max(1, heights.length) * (width + gapX) - gapX + 16;
  const fullHeight = Math.max(1, ...heights.map(count => count ?? 0)) * (height + gapY) - gapY + 16;
  target.setAttribute('viewBox', `0 0 ${fullWidth} ${fullHeight}`);
  target.setAttribute('width', fullWidth);
  target.setAttribute('height', fullHeight);
  // Up to five columns are made smaller where there is no room; more are scrolled.
  target.classList.toggle('fits', heights.length <= 5);
  const edges = graph.edges.map(edge => {
    const [[x1, y1], [x2, y2]] = [places.get(edge.from), places.get(edge.to)];
    const [startX, startY, endX, endY] = [x1 + width, y1 + height / 2, x2, y2 + height / 2];
    return svg('path', {
      d: `M${startX} ${startY} C${startX + 24} ${startY} ${endX - 24} ${endY} ${endX} ${endY}`,
      class: edge.isLit ? 'lit' : '', 'data-from': edge.from, 'data-to': edge.to,
    });
  });
  const nodes = graph.nodes.map(node => {
    const [x, y] = places.get(node.id);
    const below = node.isStale && node.kind !== 'observed' ? 'not computed' : node.value ?? node.kind;
    const name = svg('text', {x: x + 8, y: y + 16}, shorten(node.name, 21));
    const group = svg('g', {
      class: (node.isLit ? 'lit ' : '') + (node.id === chosen ? 'chosen' : ''), 'data-id': node.id,
    }, svg('title', {}, node.name), svg('rect', {x, y, width, height, rx: 5}), name,
    svg('text', {x: x + 8, y: y + 31, class: 'value-text'}, shorten(below, 21)));
    group.addEventListener('click', () => choose(node.id));
    return group;
  });
  target.replaceChildren(...edges, ...nodes);
}

function shorten(text, length) {
  return text.length > length ? text.slice(0, length - 1) + '…' : text;
}
