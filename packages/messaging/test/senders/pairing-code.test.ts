import { describe, expect, it } from "vitest";
import { PAIRING, pairingCode } from "../../src/senders/pairing-code.js";

describe("pairingCode", () => {
  it("[HOST-021] has 8 characters of an alphabet without look-alikes, and does not repeat", () => {
    const codes = Array.from({ length: 2000 }, pairingCode);
    for (const code of codes) expect(code).toMatch(/^[ABCDEFGHJKLMNPQRSTUVWXYZ23456789]{8}$/);
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(codes.join("")).size).toBe(PAIRING.alphabet.length);
  });
});
