import { characterStart } from "@openclaw/foundation";
import { type CodeFence, fenceAfter, withShortFences } from "./code-fence.js";

/** Smallest part of a chunk that is left for text; below it, fences are not repeated. */
const LEAST_ROOM = 16;
/** Longest opening line of a fence that is repeated in each chunk, in characters. */
const LONGEST_OPENING = 200;

/**
 * Divides a text into chunks that fit a surface, at the last break between paragraphs, lines or words that
 * fits. A longer word is cut, but never within a character. A chunk that ends in a code fence closes it, and the
 * next one opens it again (CHAN-016).
 * @param text - text to divide
 * @param limit - maximum UTF-16 code units of a chunk, at least 2; undefined for no limit
 */
export function textChunks(text: string, limit: number | undefined): readonly string[] {
  if (limit === undefined || text.length <= limit) return [text];
  const chunks: string[] = [];
  let rest = withShortFences(text, Math.min(LONGEST_OPENING, Math.floor(limit / 4)));
  let fence: CodeFence | undefined;
  for (;;) {
    const head = fence === undefined ? "" : `${fence.opening}\n`;
    if (head.length + rest.length <= limit) {
      return [...chunks, head + rest].filter((chunk) => chunk !== "");
    }
    const next = nextChunk(rest, limit, fence);
    chunks.push(next.chunk);
    rest = next.rest;
    fence = next.fence;
  }
}

interface NextChunk {
  readonly chunk: string;
  readonly rest: string;
  /** Fence that is open at the begin of the rest. */
  readonly fence: CodeFence | undefined;
}

function nextChunk(text: string, limit: number, fence: CodeFence | undefined): NextChunk {
  const head = fence === undefined ? "" : `${fence.opening}\n`;
  let room = limit - head.length;
  while (room >= LEAST_ROOM) {
    const { body, rest } = divide(text, room, fence);
    const open = fenceAfter(body, fence);
    const tail = open === undefined ? "" : `\n${open.marker}`;
    const chunk = head + body + tail;
    if (chunk.length <= limit) return { chunk, rest, fence: open };
    room -= chunk.length - limit;
  }
  const { body, rest } = divide(text, limit, undefined);
  return { chunk: body, rest, fence: undefined };
}

function divide(
  text: string,
  room: number,
  fence: CodeFence | undefined,
): { readonly body: string; readonly rest: string } {
  const end = beforeFence(text, lastBreak(text, room, openingLength(text, fence)), fence);
  const isCode = fenceAfter(text.slice(0, end), fence) !== undefined;
  const body = text.slice(0, end).trimEnd();
  const rest = text.slice(end);
  // The indentation of code is content.
  return { body, rest: isCode ? rest.replace(/^\n/, "") : rest.trimStart() };
}

/** Moves a break that directly follows the line of an opening fence before that line. */
function beforeFence(text: string, end: number, fence: CodeFence | undefined): number {
  const line = text.lastIndexOf("\n", end - 1) + 1;
  if (line === 0 || text.slice(0, line).trim() === "") return end;
  const isOpening =
    fenceAfter(text.slice(0, line), fence) === undefined &&
    fenceAfter(text.slice(0, end), fence) !== undefined;
  return isOpening ? line : end;
}

/** Returns the length of the opening line of a fence with which a text begins; a part with it alone would be empty. */
function openingLength(text: string, fence: CodeFence | undefined): number {
  if (fence !== undefined) return 0;
  const line = text.slice(0, text.indexOf("\n") + 1);
  return fenceAfter(line.trimEnd(), undefined) === undefined ? 0 : line.length;
}

function lastBreak(text: string, limit: number, from: number): number {
  const head = text.slice(0, limit + 1);
  for (const mark of ["\n\n", "\n", " "]) {
    const at = head.lastIndexOf(mark);
    if (at > from && text.slice(from, at).trim() !== "") return at;
  }
  return characterStart(text, limit);
}
