/** What the page uses of gifenc. */

export type FrameOptions = {
  /** Colours as red, green and blue; needed for the first frame, which the others share it with. */
  palette?: number[][];
  /** Bits of a pixel. */
  colorDepth?: number;
  /** Milliseconds. */
  delay?: number;
};

export function GIFEncoder(): {
  /** @param index the place of each pixel's colour in the palette */
  writeFrame(index: Uint8Array, width: number, height: number, options?: FrameOptions): void;
  finish(): void;
  bytes(): Uint8Array<ArrayBuffer>;
};
