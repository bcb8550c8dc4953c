import { crc32 } from "node:zlib";
import { anchoredMatcher } from "../../detector.js";
import { BLOCKED_LEAK } from "../../leak-actions.js";
import type { LeakRule } from "../../rule.js";

/** Digits of the checksums of GitHub and npm, in their order. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TOKEN = /(?:gh[oprsu]|npm)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})/y;

/**
 * Token whose checksum is right. Of random strings of its form one in four thousand million has such a checksum, so it is
 * found wherever it is written: within a longer word, and where the rule of its form takes it for an example (SAFE-760).
 */
export const ISSUED_TOKEN_RULE: LeakRule = {
  kind: "leak",
  id: "issued_token",
  title: "GitHub or npm token with the right checksum",
  reason: "Its checksum shows that the service issued it; it is not an example.",
  severity: "critical",
  label: "API_KEY",
  actions: BLOCKED_LEAK,
  detector: {
    ...anchoredMatcher(["gh[oprsu]_", "npm_"], false, (text, at) => {
      TOKEN.lastIndex = at;
      const [token, secret, checksum] = TOKEN.exec(text) ?? [];
      if (token === undefined || secret === undefined) return undefined;
      return checksum === checksumOf(secret) ? [at, at + token.length] : undefined;
    }),
    longWord: true,
  },
  get examples() {
    const issued = withChecksum("ghp_", "Abc123Def456Ghi789Abc123Def456");
    const inWord = `var_${withChecksum("npm_", "Abc123Def456Ghi789Abc123Def456")}`;
    return {
      match: [issued, inWord],
      clean: [`${issued.slice(0, -1)}${issued.endsWith("a") ? "b" : "a"}`, issued.slice(0, -1)],
    };
  },
};

function withChecksum(prefix: string, secret: string): string {
  return `${prefix}${secret}${checksumOf(secret)}`;
}

/** Returns the CRC-32 of the random part in six digits to the base 62, as GitHub and npm append it. */
function checksumOf(secret: string): string {
  let rest = crc32(secret);
  let digits = "";
  for (let index = 0; index < 6; index += 1) {
    digits = `${DIGITS.charAt(rest % DIGITS.length)}${digits}`;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
