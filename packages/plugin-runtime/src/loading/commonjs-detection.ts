import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** An ES module in TypeScript uses names that only CommonJS has; jiti offers them, Node does not. */
export class OwnRequireError extends OpenClawError {
  static override readonly code = "OPENCLAW_OWN_REQUIRE";
  static override readonly kind = "invalid";

  constructor(url: string) {
    super(`${url} is an ES module and uses require, __dirname or __filename`);
  }
}

const USED = /(?<![.\w$])(?:require\s*\(|__dirname\b|__filename\b)/;
const DECLARED =
  /\b(?:const|let|var|function)\s+(?:require|__dirname|__filename)\b|[{,]\s*(?:require|__dirname|__filename)\s*[,}:]/;

/**
 * Whether the text of an ES module needs the names of CommonJS. Errs on the side of yes, for example
 * where a comment speaks of `require()`; the module then loads all the same, only more slowly.
 * @param source - as Node read it; anything but text or bytes needs nothing
 */
export function isCommonJsAtHeart(source: unknown): boolean {
  const text = textOf(source);
  return USED.test(text) && !DECLARED.test(text);
}

function textOf(source: unknown): string {
  if (typeof source === "string") return source;
  return source instanceof Uint8Array ? Buffer.from(source).toString("utf8") : "";
}
