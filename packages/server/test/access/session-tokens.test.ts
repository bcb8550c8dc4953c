import { describe, expect, it } from "vitest";
import { SessionTokens } from "../../src/access/session-tokens.js";

const TOKEN = "0123456789abcdef01234567";
const CALLER = { id: "gateway", scopes: ["operator.read", "operator.approvals"] } as const;

describe("a session token", () => {
  it("[UI-037] names the caller, its rights and its end, also after a restart of the gateway", () => {
    const { token, expiresAt } = new SessionTokens(TOKEN, () => 1000).create(CALLER);
    expect(expiresAt).toBe(1000 + 12 * 60 * 60 * 1000);
    expect(new SessionTokens(TOKEN, () => 5000).read(token)).toEqual({
      ...{ callerId: "gateway", scopes: CALLER.scopes, expiresAt },
    });
  });

  it("[UI-037] is unknown to a gateway with another token, and when any part of it was changed", () => {
    const sessions = new SessionTokens(TOKEN, () => 1000);
    const { token } = sessions.create(CALLER);
    expect(new SessionTokens(`${TOKEN}x`, () => 1000).read(token)).toBeUndefined();
    const [prefix = "", payload = "", signature = ""] = token.split("~");
    const claim = JSON.parse(Buffer.from(payload, "base64url").toString());
    const wider = Buffer.from(JSON.stringify({ ...claim, scopes: ["operator.admin"] }));
    for (const forged of [
      `${prefix}~${wider.toString("base64url")}~${signature}`,
      `${prefix}~${payload}~`,
      `${prefix}~${payload}`,
      `${prefix}~${payload}~${"A".repeat(signature.length)}`,
      payload,
      "",
    ]) {
      expect(sessions.read(forged), forged).toBeUndefined();
    }
  });
});
