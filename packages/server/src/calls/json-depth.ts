const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Returns true if the arrays and objects of a JSON text are nested at most as deep as a limit. Reads the text without
 * recursion, so that it can be called before a parser or a check that recurses (GW-017).
 * @param text - JSON, which may be malformed
 * @param limit - maximum depth
 */
export function isShallowJson(text: string, limit: number): boolean {
  let depth = 0;
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isString = false;
    } else if (code === QUOTE) {
      isString = true;
    } else if (OPENING.has(code)) {
      depth += 1;
      if (depth > limit) return false;
    } else if (CLOSING.has(code)) {
      depth -= 1;
    }
  }
  return true;
}
