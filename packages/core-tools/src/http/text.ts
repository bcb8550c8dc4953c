import { startOfText } from "@openclaw/foundation";
import { ToolRefusalError } from "../errors.js";
import { binaryKindOf } from "../files/content-type.js";
import type { HttpAnswer } from "./exchange.js";

const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"]);
const TEXT_TYPE =
  /^text\/|[/+](?:json|xml|yaml|x-yaml|x-ndjson|ndjson|javascript|ecmascript|toml|sql|graphql|x-sh|rtf|x-www-form-urlencoded)$/;
/** Below this many characters a value is too common to be taken out of an answer. */
const SHORTEST_SECRET = 8;

/** The text of an answer. */
export interface HttpText {
  readonly text: string;
  /** Without parameters, in lower case; empty when the answer did not say. */
  readonly contentType: string;
  readonly isHtml: boolean;
}

/**
 * Reads the body of an answer as text, without the credentials that were sent for it.
 * @param answer - complete
 * @throws ToolRefusalError with `unreadable`, naming what it is, when it is not text
 */
export function httpText({ url, headers, body, sent }: HttpAnswer): HttpText {
  const header = headers["content-type"] ?? "";
  const contentType = header.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isText = contentType === "" || HTML_TYPES.has(contentType) || TEXT_TYPE.test(contentType);
  if (!isText && body.length > 0) throw unshowable(url, contentType);
  const isHtml = HTML_TYPES.has(contentType) || (contentType === "" && looksLikeHtml(body));
  const text = decode(body, charsetOf(header) ?? (isHtml ? charsetOfMeta(body) : undefined));
  if (text.includes("\0")) throw unshowable(url, binaryKindOf(body) ?? "binary data");
  return { text: withoutSecrets(text, sent), contentType, isHtml };
}

/**
 * Returns a text without the credentials that a server echoed.
 * @param text - any part of an answer
 * @param secrets - header values that were sent
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  // `Bearer x` comes back as `x` as well.
  const values = secrets.flatMap((secret) => [secret, ...secret.split(/\s+/)]);
  const distinct = values.filter(({ length }) => length >= SHORTEST_SECRET);
  return distinct.reduce((rest, value) => rest.replaceAll(value, "[REDACTED]"), text);
}

/**
 * Returns the beginning of a text, never ending in half a character.
 * @param maxChars - most characters to keep
 * @param maxBytes - most bytes to keep, as UTF-8
 */
export function textStart(text: string, maxChars: number, maxBytes: number): string {
  const start = startOfText(text, maxChars);
  const bytes = Buffer.from(start);
  // In stream mode the decoder omits a character that was cut in the middle.
  const fitting =
    bytes.length <= maxBytes
      ? start
      : new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
  return fitting;
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
    // The encoding is unknown; most such pages are UTF-8.
    return new TextDecoder("utf-8").decode(bytes);
  }
}

function looksLikeHtml(bytes: Buffer): boolean {
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(bytes.toString("latin1", 0, 512));
}

function unshowable(url: string, kind: string): ToolRefusalError {
  return new ToolRefusalError(
    "unreadable",
    `${url} is ${kind}, which cannot be shown as text. Look for a page or text version of it.`,
  );
}
