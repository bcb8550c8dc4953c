import { ReadableStream } from "node:stream/web";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Small enough that converting one slice of an ordinary page takes a few milliseconds. */
const SLICE_CHARS = 32 * 1024;

/** Options of the conversion of a page to Markdown. */
export interface MarkdownOptions {
  /** URL of the page, used to resolve relative links. */
  readonly baseUrl: string;
  /** Length of the requested Markdown, in UTF-16 code units. */
  readonly maxChars: number;
  /** Stops between two slices of the page. */
  readonly signal: AbortSignal;
}

/** The Markdown of a page, or its beginning. */
export interface Markdown {
  readonly text: string;
  /** False when `text` is `maxChars` long or longer and the rest of the page was not converted. */
  readonly complete: boolean;
}

/**
 * Converts an HTML page to Markdown, slice by slice, so that a large page does not block the event loop.
 * The converter is loaded on first use.
 * @param html - a page or a part of one, however malformed
 * @param options - base URL, length and signal
 * @throws the signal's reason when it aborts
 */
export async function htmlToMarkdown(html: string, options: MarkdownOptions): Promise<Markdown> {
  const { streamHtmlToMarkdown } = await import("@mdream/js");
  const slices = ReadableStream.from(slicesOf(html, options.signal));
  let text = "";
  for await (const part of streamHtmlToMarkdown(slices, { origin: options.baseUrl })) {
    text += part;
    if (text.length > options.maxChars) return { text, complete: false };
  }
  return { text, complete: true };
}

async function* slicesOf(html: string, signal: AbortSignal): AsyncGenerator<string> {
  for (let at = 0; at < html.length; at += SLICE_CHARS) {
    yield html.slice(at, at + SLICE_CHARS);
    await nextTurn();
    signal.throwIfAborted();
  }
}
