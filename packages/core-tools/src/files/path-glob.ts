import { ToolRefusalError } from "../errors.js";
import { linearPattern, type PatternTest } from "./linear-pattern.js";

const TOKEN = /\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|\{|\}|,|\\.|./gs;

/**
 * Compiles a glob for paths: `*` and `?` stay within a name, `**` goes through folders, `[a-z]` and
 * `{a,b}` choose. A glob without a slash is about the name alone, in whatever folder.
 * @param glob - for example `*.ts` or `src/**` followed by `/*.{ts,tsx}`
 * @returns a test of paths with `/` between names, relative to where the search began
 * @throws ToolRefusalError when braces are not closed
 */
export function pathGlob(glob: string): PatternTest {
  const anchored = glob.startsWith("/") ? glob.slice(1) : glob;
  const anywhere = glob.includes("/") ? "" : "(?:.*/)?";
  return linearPattern(`^${anywhere}${expressionOf(anchored, glob)}$`);
}

function expressionOf(glob: string, given: string): string {
  let braces = 0;
  const parts = (glob.match(TOKEN) ?? []).map((token) => {
    if (token === "**/") return "(?:.*/)?";
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (token.length > 1 && token.startsWith("[")) return characterClass(token);
    if (token === "{") {
      braces += 1;
      return "(?:";
    }
    if (token === "}" && braces > 0) {
      braces -= 1;
      return ")";
    }
    if (token === "," && braces > 0) return "|";
    return quoted(token.length > 1 ? token.slice(1) : token);
  });
  if (braces === 0) return parts.join("");
  throw new ToolRefusalError(
    "invalid-value",
    `The glob "${given}" has a { without its }. Close it, or write \\{ for the character itself.`,
  );
}

function characterClass(token: string): string {
  const negated = token.startsWith("[!");
  const members = token.slice(negated ? 2 : 1, -1).replace(/[\\[\]^]/g, "\\$&");
  return negated ? `[^/${members}]` : `[${members}]`;
}

function quoted(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
