/** Making elements. No markup is ever parsed from text, so nothing that people type can become a script. */

import { keep, recall } from "./kept.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, unknown>} Props
 */

/**
 * An element with properties (`onclick`, `class`, `data-x`, `aria-y` …) and children; empty children are left out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  dress(element, props);
  put(element, children);
  return element;
}

/**
 * The same for drawings.
 * @param {string} tag
 * @param {Props | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function s(tag, props, ...children) {
  const element = document.createElementNS(SVG, tag);
  dress(element, props);
  put(element, children);
  return element;
}

/**
 * @param {HTMLElement | SVGElement} element
 * @param {Props | null} [props]
 */
function dress(element, props) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === "value" && "value" in element) {
      /** @type {HTMLInputElement} */ (element).value = String(value);
    } else if (name.startsWith("--")) {
      element.style.setProperty(name, String(value));
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  put(element, children);
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
function put(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Replaces what is shown only where it differs: a button that reads the same does the same and stays, with the keyboard
 * on it and under the finger that presses it.
 * @param {HTMLElement} place
 * @param {Child[]} children
 */
export function redraw(place, children) {
  const made = h("div");
  fill(made, children);
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  adopt(place, made);
  if (!focused || focused.isConnected) return;
  // A button that reads otherwise now, such as one that shows and hides, is known by its id.
  const isSame = (/** @type {Element} */ button) => (focused.id ? button.id === focused.id : button.textContent === focused.textContent);
  [...place.querySelectorAll("button")].find((button) => isSame(button) && !button.disabled)?.focus();
}

/** Makes the children of an element like those of another, and keeps those that are. @param {Element} place @param {Element} made */
function adopt(place, made) {
  const old = [...place.childNodes];
  const fresh = [...made.childNodes];
  fresh.forEach((node, at) => {
    const now = old[at];
    if (!now) place.append(node);
    else if (now.isEqualNode(node)) return;
    else if (now instanceof Element && node instanceof Element && isFrame(now, node)) adopt(now, node);
    else now.replaceWith(node);
  });
  for (const gone of old.slice(fresh.length)) gone.remove();
}

/** Whether only what is inside differs, and is not what one presses. @param {Element} now @param {Element} made */
const isFrame = (now, made) => made.firstElementChild !== null && !made.matches("a, button, label") && now.cloneNode().isEqualNode(made.cloneNode());

/**
 * Changes a text only if it is another one, so that screen readers are not told twice.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A choice from a list.
 * @param {{label: string, value: string, options: [string, string][], onchange?: (value: string) => void, id?: string}} wanted
 */
export function select({ label, value, options, onchange, id = freshId() }) {
  const list = h(
    "select",
    { id, onchange: () => onchange?.(list.value) },
    options.map(([v, text]) => h("option", { value: v }, text)),
  );
  list.value = value;
  return h("div", { class: "field" }, h("label", { for: id }, label), list);
}

let ids = 0;

/** An id that no other element has. */
export const freshId = () => `e${++ids}`;

/**
 * A line of text to fill in.
 * @param {{label: string, value?: string, onchange?: (value: string) => void} & Props} wanted
 */
export function field({ label, value, onchange, ...rest }) {
  const id = freshId();
  const input = h("input", { id, value: value ?? "", ...rest, oninput: () => onchange?.(input.value) });
  return h("div", { class: "field" }, h("label", { for: id }, label), input);
}

/**
 * A box to tick.
 * @param {{label: string, checked: boolean, onchange: (checked: boolean) => void}} wanted
 */
export function tick({ label, checked, onchange }) {
  const box = h("input", { type: "checkbox", onchange: () => onchange(box.checked) });
  box.checked = checked;
  return h("label", { class: "tick" }, box, label);
}

/**
 * A panel that folds, and stays as the user left it; what the page opens by itself is not remembered.
 * @param {string} name what it is remembered by
 * @param {string} title
 * @param {boolean} open whether it is open at first
 * @param {...(Child | Child[])} children
 */
export function fold(name, title, open, ...children) {
  const key = `emilia.fold.${name}`;
  const kept = recall(key);
  // The click comes before the panel opens or shuts, from the keyboard too.
  const choose = () => keep(key, panel.open ? "shut" : "open");
  const panel = h("details", { class: "fold" }, h("summary", { onclick: choose }, title), h("div", { class: "stack" }, ...children));
  panel.open = kept === null ? open : kept === "open";
  return panel;
}

/**
 * Hands a file to the user.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
