/**
 * QR codes (ISO/IEC 18004): bytes, error correction level L, versions 1 to 10, which is enough for 271 characters.
 */

import { s } from "./dom.js";

/** Error correction codewords of each block, by version. */
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18];
/** Blocks, by version. */
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4];

/**
 * The drawing of a text, or nothing if it is too long.
 * @param {string} text
 * @param {string} label
 */
export function qrCode(text, label) {
  const modules = qrModules(text);
  if (!modules) return null;
  const n = modules.length;
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return s("svg", { class: "qr", viewBox: `-2 -2 ${n + 4} ${n + 4}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    s("path", { d: path, fill: "#000" }));
}

/** @param {string} text @returns {boolean[][] | null} rows of dark modules */
export function qrModules(text) {
  const bytes = new TextEncoder().encode(text);
  for (let version = 1; version <= CORRECTION.length; version++) {
    const room = capacity(version) - CORRECTION[version - 1] * BLOCKS[version - 1];
    const head = version < 10 ? 12 : 20;
    if (bytes.length * 8 + head <= room * 8) return draw(version, interleave(version, pack(bytes, version, room)));
  }
  return null;
}

/** Codewords of a version altogether. @param {number} version */
function capacity(version) {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const aligned = Math.floor(version / 7) + 2;
    modules -= (25 * aligned - 10) * aligned - 55;
    if (version >= 7) modules -= 36;
  }
  return Math.floor(modules / 8);
}

/**
 * Mode, length, bytes, padding.
 * @param {Uint8Array} bytes
 * @param {number} version
 * @param {number} room
 */
function pack(bytes, version, room) {
  /** @type {number[]} */
  const bits = [];
  /** @param {number} value @param {number} length */
  const add = (value, length) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  add(4, 4);
  add(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) add(byte, 8);
  add(0, Math.min(4, room * 8 - bits.length));
  add(0, (8 - (bits.length % 8)) % 8);
  const words = [];
  for (let i = 0; i < bits.length; i += 8) words.push(Number.parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

/**
 * Splits into blocks, adds the correction of each, and mixes them.
 * @param {number} version
 * @param {number[]} words
 */
function interleave(version, words) {
  const count = BLOCKS[version - 1];
  const correction = CORRECTION[version - 1];
  const short = Math.floor(words.length / count);
  const longer = words.length % count;
  const divisor = generator(correction);
  const data = [];
  for (let i = 0, from = 0; i < count; i++) {
    const length = short + (i >= count - longer ? 1 : 0);
    data.push(words.slice(from, from + length));
    from += length;
  }
  const checks = data.map((block) => remainder(block, divisor));
  const mixed = [];
  for (let i = 0; i <= short; i++) for (const block of data) if (i < block.length) mixed.push(block[i]);
  for (let i = 0; i < correction; i++) for (const block of checks) mixed.push(block[i]);
  return mixed;
}

/** Product in the field of 256 elements with x⁸+x⁴+x³+x²+1. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

/** @param {number} degree */
function generator(degree) {
  const poly = Array(degree).fill(0);
  poly[degree - 1] = 1;
  let root = 1;
  for (let i = 0; i < degree; i++) {
    for (let j = 0; j < degree; j++) poly[j] = times(poly[j], root) ^ (poly[j + 1] ?? 0);
    root = times(root, 2);
  }
  return poly;
}

/** @param {number[]} block @param {number[]} divisor */
function remainder(block, divisor) {
  const rest = Array(divisor.length).fill(0);
  for (const word of block) {
    const factor = word ^ rest.shift();
    rest.push(0);
    divisor.forEach((coefficient, i) => (rest[i] ^= times(coefficient, factor)));
  }
  return rest;
}

/**
 * Places everything, with the mask that makes the calmest picture.
 * @param {number} version
 * @param {number[]} words
 */
function draw(version, words) {
  const n = version * 4 + 17;
  const dark = Array.from({ length: n }, () => Array(n).fill(false));
  const fixed = Array.from({ length: n }, () => Array(n).fill(false));
  /** @param {number} x @param {number} y @param {boolean} value */
  const set = (x, y, value) => {
    if (x < 0 || y < 0 || x >= n || y >= n) return;
    dark[y][x] = value;
    fixed[y][x] = true;
  };
  for (let i = 0; i < n; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [[3, 3], [n - 4, 3], [3, n - 4]]) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
    }
  }
  const spots = alignment(version);
  const end = spots.length - 1;
  spots.forEach((cy, i) => spots.forEach((cx, j) => {
    if ((i === 0 && j === 0) || (i === 0 && j === end) || (i === end && j === 0)) return;
    for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
  }));
  format(set, n, 0);
  if (version >= 7) {
    let rest = version;
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const [a, b] = [n - 11 + (i % 3), Math.floor(i / 3)];
      set(a, b, ((bits >> i) & 1) === 1);
      set(b, a, ((bits >> i) & 1) === 1);
    }
  }
  let at = 0;
  for (let right = n - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < n; step++) {
      const y = ((right + 1) & 2) === 0 ? n - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (fixed[y][x] || at >= words.length * 8) continue;
        dark[y][x] = ((words[at >> 3] >> (7 - (at & 7))) & 1) === 1;
        at++;
      }
    }
  }
  let best = dark;
  let least = Infinity;
  for (let mask = 0; mask < 8; mask++) {
    const tried = dark.map((row, y) => row.map((value, x) => (fixed[y][x] ? value : value !== MASKS[mask](x, y))));
    format((x, y, value) => (tried[y][x] = value), n, mask);
    const cost = penalty(tried);
    if (cost < least) [best, least] = [tried, cost];
  }
  return best;
}

/** @type {((x: number, y: number) => boolean)[]} */
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** @param {number} version */
function alignment(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const n = version * 4 + 17;
  const step = Math.ceil((n - 13) / (count * 2 - 2)) * 2;
  const spots = [6];
  for (let i = count - 2; i >= 0; i--) spots.push(n - 7 - i * step);
  return spots;
}

/**
 * Level and mask, twice.
 * @param {(x: number, y: number, value: boolean) => void} set
 * @param {number} n
 * @param {number} mask
 */
function format(set, n, mask) {
  const level = 1;
  let rest = (level << 3) | mask;
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((((level << 3) | mask) << 10) | rest) ^ 0x5412;
  /** @param {number} i */
  const bit = (i) => ((bits >> i) & 1) === 1;
  for (let i = 0; i <= 5; i++) set(8, i, bit(i));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i));
  for (let i = 0; i < 8; i++) set(n - 1 - i, 8, bit(i));
  for (let i = 8; i < 15; i++) set(8, n - 15 + i, bit(i));
  set(8, n - 8, true);
}

/** How restless a picture is: long runs, blocks, look-alikes of the corners, uneven darkness. @param {boolean[][]} modules */
function penalty(modules) {
  const n = modules.length;
  const columns = modules.map((_, x) => modules.map((row) => row[x]));
  let cost = 0;
  for (const lines of [modules, columns]) {
    for (const line of lines) {
      const text = line.map((dark) => (dark ? "1" : "0")).join("");
      for (const run of text.match(/0{5,}|1{5,}/g) ?? []) cost += run.length - 2;
      for (const pattern of [/(?=10111010000)/g, /(?=00001011101)/g]) cost += 40 * (text.match(pattern)?.length ?? 0);
    }
  }
  let dark = 0;
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      dark += modules[y][x] ? 1 : 0;
      if (x && y && modules[y][x] === modules[y - 1][x] && modules[y][x] === modules[y][x - 1] && modules[y][x] === modules[y - 1][x - 1]) cost += 3;
    }
  }
  return cost + 10 * Math.floor(Math.abs((dark * 20) / (n * n) - 10));
}
