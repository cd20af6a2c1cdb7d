/** What reaches a view from outside its own buttons: keys, dropped files, pasted text. */

/**
 * @param {{keys: Record<string, () => void>, read: (what: string | File[]) => void}} on
 * @returns {() => void} stops listening
 */
export function fromOutside(on) {
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog")) return;
    const act = on.keys[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  };
  /** @param {DragEvent} event */
  const drop = (event) => {
    event.preventDefault();
    const files = event.type === "drop" ? [...(event.dataTransfer?.files ?? [])] : [];
    if (files.length) on.read(files);
  };
  /** @param {ClipboardEvent} event */
  const paste = (event) => {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (text) on.read(text);
  };
  document.addEventListener("keydown", key);
  document.addEventListener("dragover", drop);
  document.addEventListener("drop", drop);
  document.addEventListener("paste", paste);
  return () => {
    document.removeEventListener("keydown", key);
    document.removeEventListener("dragover", drop);
    document.removeEventListener("drop", drop);
    document.removeEventListener("paste", paste);
  };
}
