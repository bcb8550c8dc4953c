import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import type { Dispatcher, Response } from "undici";
import { binaryKindOf } from "./file-kind.js";
import { htmlToMarkdown } from "./html-markdown.js";
import type { HttpTargets } from "./http-target.js";
import { answer } from "./tool-answer.js";
import { ToolRefusalError } from "./tool-errors.js";

const DEFAULT_MAX_CHARS = 50_000;
const MAX_CHARS = 100_000;
const MAX_RESPONSE_BYTES = 5_000_000;
const MAX_REDIRECTS = 3;
const DEFAULT_TIMEOUT_MS = 30_000;

const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"]);
const TEXT_TYPE =
  /^text\/|[/+](?:json|xml|yaml|x-yaml|x-ndjson|ndjson|javascript|ecmascript|toml|sql|graphql|x-sh|rtf)$/;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What {@link createWebFetchTool} needs. */
export interface WebFetchToolOptions {
  readonly targets: HttpTargets;
  /** For the whole call with its redirects, in milliseconds; 30 000 when absent. */
  readonly timeoutMs?: number;
}

/** What was fetched, for clients. */
export interface WebFetchDetails {
  /** After redirects. */
  url: string;
  status: number;
  contentType: string;
  /** True when there is more text than `maxChars`. */
  cut: boolean;
}

/**
 * The `web_fetch` tool: GETs a page and gives it as Markdown, other text as it is (TURN-062).
 * @param options - where it may go
 */
export function createWebFetchTool({
  targets,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: WebFetchToolOptions) {
  return defineTool({
    name: "web_fetch",
    label: "Fetch web page",
    description:
      "Fetch a public https page with GET. HTML comes back as Markdown, other text as it is; images and other binary data are refused. At most 5 MB.",
    parameters: Type.Object(
      {
        url: Type.String({ minLength: 1, description: "The https URL." }),
        maxChars: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_CHARS,
            description: "Most characters to return. Default 50000.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { url, maxChars = DEFAULT_MAX_CHARS }, signal) =>
      answer(`fetch ${url}`, async () => {
        signal.throwIfAborted();
        const first = targets.check(url);
        const timeout = AbortSignal.timeout(timeoutMs);
        const dispatcher = await targets.dispatcher();
        try {
          const request = { targets, dispatcher, signal: AbortSignal.any([signal, timeout]) };
          const response = await followRedirects(first, request);
          return resultOf(response, await readPage(response, maxChars, request.signal));
        } catch (error) {
          signal.throwIfAborted();
          throw failure(url, error, timeout.aborted ? timeoutMs : undefined);
        } finally {
          await dispatcher.destroy();
        }
      }),
  });
}

interface PageRequest {
  readonly targets: HttpTargets;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

async function followRedirects(
  first: URL,
  { targets, dispatcher, signal }: PageRequest,
): Promise<Response> {
  const { fetch } = await import("undici");
  let target = first;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(target, {
      dispatcher,
      signal,
      redirect: "manual",
      headers: {
        accept: "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.9, */*;q=0.5",
        "user-agent": "openclaw-web-fetch",
      },
    });
    const location = response.headers.get("location");
    if (!REDIRECTS.has(response.status) || location === null) {
      if (response.ok) return response;
      throw new ToolRefusalError(
        "request-failed",
        `${target.href} answered ${response.status} ${response.statusText}. Check the URL, or try another page.`,
      );
    }
    await response.body?.cancel();
    if (redirects === MAX_REDIRECTS) {
      throw new ToolRefusalError(
        "request-failed",
        `${first.href} redirects more than ${MAX_REDIRECTS} times, the last time to ${location}. Fetch that address if it is the page you want.`,
      );
    }
    target = targets.check(location, target);
  }
}

interface Page {
  readonly text: string;
  readonly contentType: string;
  readonly cut: boolean;
}

async function readPage(response: Response, maxChars: number, signal: AbortSignal): Promise<Page> {
  const header = response.headers.get("content-type") ?? "";
  const contentType = header.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isText = contentType === "" || HTML_TYPES.has(contentType) || TEXT_TYPE.test(contentType);
  if (!isText) throw unshowable(response.url, contentType);
  const bytes = await readBody(response);
  const isHtml = HTML_TYPES.has(contentType) || (contentType === "" && looksLikeHtml(bytes));
  const source = decode(bytes, charsetOf(header) ?? (isHtml ? charsetOfMeta(bytes) : undefined));
  if (source.includes("\0")) throw unshowable(response.url, binaryKindOf(bytes) ?? "binary data");
  const { text } = isHtml
    ? await htmlToMarkdown(source, { baseUrl: response.url, maxChars, signal })
    : { text: source };
  const cut = text.length > maxChars;
  return { text: cut ? withoutHalfCharacter(text.slice(0, maxChars)) : text, contentType, cut };
}

async function readBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) {
      throw new ToolRefusalError(
        "too-large",
        `${response.url} is larger than ${MAX_RESPONSE_BYTES} bytes, the most that is fetched. Look for a smaller page, or a part of it.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
}

/** Pages may name their encoding in the first 1024 bytes instead of the header. */
function charsetOfMeta(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 1024);
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1];
}

function decode(bytes: Uint8Array, charset = "utf-8"): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // An encoding that does not exist: most such pages are UTF-8 after all.
    return new TextDecoder("utf-8").decode(bytes);
  }
}

function looksLikeHtml(bytes: Buffer): boolean {
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(bytes.toString("latin1", 0, 512));
}

function unshowable(url: string, kind: string): ToolRefusalError {
  return new ToolRefusalError(
    "unreadable",
    `${url} is ${kind}, which web_fetch cannot show as text. Look for a page or text version of it.`,
  );
}

function resultOf(
  { url, status }: Response,
  { text, contentType, cut }: Page,
): ToolResult<WebFetchDetails> {
  const notices = [`${url} answered ${status} with ${contentType || "no content type"}.`];
  if (text === "") notices.push("It has no text.");
  if (cut) {
    notices.push(
      `Cut after ${text.length} characters; give a larger maxChars (up to ${MAX_CHARS}) for more.`,
    );
  }
  const content: ToolResult["content"] = [{ type: "text", text: `[${notices.join(" ")}]` }];
  if (text !== "") content.unshift({ type: "text", text });
  return { content, details: { url, status, contentType, cut } };
}

/** A cut may leave the first half of a surrogate pair. */
function withoutHalfCharacter(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}

/** What to throw for an error of the request: the refusal at its root, or a sentence about it. */
function failure(url: string, error: unknown, timedOutAfter: number | undefined): unknown {
  if (timedOutAfter !== undefined) {
    return new ToolRefusalError(
      "request-failed",
      `${url} did not answer completely within ${timedOutAfter} ms. Try again later, or another page.`,
      { cause: error },
    );
  }
  const root = rootOf(error);
  if (ToolRefusalError.isInstance(root)) return root;
  // undici reports everything that goes wrong on the wire as a TypeError with a cause.
  if (!(error instanceof TypeError) || root === error) return error;
  return new ToolRefusalError(
    "request-failed",
    `${url} could not be fetched: ${root instanceof Error ? root.message : String(root)}. Check the URL, or try another page.`,
    { cause: error },
  );
}

function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error) {
    const next = root instanceof AggregateError ? root.errors[0] : root.cause;
    if (next === undefined) return root;
    root = next;
  }
  return root;
}
