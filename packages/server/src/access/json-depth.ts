import { PayloadTooLargeError } from "../errors.js";

/**
 * Checks how deeply JSON is nested, before it is parsed (GW-017).
 * @param text - JSON, or any other text
 * @param maximum - maximum number of arrays and objects inside each other
 * @throws PayloadTooLargeError when it is nested more deeply
 */
export function checkJsonDepth(text: string, maximum: number): void {
  if (text.length <= maximum) return;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) {
      index = endOfString(text, index + 1);
    } else if (character === OPENING_BRACKET || character === OPENING_BRACE) {
      depth += 1;
      if (depth > maximum) {
        throw new PayloadTooLargeError(
          `the JSON is nested more than ${maximum} levels deep; send less nested data, or raise gateway.limits.jsonDepth`,
        );
      }
    } else if (character === CLOSING_BRACKET || character === CLOSING_BRACE) {
      depth -= 1;
    }
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

function endOfString(text: string, start: number): number {
  for (let index = start; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) return index;
    if (character === BACKSLASH) index += 1;
  }
  return text.length;
}
