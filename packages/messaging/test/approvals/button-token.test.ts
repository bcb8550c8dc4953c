import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ButtonTokens, readButtonToken } from "../../src/approvals/button-token.js";

const APPROVAL = {
  id: "apr_01890a5d-ac96-774b-bcce-b302099a8057",
  digest: "d".repeat(64),
  expiresAt: 1_790_000_000_000,
};
const key = (byte: number) => new ButtonTokens(() => Buffer.alloc(32, byte));

describe("values of approval buttons", () => {
  it("contain request, decision and expiry in at most 64 bytes", () => {
    for (const decision of ["allow-once", "allow-always", "deny"] as const) {
      const value = key(1).issue(APPROVAL, decision);
      expect(Buffer.byteLength(value)).toBeLessThanOrEqual(64);
      const token = readButtonToken(value);
      expect(token).toMatchObject({
        approvalId: APPROVAL.id,
        decision,
        expiresAt: APPROVAL.expiresAt,
      });
      expect(token && key(1).verify(token, APPROVAL.digest)).toBe(true);
    }
  });

  it("are rejected with another key, for another digest, and when any character was changed", () => {
    const value = key(1).issue(APPROVAL, "deny");
    const token = readButtonToken(value);
    expect(token && key(2).verify(token, APPROVAL.digest)).toBe(false);
    expect(token && key(1).verify(token, "e".repeat(64))).toBe(false);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const change = fc.record({
      at: fc.integer({ min: "/apr.".length, max: value.length - 1 }),
      by: fc.constantFrom(...alphabet),
    });
    fc.assert(
      fc.property(change, ({ at, by }) => {
        fc.pre(value.charAt(at) !== by);
        const read = readButtonToken(value.slice(0, at) + by + value.slice(at + 1));
        expect(read !== undefined && key(1).verify(read, APPROVAL.digest)).toBe(false);
      }),
    );
  });

  it("are told from every other text", () => {
    for (const text of ["/apr.", "/apr.short", "apr.x", "/approve ABC234", "/apr."]) {
      expect(readButtonToken(text)).toBeUndefined();
    }
    expect(readButtonToken(`/apr.${"_".repeat(52)}`)).toBeUndefined();
  });
});
