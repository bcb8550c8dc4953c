import type { FileHandle } from "node:fs/promises";

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Range of lines of a file. */
export interface LineRange {
  /** Number of the first line, from 1. */
  readonly first: number;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** Some neighbouring lines of a file, as bytes. */
export interface LineWindow {
  /** The lines with their line ends. */
  readonly bytes: Buffer;
  /** Number of lines in `bytes`. */
  readonly lines: number;
  /** Number of lines before the first requested one; all lines of the file when it ends earlier. */
  readonly linesBefore: number;
  /** True when nothing follows in the file. */
  readonly reachedEnd: boolean;
  /** True when the only line was longer than `maxBytes` and `bytes` holds its beginning. */
  readonly cutLine: boolean;
}

/**
 * Reads a range of lines without holding the rest of the file in memory. Lines are kept whole,
 * unless the first one alone exceeds `maxBytes`.
 * @param handle - an open file
 * @param range - requested lines
 */
export async function readLineWindow(
  handle: FileHandle,
  { first, maxLines, maxBytes }: LineRange,
): Promise<LineWindow> {
  const { position, linesBefore } = await seekLine(handle, first);
  const following = await readAt(handle, position, maxBytes + 1);
  const hasRest = following.length > maxBytes;
  let lines = 0;
  let end = 0;
  while (lines < maxLines && end < maxBytes) {
    const newline = following.indexOf(NEWLINE, end);
    if (newline === -1 || newline >= maxBytes) break;
    lines += 1;
    end = newline + 1;
  }
  const lastLineIsOpen = !hasRest && end < following.length;
  if (lastLineIsOpen && lines < maxLines) {
    lines += 1;
    end = following.length;
  }
  const cutLine = hasRest && lines === 0;
  return {
    bytes: following.subarray(0, cutLine ? maxBytes : end),
    lines: cutLine ? 1 : lines,
    linesBefore,
    reachedEnd: end === following.length,
    cutLine,
  };
}

interface LinePosition {
  /** Offset of the line's first byte; of the end of the file when there is no such line. */
  readonly position: number;
  readonly linesBefore: number;
}

async function seekLine(handle: FileHandle, wanted: number): Promise<LinePosition> {
  let linesBefore = 0;
  let position = 0;
  let lineStart = 0;
  while (linesBefore < wanted - 1) {
    const chunk = await readAt(handle, position, CHUNK_BYTES);
    if (chunk.length === 0) {
      const lastLineIsOpen = lineStart < position;
      return { position, linesBefore: linesBefore + (lastLineIsOpen ? 1 : 0) };
    }
    let newline = chunk.indexOf(NEWLINE);
    while (newline !== -1 && linesBefore < wanted - 1) {
      linesBefore += 1;
      lineStart = position + newline + 1;
      newline = chunk.indexOf(NEWLINE, newline + 1);
    }
    position += chunk.length;
  }
  return { position: lineStart, linesBefore };
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
