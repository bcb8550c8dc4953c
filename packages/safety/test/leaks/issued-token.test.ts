import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactLeaks, scanLeaks } from "../../src/index.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns a token as GitHub and npm make it. */
function tokenOf(prefix: string, secret: string): string {
  let number = BigInt(crc32(secret));
  let checksum = "";
  while (checksum.length < 6) {
    checksum = DIGITS[Number(number % 62n)] + checksum;
    number /= 62n;
  }
  return prefix + secret + checksum;
}

function rulesIn(text: string): string[] {
  return scanLeaks(text, { context: "output" }).findings.map(({ rule }) => rule);
}

const PREFIXES = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_"];

describe("tokens with a checksum", () => {
  it("[SAFE-760] has the checksum of a token that GitHub's users check tools with", () => {
    expect(rulesIn("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")).toContain("issued_token");
    expect(rulesIn("ghp_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18")).not.toContain("issued_token");
  });

  it("[SAFE-760] are found within words, and only with the right checksum", () => {
    const secret = fc.string({ unit: fc.constantFrom(...DIGITS), minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom(...PREFIXES), secret, fc.nat(35), (prefix, random, place) => {
        const token = tokenOf(prefix, random);
        for (const text of [token, `x${token}`, `TOKEN_${token}_old`, `"${token}", next`]) {
          expect(rulesIn(text)).toContain("issued_token");
          expect(redactLeaks(text, { context: "output" }).text).not.toContain(random);
        }
        const at = prefix.length + place;
        const changed = token[at] === "A" ? "B" : "A";
        const wrong = token.slice(0, at) + changed + token.slice(at + 1);
        expect(rulesIn(wrong)).not.toContain("issued_token");
      }),
      { numRuns: 100 },
    );
  });

  it("[SAFE-760] with a wrong checksum are redacted by their form, as one may be changed on the way out", () => {
    const secret = "Abc123Def456Ghi789Abc123Def456";
    const token = tokenOf("ghp_", secret);
    const wrong = `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`;
    expect(rulesIn(wrong)).toEqual(["github_token"]);
    expect(redactLeaks(wrong, { context: "output" }).text).not.toContain(secret);
  });
});
