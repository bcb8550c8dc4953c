import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { webhookSignature } from "../../src/webhook/signature.js";

describe("webhookSignature", () => {
  // Input and result of the open vector hmac_signature-568 of IronClaw (Apache-2.0 OR MIT).
  it("[DHOOK-029] vector hmac_signature-568", async () => {
    expect(await webhookSignature("s", "{}")).toBe(
      "sha256=143ca8d517ba1b181025d732b1cf275d90104fca57bb02a565542978aa18c4b6",
    );
  });

  it.each([
    ["a key", ""],
    ["a key", "line one\nline two\n"],
    ["clé ключ 鍵", '{"content":"żółć 🦞 \u2028"}'],
    ["k".repeat(200), "x".repeat(100_000)],
  ])("[DHOOK-029] is the HMAC-SHA256 that openssl prints, with the key %j", async (key, body) => {
    const printed = execFileSync("openssl", ["dgst", "-sha256", "-hmac", key], {
      input: body,
      encoding: "utf8",
    });
    expect(await webhookSignature(key, body)).toBe(`sha256=${printed.trim().replace(/^.* /, "")}`);
  });
});
