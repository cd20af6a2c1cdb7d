/** The engine beside a board on which something is asked: it keeps quiet until the answer is known. */

/** @import {Board, BoardState} from "./board.js" */
/** @import {Position} from "./types.js" */
import { fold } from "./dom.js";
import { EnginePanel } from "./engine-panel.js";
import { t } from "./i18n.js";
import { lineState } from "./line.js";

export class EngineAside {
  /** @param {Board} board @param {() => void} draw draws the board, and nothing else */
  constructor(board, draw) {
    this.draw = draw;
    /** @type {Position | null} what it looks at */
    this.position = null;
    /** @type {Partial<BoardState>} a line that is pointed at */
    this.line = {};
    this.panel = new EnginePanel({ draw, preview: (line) => this.#preview(line), play: () => undefined });
    this.element = fold("train-engine", t("ana.engine"), false, this.panel.button, this.panel.element);
    board.element.append(this.panel.bar.element);
  }

  close() {
    this.panel.close();
  }

  /** Looks at a position whose answer is known, or at none. @param {Position | null | undefined} position */
  look(position) {
    this.position = position?.status === "to_place" ? position : null;
    this.line = {};
    this.panel.look(this.position ? { position: this.position.board } : null);
  }

  /** What it puts on the board. @returns {Partial<BoardState>} */
  state() {
    return { ...this.panel.state(), ...this.line };
  }

  /** Shows a line, or none. @param {string[] | null} line */
  #preview(line) {
    this.line = line && this.position?.turn ? lineState(line, this.position.turn) : {};
    this.draw();
  }
}
