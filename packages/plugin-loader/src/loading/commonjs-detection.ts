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

/**
 * Code that provides a name of CommonJS in an ES module. It has one line and no line break, so that the lines of the
 * module keep their numbers.
 */
const PROVISIONS = {
  require:
    'import{createRequire as __openclawRequire}from"node:module";const require=__openclawRequire(import.meta.url);',
  __filename:
    'import{fileURLToPath as __openclawFile}from"node:url";const __filename=__openclawFile(import.meta.url);',
  __dirname:
    'import{dirname as __openclawParent}from"node:path";import{fileURLToPath as __openclawPlace}from"node:url";const __dirname=__openclawParent(__openclawPlace(import.meta.url));',
} as const;

/**
 * Adds the names of CommonJS that an ES module in JavaScript uses and does not declare. Bundlers write a function
 * `__require` that looks for `require` when it is called, and hosts of older versions provided it.
 * @param source - source as read by Node
 * @returns undefined when the module uses none of the names
 */
export function withCommonJsNames(source: unknown): string | undefined {
  const text = textOf(source);
  if (!/\brequire\b|__dirname|__filename/.test(text)) return undefined;
  const added = Object.entries(PROVISIONS).filter(([name]) => uses(text, name));
  if (added.length === 0) return undefined;
  // A first line that names an interpreter must stay the first one, and Node ignores it there only.
  return added.map(([, code]) => code).join("") + text.replace(/^#!/, "//");
}

function uses(text: string, name: string): boolean {
  const used =
    name === "require"
      ? /(?<![.\w$])(?:typeof\s+require\b|require\s*[(.])/
      : new RegExp(`(?<![.\\w$])${name}\\b`);
  const declared = new RegExp(
    `\\b(?:const|let|var|function)\\s+${name}\\b|[{,]\\s*${name}\\s*[,}:]|\\bas\\s+${name}\\b`,
  );
  return used.test(text) && !declared.test(text);
}

function textOf(source: unknown): string {
  if (typeof source === "string") return source;
  return source instanceof Uint8Array ? Buffer.from(source).toString("utf8") : "";
}
