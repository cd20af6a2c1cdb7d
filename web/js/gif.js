/** Animated GIF89a pictures with a small palette: enough for a board, and no library. */

/** Colours of the palette, a power of two. */
const COLORS = 16;
const BITS = 4;

/**
 * @typedef {object} Film
 * @property {number} width
 * @property {number} height
 * @property {[number, number, number][]} palette at most 16 colours
 * @property {{pixels: Uint8Array, delay: number}[]} frames indices into the palette; delays in hundredths of a second
 */

/** @param {Film} film @returns {Blob} */
export function gif({ width, height, palette, frames }) {
  /** @type {BlobPart[]} */
  const parts = [];
  const put = (/** @type {number[]} */ ...bytes) => parts.push(new Uint8Array(bytes));
  const word = (/** @type {number} */ value) => [value & 255, value >> 8];
  parts.push("GIF89a");
  put(...word(width), ...word(height), 0x80 | (BITS - 1), 0, 0);
  for (let i = 0; i < COLORS; i++) put(...(palette[i] ?? [0, 0, 0]));
  put(0x21, 0xff, 11);
  parts.push("NETSCAPE2.0");
  put(3, 1, 0, 0, 0);
  for (const { pixels, delay } of frames) {
    put(0x21, 0xf9, 4, 4, ...word(delay), 0, 0);
    put(0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0);
    put(BITS);
    parts.push(...blocks(compress(pixels)));
    put(0);
  }
  put(0x3b);
  return new Blob(parts, { type: "image/gif" });
}

/** LZW as GIF has it: codes grow from 5 to 12 bits, then the table starts anew. @param {Uint8Array} pixels */
export function compress(pixels) {
  const clear = COLORS;
  const end = COLORS + 1;
  /** @type {number[]} */
  const bytes = [];
  let held = 0;
  let count = 0;
  let width = BITS + 1;
  let next = end + 1;
  /** @type {Map<number, number>} from a known code and a colour to the code of both */
  let table = new Map();
  const emit = (/** @type {number} */ code) => {
    held |= code << count;
    count += width;
    while (count >= 8) {
      bytes.push(held & 255);
      held >>= 8;
      count -= 8;
    }
  };
  emit(clear);
  let prefix = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const key = (prefix << BITS) | pixels[i];
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    emit(prefix);
    if (next < 4096) {
      table.set(key, next);
      if (next === 1 << width) width++;
      next++;
    } else {
      emit(clear);
      table = new Map();
      width = BITS + 1;
      next = end + 1;
    }
    prefix = pixels[i];
  }
  emit(prefix);
  emit(end);
  if (count > 0) bytes.push(held & 255);
  return bytes;
}

/** Data in GIF's blocks of up to 255 bytes. @param {number[]} bytes @returns {Uint8Array<ArrayBuffer>[]} */
function blocks(bytes) {
  const made = [];
  for (let i = 0; i < bytes.length; i += 255) {
    const piece = bytes.slice(i, i + 255);
    made.push(new Uint8Array([piece.length, ...piece]));
  }
  return made;
}
