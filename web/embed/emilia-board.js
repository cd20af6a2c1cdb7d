/**
 * `<emilia-board>`: an Othello board for any page, in one file that needs nothing else. docs/embed.md describes it.
 *
 *     <script type="module" src="emilia-board.js"></script>
 *     <emilia-board moves="f5d6c3d3c4" ply="3" interactive></emilia-board>
 *     <emilia-board sgf="(;GM[2]C[Look here.]TR[c4];B[f5](;W[d6])(;W[f6]))" interactive></emilia-board>
 *
 * It stands alone on pages that have no Emilia to ask, so it knows how discs flip; the tests hold it to what Emilia says.
 */

const BLACK = "X";
const WHITE = "O";
const EMPTY = "-";
const DIRECTIONS = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy])).filter(([dx, dy]) => dx || dy);

/** What cannot be shown, in a sentence. */
class Fault extends Error {}

/** @param {string} color */
const other = (color) => (color === BLACK ? WHITE : BLACK);

/** @param {number} at @param {number} size */
const squareName = (at, size) => `${String.fromCharCode(97 + (at % size))}${Math.floor(at / size) + 1}`;

/**
 * A board, and who is to move.
 * @typedef {{size: number, cells: string, turn: string}} Place
 */

/** @param {Place} place @param {number} at @returns {number[]} the discs that a disc there would flip */
export function flips({ size, cells, turn }, at) {
  if (cells[at] !== EMPTY) return [];
  const [x, y] = [at % size, Math.floor(at / size)];
  return DIRECTIONS.flatMap(([dx, dy]) => {
    const run = [];
    for (let [a, b] = [x + dx, y + dy]; a >= 0 && a < size && b >= 0 && b < size; a += dx, b += dy) {
      const disc = cells[b * size + a];
      if (disc === turn) return run;
      if (disc === EMPTY) return [];
      run.push(b * size + a);
    }
    return [];
  });
}

/** @param {Place} place @returns {number[]} */
export const legal = (place) => [...place.cells].map((_, at) => at).filter((at) => flips(place, at).length > 0);

/** The position after a disc was placed; who cannot move then passes. @param {Place} place @param {number} at @returns {Place} */
export function play(place, at) {
  const cells = [...place.cells];
  for (const square of [at, ...flips(place, at)]) cells[square] = place.turn;
  const next = { size: place.size, cells: cells.join(""), turn: other(place.turn) };
  if (legal(next).length) return next;
  const passed = { ...next, turn: place.turn };
  return legal(passed).length ? passed : next;
}

/** @param {number} size @returns {Place} */
export function start(size) {
  const cells = Array(size * size).fill(EMPTY);
  const middle = size / 2;
  for (const [x, y, disc] of /** @type {[number, number, string][]} */ ([
    [middle - 1, middle - 1, WHITE],
    [middle, middle, WHITE],
    [middle, middle - 1, BLACK],
    [middle - 1, middle, BLACK],
  ]))
    cells[y * size + x] = disc;
  return { size, cells: cells.join(""), turn: BLACK };
}

/** Reads a board: a character a square, row by row, and who is to move. @param {string} text @returns {Place} */
export function read(text) {
  const marks = [...text.replaceAll(/\s/g, "")].map((mark) => {
    if ("Xx*bB●".includes(mark)) return BLACK;
    if ("OowW0○".includes(mark)) return WHITE;
    if ("-._".includes(mark)) return EMPTY;
    throw new Fault(`position: “${mark}” is neither a disc (X, O) nor an empty square (-)`);
  });
  const size = Math.floor(Math.sqrt(marks.length));
  if (size * size + 1 !== marks.length || size % 2 || size < 4 || size > 26) {
    throw new Fault(`position: ${marks.length} characters; it takes a square board of 4 × 4 to 26 × 26 and the side to move, X or O`);
  }
  const turn = marks[marks.length - 1];
  if (turn === EMPTY) throw new Fault("position: its last character says who is to move, X or O");
  const place = { size, cells: marks.slice(0, -1).join(""), turn };
  const passed = { ...place, turn: other(turn) };
  return legal(place).length || !legal(passed).length ? place : passed;
}

/** Reads moves: squares one after the other; passes may be written and are made by themselves. @param {string} text @param {Place} from @returns {number[]} */
export function line(text, from) {
  const squares = [];
  let place = from;
  const words = text.toLowerCase().match(/[a-z]\d{1,2}|pass|--|\S/g) ?? [];
  for (const word of words) {
    if (word === "pass" || word === "--") continue;
    const [, column, row] = /^([a-z])(\d+)$/.exec(word) ?? [];
    const x = column ? column.charCodeAt(0) - 97 : -1;
    const y = Number(row) - 1;
    const at = y * place.size + x;
    const where = `moves: move ${squares.length + 1}, “${word}”,`;
    if (!column || x >= place.size || !(y >= 0 && y < place.size)) throw new Fault(`${where} is no square of this board`);
    if (!flips(place, at).length) throw new Fault(`${where} is not legal for ${place.turn === BLACK ? "Black" : "White"}`);
    squares.push(at);
    place = play(place, at);
  }
  return squares;
}

/**
 * A node of a game with variations: the square that led to it, what is said about it and drawn on the board, and what may follow.
 * @typedef {{at: number | null, comment: string, drawn: string[][], next: Node[], above: Node | null}} Node
 */

/** Properties of SGF that draw something. */
const DRAWN = ["TR", "SQ", "CR", "MA", "LB", "AR", "LN"];

/** A property with its values, in which a closing bracket is escaped. */
const PROPERTY = /^\s*([A-Za-z]+)((?:\s*\[(?:\\[\s\S]|[^\]\\])*\])+)/;

/** The place of a square on a board; -1 if it has none. @param {string} text @param {number} size */
function square(text, size) {
  const [, column, row] = /^([a-z])(\d{1,2})$/i.exec(text.trim()) ?? [];
  const [x, y] = [(column ?? "").toLowerCase().charCodeAt(0) - 97, Number(row) - 1];
  return x >= 0 && x < size && y >= 0 && y < size ? y * size + x : -1;
}

/** The squares of `f5`, or of `a1:c2`. @param {string} text @param {number} size @returns {number[]} */
function squares(text, size) {
  const [from, to = from] = text.split(":").map((end) => square(end, size));
  if (from < 0 || to < 0) throw new Fault(`sgf: “${text}” is no square of this board`);
  const all = [...Array(size * size).keys()];
  const between = (/** @type {number} */ n, /** @type {number} */ one, /** @type {number} */ two) => n >= Math.min(one, two) && n <= Math.max(one, two);
  return all.filter((at) => between(at % size, from % size, to % size) && between(Math.floor(at / size), Math.floor(from / size), Math.floor(to / size)));
}

/** The properties at the front of a text, up to the next `;`, `(` or `)`. @param {string} text @returns {{found: Record<string, string[]>, rest: string}} */
function properties(text) {
  /** @type {Record<string, string[]>} */
  const found = {};
  let rest = text;
  for (let match = PROPERTY.exec(rest); match; match = PROPERTY.exec(rest)) {
    const values = match[2].match(/\[(?:\\[\s\S]|[^\]\\])*\]/g) ?? [];
    found[match[1]] = values.map((value) => value.slice(1, -1).replace(/\\(\r\n|\n|[\s\S])/g, (_, sign) => (sign.includes("\n") ? "" : sign)));
    rest = rest.slice(match[0].length);
  }
  return { found, rest: rest.trimStart() };
}

/** The start that the first node of a game describes. @param {Record<string, string[]>} found @returns {Place} */
function startOf(found) {
  if (found.GM && found.GM[0].trim() !== "2") throw new Fault(`sgf: GM[${found.GM[0]}] is another game than Othello`);
  const size = found.SZ ? Number(found.SZ[0].split(":")[0]) : 8;
  if (!(size >= 4 && size <= 26 && size % 2 === 0)) throw new Fault(`sgf: SZ[${found.SZ?.[0]}] is no even number from 4 to 26`);
  const turn = /^w/i.test(found.PL?.[0].trim() ?? "") ? WHITE : BLACK;
  if (!found.AB && !found.AW) return { ...start(size), turn };
  const cells = Array(size * size).fill(EMPTY);
  for (const [name, disc] of [
    ["AB", BLACK],
    ["AW", WHITE],
  ])
    for (const value of found[name] ?? []) for (const at of squares(value, size)) cells[at] = disc;
  return { size, cells: cells.join(""), turn };
}

/** Reads the first game of a text of SGF: moves, variations, comments, and what is drawn. @param {string} text @returns {{from: Place, root: Node}} */
export function game(text) {
  let rest = text.trimStart();
  if (!/^\(\s*;/.test(rest)) throw new Fault("sgf: a game begins with “(;”");
  rest = rest.replace(/^\(\s*;/, "");
  const first = properties(rest);
  const from = startOf(first.found);
  /** @type {Node} */
  const root = { at: null, ...said(first.found, from.size), next: [], above: null };
  /** @type {Map<Node, Place>} */
  const places = new Map([[root, from]]);
  /** @type {Node[]} where each open bracket began */
  const open = [root];
  let here = root;
  rest = first.rest;
  while (open.length) {
    const sign = rest[0];
    if (sign === undefined) throw new Fault("sgf: a bracket is not closed");
    rest = rest.slice(1).trimStart();
    if (sign === "(") open.push(here);
    else if (sign === ")") here = /** @type {Node} */ (open.pop());
    else if (sign === ";") {
      const node = properties(rest);
      rest = node.rest;
      here = grown(here, node.found, places);
    } else throw new Fault(`sgf: “${sign}${rest.slice(0, 10)}” is not what follows a node`);
  }
  return { from, root };
}

/** What is said about a node and drawn there. @param {Record<string, string[]>} found @param {number} size */
function said(found, size) {
  const drawn = DRAWN.flatMap((name) =>
    (found[name] ?? []).flatMap((value) => {
      if (name === "LB" || name === "AR" || name === "LN") {
        const [one, ...two] = value.split(":");
        if (square(one, size) < 0 || (name !== "LB" && square(two.join(":"), size) < 0)) throw new Fault(`sgf: ${name}[${value}] is not on this board`);
        return [[name, one.trim(), two.join(":").trim()]];
      }
      return squares(value, size).map((at) => [name, squareName(at, size)]);
    }),
  );
  return { comment: (found.C ?? []).join("\n").trim(), drawn };
}

/** The node after another one. A pass, or no move at all, stays where it is. @param {Node} above @param {Record<string, string[]>} found @param {Map<Node, Place>} places */
function grown(above, found, places) {
  const place = /** @type {Place} */ (places.get(above));
  const words = said(found, place.size);
  const move = (found.B ?? found.W)?.[0].trim().toLowerCase() ?? "";
  if (!move || move === "pa" || move === "pass" || move === "--") {
    above.comment = [above.comment, words.comment].filter(Boolean).join("\n");
    above.drawn.push(...words.drawn);
    return above;
  }
  const at = square(move, place.size);
  if (at < 0 || !flips(place, at).length) throw new Fault(`sgf: the move “${move}” is not legal for ${place.turn === BLACK ? "Black" : "White"}`);
  /** @type {Node} */
  const node = { at, ...words, next: [], above };
  above.next.push(node);
  places.set(node, play(place, at));
  return node;
}

const STYLE = `
:host { display: inline-block; width: min(22rem, 100%); color-scheme: light dark; font: 0.875rem/1.4 system-ui, sans-serif; color: light-dark(#26221c, #ece6da); }
:host([hidden]) { display: none; }
.board { display: grid; aspect-ratio: 1; grid-template: repeat(var(--n), 1fr) / repeat(var(--n), 1fr); gap: 1px; padding: 1px; background: var(--emilia-line, #31523b); border-radius: 4px; overflow: hidden; }
.square { all: unset; box-sizing: border-box; position: relative; background: var(--emilia-felt, #4f7a5b); min-width: 0; min-height: 0; }
.square.disc::before { content: ""; position: absolute; inset: 8%; border-radius: 50%; }
.square.black::before { background: radial-gradient(circle at 36% 30%, #4a4945, #171614 68%); }
.square.white::before { background: radial-gradient(circle at 64% 28%, #fff 25%, #d9d3c6); box-shadow: inset 0 0 0 1px #a59d8c; }
.square.last { box-shadow: inset 0 0 0 2px #f4c95d; }
.square.legal::before { content: ""; position: absolute; inset: 38%; border-radius: 50%; background: rgb(12 24 14 / 70%); }
button.square { cursor: pointer; }
.board:focus-visible, button.square:focus-visible, .bar button:focus-visible { outline: 3px solid #1d5fbf; outline-offset: -3px; }
.bar { display: flex; gap: 0.25rem; align-items: center; margin-top: 0.375rem; }
.bar button { min-width: 2.75rem; min-height: 2.75rem; font: inherit; cursor: pointer; }
.bar button[aria-disabled="true"] { opacity: 0.45; cursor: default; }
.bar output { margin-inline-start: auto; text-align: end; }
.board { position: relative; }
.drawing { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; fill: none; stroke: #f4c95d; stroke-width: 0.08; stroke-linejoin: round; stroke-linecap: round; filter: drop-shadow(0 0 1px rgb(0 0 0 / 60%)); }
.drawing .arrow { stroke-width: 0.13; opacity: 0.9; }
.drawing .head { fill: #f4c95d; stroke-width: 0.04; }
.drawing text { fill: #fff; stroke: #241f18; stroke-width: 0.05; paint-order: stroke; font: 700 0.42px system-ui, sans-serif; }
.comment { margin: 0.375rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.others { display: flex; flex-wrap: wrap; gap: 0.25rem; margin-top: 0.375rem; }
.others button { min-width: 2.75rem; min-height: 2.75rem; font: inherit; cursor: pointer; }
.fault { margin: 0; padding: 0.5rem 0.75rem; border: 1px solid #a8261c; border-radius: 4px; }
`;

/** A node and the first continuations below it. @param {Node} node @returns {Node[]} */
function mainLine(node) {
  const line = [node];
  while (line[line.length - 1].next.length) line.push(line[line.length - 1].next[0]);
  return line;
}

/** @param {string} tag @param {Record<string, string | number>} attributes */
function svg(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  return element;
}

/** What is drawn on the board. @param {string[][]} drawn @param {number} size */
function drawing(drawn, size) {
  const sheet = svg("svg", { class: "drawing", viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" });
  const middle = (/** @type {string} */ text) => {
    const at = square(text, size);
    return { x: (at % size) + 0.5, y: Math.floor(at / size) + 0.5 };
  };
  for (const [kind, one, two] of drawn) {
    const { x, y } = middle(one);
    if (kind === "LB") {
      const text = svg("text", { x, y: y + 0.15, "text-anchor": "middle" });
      text.textContent = two;
      sheet.append(text);
    } else if (kind === "AR" || kind === "LN") sheet.append(arrow({ x, y }, middle(two), kind === "AR"));
    else if (kind === "CR") sheet.append(svg("circle", { cx: x, cy: y, r: 0.36 }));
    else if (kind === "SQ") sheet.append(svg("rect", { x: x - 0.3, y: y - 0.3, width: 0.6, height: 0.6 }));
    else if (kind === "TR") sheet.append(svg("path", { d: `M${x} ${y - 0.36}L${x + 0.34} ${y + 0.24}H${x - 0.34}Z` }));
    else sheet.append(svg("path", { d: `M${x - 0.27} ${y - 0.27}l.54 .54m0 -.54l-.54 .54` }));
  }
  return sheet;
}

/** @param {{x: number, y: number}} from @param {{x: number, y: number}} to @param {boolean} headed */
function arrow(from, to, headed) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const end = { x: to.x - dx * 0.15, y: to.y - dy * 0.15 };
  const neck = headed ? { x: end.x - dx * 0.32, y: end.y - dy * 0.32 } : end;
  const group = svg("g", { class: "arrow" });
  group.append(svg("path", { d: `M${from.x + dx * 0.15} ${from.y + dy * 0.15}L${neck.x} ${neck.y}` }));
  const head = `M${end.x} ${end.y}L${neck.x - dy * 0.2} ${neck.y + dx * 0.2}L${neck.x + dy * 0.2} ${neck.y - dx * 0.2}Z`;
  if (headed) group.append(svg("path", { class: "head", d: head }));
  return group;
}

class EmiliaBoard extends (globalThis.HTMLElement ?? class {}) {
  static observedAttributes = ["position", "moves", "ply", "size", "sgf", "interactive"];

  /** @type {ShadowRoot} */
  #root;
  /** @type {number[]} the moves, as squares */
  #line = [];
  #ply = 0;
  /** @type {Node[]} the nodes of a game in SGF before the first move and after each; none if it is given by its moves */
  #nodes = [];
  /** @type {Place[]} the position before the first move and after each */
  #places = [start(8)];

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    this.addEventListener("keydown", (event) => this.#key(event));
  }

  connectedCallback() {
    this.#read();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#read();
  }

  /** The moves that were made, as they can be given to the attribute. */
  get moves() {
    return this.#line.map((at) => squareName(at, this.#places[0].size)).join("");
  }

  set moves(text) {
    this.setAttribute("moves", text);
  }

  /** How many of them are shown. */
  get ply() {
    return this.#ply;
  }

  set ply(ply) {
    this.setAttribute("ply", String(ply));
  }

  /** The position that is shown, as it can be given to the attribute. */
  get position() {
    const { cells, turn } = this.#places[this.#ply];
    return `${cells} ${turn}`;
  }

  set position(text) {
    this.setAttribute("position", text);
  }

  /** Reads the attributes and draws. */
  #read() {
    try {
      const sgf = this.getAttribute("sgf");
      if (sgf !== null) {
        this.#readGame(sgf);
        return;
      }
      this.#nodes = [];
      const [position, size] = [this.getAttribute("position"), this.getAttribute("size")];
      const wanted = size === null ? null : Number(size);
      if (wanted !== null && !(wanted >= 4 && wanted <= 26 && wanted % 2 === 0)) throw new Fault(`size: ${size} is no even number from 4 to 26`);
      const from = position === null ? start(wanted ?? 8) : read(position);
      if (wanted !== null && wanted !== from.size) throw new Fault(`size: the position is on a board of ${from.size} × ${from.size}`);
      const moves = line(this.getAttribute("moves") ?? "", from);
      const ply = this.getAttribute("ply");
      const shown = ply === null ? moves.length : Number(ply);
      if (!Number.isInteger(shown) || shown < 0 || shown > moves.length) throw new Fault(`ply: ${ply} is no number from 0 to ${moves.length}`);
      this.#take(from, moves, shown);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const sentence = document.createElement("p");
      sentence.className = "fault";
      sentence.setAttribute("role", "alert");
      sentence.textContent = error.message;
      this.#root.replaceChildren(sentence);
      this.dispatchEvent(new CustomEvent("emilia-error", { bubbles: true, detail: { message: error.message } }));
    }
  }

  /** @param {string} text */
  #readGame(text) {
    const other = ["position", "moves", "size"].find((attribute) => this.hasAttribute(attribute));
    if (other) throw new Fault(`sgf: the game says all that ${other} would; leave one of them out`);
    const { from, root } = game(text);
    const nodes = mainLine(root);
    const ply = this.getAttribute("ply");
    // A lecture is read from its beginning.
    const shown = Number(ply ?? 0);
    if (!Number.isInteger(shown) || shown < 0 || shown >= nodes.length) throw new Fault(`ply: ${ply} is no number from 0 to ${nodes.length - 1}`);
    this.#follow(from, nodes, shown);
  }

  /** Takes a line of a game in SGF. @param {Place} from @param {Node[]} nodes @param {number} ply */
  #follow(from, nodes, ply) {
    this.#nodes = nodes;
    this.#take(
      from,
      nodes.slice(1).map(({ at }) => at ?? 0),
      ply,
    );
  }

  /** Goes along another continuation. @param {Node} node */
  #branch(node) {
    const before = this.#nodes.slice(0, this.#ply + 1);
    this.#follow(this.#places[0], [...before, ...mainLine(node)], this.#ply + 1);
    this.dispatchEvent(new CustomEvent("emilia-ply", { bubbles: true, detail: { ply: this.#ply, position: this.position } }));
  }

  /** @param {Place} from @param {number[]} moves @param {number} ply */
  #take(from, moves, ply) {
    this.#line = moves;
    this.#places = [from];
    for (const at of moves) this.#places.push(play(this.#places[this.#places.length - 1], at));
    this.#ply = ply;
    this.#draw();
  }

  /** @param {number} ply */
  #show(ply) {
    const wanted = Math.max(0, Math.min(ply, this.#line.length));
    if (wanted === this.#ply) return;
    this.#ply = wanted;
    this.#draw();
    this.dispatchEvent(new CustomEvent("emilia-ply", { bubbles: true, detail: { ply: wanted, position: this.position } }));
  }

  /** Somebody plays here; what followed is forgotten. @param {number} at */
  #place(at) {
    const known = this.#nodes[this.#ply]?.next.find((node) => node.at === at);
    if (known) {
      this.#branch(known);
      return;
    }
    this.#nodes = this.#nodes.slice(0, this.#ply + 1);
    const moves = [...this.#line.slice(0, this.#ply), at];
    this.#take(this.#places[0], moves, moves.length);
    const move = squareName(at, this.#places[0].size);
    this.dispatchEvent(new CustomEvent("emilia-move", { bubbles: true, detail: { move, ply: this.#ply, moves: this.moves, position: this.position } }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.hasAttribute("interactive") || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowLeft: this.#ply - 1, ArrowRight: this.#ply + 1, Home: 0, End: this.#line.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#show(to);
  }

  #draw() {
    const place = this.#places[this.#ply];
    const { size, cells, turn } = place;
    const open = legal(place);
    const alive = this.hasAttribute("interactive");
    const focused = /** @type {HTMLElement | null} */ (this.#root.activeElement)?.dataset.key;
    const count = (/** @type {string} */ disc) => [...cells].filter((mark) => mark === disc).length;
    const side = open.length ? `${turn === BLACK ? "Black" : "White"} to move` : "the game is over";
    const summary = `${count(BLACK)}–${count(WHITE)}, ${side}`;
    const board = document.createElement("div");
    board.className = "board";
    board.style.setProperty("--n", String(size));
    board.setAttribute("role", alive ? "group" : "img");
    if (alive) {
      board.tabIndex = 0;
      board.dataset.key = "board";
    }
    board.setAttribute("aria-label", `Othello board after ${this.#ply} moves: Black ${count(BLACK)}, White ${count(WHITE)}, ${side}`);
    board.append(...[...cells].map((mark, at) => this.#square(mark, at, alive && open.includes(at))));
    const node = this.#nodes[this.#ply];
    if (node?.drawn.length) {
      board.append(drawing(node.drawn, size));
      board.setAttribute("aria-description", node.drawn.map((parts) => parts.join(" ")).join(", "));
    }
    this.#root.replaceChildren(board, ...(alive ? [this.#bar(summary)] : []), ...(node ? this.#words(node, alive) : []));
    if (focused) /** @type {HTMLElement | null} */ (this.#root.querySelector(`[data-key="${focused}"]`))?.focus();
  }

  /** @param {string} mark @param {number} at @param {boolean} legal */
  #square(mark, at, legal) {
    const square = document.createElement(legal ? "button" : "div");
    square.className = "square";
    if (mark === BLACK) square.classList.add("disc", "black");
    if (mark === WHITE) square.classList.add("disc", "white");
    if (this.#ply && this.#line[this.#ply - 1] === at) square.classList.add("last");
    if (legal) {
      square.classList.add("legal");
      square.dataset.key = squareName(at, this.#places[0].size);
      square.setAttribute("aria-label", `${square.dataset.key}, legal`);
      square.addEventListener("click", () => this.#place(at));
    }
    return square;
  }

  /** What is said about a node, and which other ways lead on. @param {Node} node @param {boolean} alive */
  #words(node, alive) {
    const comment = document.createElement("p");
    comment.className = "comment";
    comment.setAttribute("role", "status");
    comment.textContent = node.comment;
    if (!alive || node.next.length < 2) return [comment];
    const others = document.createElement("div");
    others.className = "others";
    others.setAttribute("role", "group");
    others.setAttribute("aria-label", "Variations");
    for (const next of node.next) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.key = `to ${next.at}`;
      button.textContent = squareName(next.at ?? 0, this.#places[0].size);
      button.addEventListener("click", () => this.#branch(next));
      others.append(button);
    }
    return [others, comment];
  }

  /** @param {string} summary */
  #bar(summary) {
    const bar = document.createElement("div");
    bar.className = "bar";
    for (const [key, sign, label, to] of /** @type {[string, string, string, number][]} */ ([
      ["first", "«", "To the start", 0],
      ["back", "‹", "One move back", this.#ply - 1],
      ["on", "›", "One move on", this.#ply + 1],
      ["end", "»", "To the end", this.#line.length],
    ])) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.key = key;
      button.textContent = sign;
      button.setAttribute("aria-label", label);
      // Not disabled: who has come here by keyboard stays here.
      button.setAttribute("aria-disabled", String(to < 0 || to > this.#line.length || to === this.#ply));
      button.addEventListener("click", () => this.#show(to));
      bar.append(button);
    }
    const said = document.createElement("output");
    said.textContent = `${this.#ply}/${this.#line.length} · ${summary}`;
    bar.append(said);
    return bar;
  }
}

globalThis.customElements?.get("emilia-board") ?? globalThis.customElements?.define("emilia-board", EmiliaBoard);
