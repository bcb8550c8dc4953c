import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** Names of CommonJS that an ES module in TypeScript may use; jiti provides them, Node does not. */
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
 * Returns true when the source of an ES module needs names of CommonJS. May return true without need, for example for
 * a comment that mentions `require()`; the module then loads more slowly.
 * @param source - source as read by Node; false for anything other than a string or bytes
 */
export function isCommonJsAtHeart(source: unknown): boolean {
  const text = textOf(source);
  return USED.test(text) && !DECLARED.test(text);
}

function textOf(source: unknown): string {
  if (typeof source === "string") return source;
  return source instanceof Uint8Array ? Buffer.from(source).toString("utf8") : "";
}
