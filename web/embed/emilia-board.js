/**
 * `<emilia-board>`: an Othello board for any page, in one file that needs nothing else. docs/embed.md describes it.
 *
 *     <script type="module" src="emilia-board.js"></script>
 *     <emilia-board moves="f5d6c3d3c4" ply="3" interactive></emilia-board>
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
const name = (at, size) => `${String.fromCharCode(97 + (at % size))}${Math.floor(at / size) + 1}`;

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
.fault { margin: 0; padding: 0.5rem 0.75rem; border: 1px solid #a8261c; border-radius: 4px; }
`;

class EmiliaBoard extends (globalThis.HTMLElement ?? class {}) {
  static observedAttributes = ["position", "moves", "ply", "size", "interactive"];

  /** @type {ShadowRoot} */
  #root;
  /** @type {number[]} the moves, as squares */
  #line = [];
  #ply = 0;
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
    return this.#line.map((at) => name(at, this.#places[0].size)).join("");
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
    const moves = [...this.#line.slice(0, this.#ply), at];
    this.#take(this.#places[0], moves, moves.length);
    const move = name(at, this.#places[0].size);
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
    this.#root.replaceChildren(board, ...(alive ? [this.#bar(summary)] : []));
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
      square.dataset.key = name(at, this.#places[0].size);
      square.setAttribute("aria-label", `${square.dataset.key}, legal`);
      square.addEventListener("click", () => this.#place(at));
    }
    return square;
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
