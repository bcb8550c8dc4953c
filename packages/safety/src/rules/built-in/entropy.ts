import type { RunDetector } from "../detector.js";
import { NOTED_LEAK } from "../leak-actions.js";
import type { LeakRule } from "../rule.js";

const REASON =
  "Keys and checksums look the same in hexadecimal; only the length suggests that it is a key.";
const WORD = /[A-Za-z0-9_]/;
const HEX_PREFIX = /(?<![A-Za-z0-9_])0[xX]$/;

/** Hexadecimal runs with the lengths of keys (SAFE-019). */
export const ENTROPY_RULES: readonly LeakRule[] = [rule(256, 64), rule(384, 96), rule(512, 128)];

function rule(bits: number, digits: number): LeakRule {
  return {
    kind: "leak",
    id: `high_entropy_hex_sha${bits}`,
    title: `${digits} hexadecimal digits`,
    reason: REASON,
    severity: "medium",
    label: "HEX_SECRET",
    actions: NOTED_LEAK,
    detector: hexOf(digits),
    examples: {
      match: [`hash: ${"ab".repeat(digits / 2)}`],
      clean: [`hash: ${"ab".repeat(digits / 2)}c`, `hash: ${"ab".repeat(digits / 2).slice(1)}`],
    },
  };
}

/** Matches exactly so many digits, as a separate word or after `0x`. */
function hexOf(digits: number): RunDetector {
  return {
    by: "run",
    kind: "hex",
    least: digits,
    match: (text, [start, end]) => {
      if (end - start !== digits || WORD.test(text.charAt(end))) return undefined;
      const isWord =
        !WORD.test(text.charAt(start - 1)) ||
        HEX_PREFIX.test(text.slice(Math.max(0, start - 3), start));
      return isWord ? [start, end] : undefined;
    },
  };
}
