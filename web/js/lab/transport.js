/** Playing a search like a film: on, back, step by step, as fast as one likes. Knows nothing but a number of steps. */

import { h, select, setText } from "../dom.js";
import { number } from "../i18n.js";
import { say } from "./texts.js";

/** Steps a second. */
const SPEEDS = [0.5, 1, 2, 4, 8, 16, 60, 600];

export class Transport {
  /**
   * @param {{onstep: (step: number) => void, onplay: (playing: boolean) => void, mayGo: (from: number) => boolean,
   *   nextCut: (from: number) => number, speed: number}} on `mayGo` is asked before each step forward
   */
  constructor(on) {
    this.on = on;
    this.step = 0;
    this.length = 0;
    this.speed = SPEEDS.includes(on.speed) ? on.speed : 2;
    this.playing = false;
    this.frame = 0;
    this.due = 0;
    /** @param {string} sign @param {import("./texts.js").LabKey} key @param {() => void} act */
    const button = (sign, key, act) => h("button", { type: "button", class: "icon", "aria-label": say(key), title: say(key), onclick: act }, sign);
    this.play = h("button", { type: "button", class: "primary play", onclick: () => this.toggle() });
    this.first = button("|◀", "to.first", () => this.go(0));
    this.back = button("◀", "to.back", () => this.go(this.step - 1));
    this.next = button("▶", "to.next", () => this.forward(this.step + 1));
    this.cut = button("▶✂", "to.cut", () => this.forward(this.on.nextCut(this.step)));
    this.last = button("▶|", "to.last", () => this.go(this.length));
    this.slider = h("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": say("step"), oninput: () => this.go(Number(this.slider.value)) });
    this.count = h("span", { class: "step-count" });
    const speeds = select({
      label: say("speed"),
      value: String(this.speed),
      options: SPEEDS.map((speed) => [String(speed), say("speed.n", { n: number(speed) })]),
      onchange: (value) => {
        this.speed = Number(value);
        this.on.onstep(this.step);
      },
    });
    this.element = h(
      "div",
      { class: "transport", role: "group", "aria-label": say("transport") },
      h("div", { class: "row" }, this.first, this.back, this.play, this.next, this.cut, this.last),
      this.count,
      speeds,
      this.slider,
    );
    this.draw();
  }

  /** Another search, or others. @param {number} length @param {number} step */
  load(length, step) {
    this.length = length;
    this.step = Math.max(0, Math.min(step, length));
    this.draw();
  }

  /** Goes to a step at once, forwards or backwards. @param {number} step */
  go(step) {
    this.pause();
    this.#to(step);
  }

  /** Goes forward, unless something has to be answered first. @param {number} step */
  forward(step) {
    this.pause();
    if (this.on.mayGo(this.step)) this.#to(step);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.begin();
  }

  begin() {
    if (this.step >= this.length) this.#to(0);
    this.playing = true;
    this.due = performance.now();
    this.draw();
    this.on.onplay(true);
    this.frame = requestAnimationFrame((now) => this.#tick(now));
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.frame);
    this.draw();
    this.on.onplay(false);
  }

  /** @param {number} now */
  #tick(now) {
    const pause = 1000 / this.speed;
    let step = this.step;
    // After a long pause of the page itself it goes on, and does not catch up.
    if (now - this.due > 500 + pause) this.due = now - pause;
    while (this.due + pause <= now && step < this.length) {
      if (!this.on.mayGo(step)) {
        if (step !== this.step) this.#to(step);
        this.pause();
        return;
      }
      step++;
      this.due += pause;
    }
    if (step !== this.step) this.#to(step);
    if (step >= this.length) this.pause();
    else this.frame = requestAnimationFrame((then) => this.#tick(then));
  }

  /** @param {number} step */
  #to(step) {
    this.step = Math.max(0, Math.min(step, this.length));
    this.draw();
    this.on.onstep(this.step);
  }

  draw() {
    const { step, length } = this;
    setText(this.play, say(this.playing ? "pause" : "play"));
    this.slider.max = String(length);
    this.slider.value = String(step);
    setText(this.count, say("step.of", { n: number(step), all: number(length) }));
    this.slider.setAttribute("aria-valuetext", this.count.textContent ?? "");
    this.play.disabled = length === 0;
    for (const button of [this.first, this.back]) button.disabled = step === 0;
    for (const button of [this.next, this.cut, this.last]) button.disabled = step >= length;
  }
}
