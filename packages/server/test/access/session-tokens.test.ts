import { describe, expect, it } from "vitest";
import { SessionTokens } from "../../src/access/session-tokens.js";

const TOKEN = "0123456789abcdef01234567";
const at = (now: number, token = TOKEN) => new SessionTokens({ token, now: () => now });
const CALLER = { id: "gateway", scopes: ["operator.read", "operator.approvals"] } as const;

describe("a session token", () => {
  it("[UI-037] names the caller, its rights and its end, also after a restart of the gateway", () => {
    const { token, expiresAt } = at(1000).create(CALLER);
    expect(expiresAt).toBe(1000 + 12 * 60 * 60 * 1000);
    expect(at(5000).read(token)).toEqual({
      ...{ callerId: "gateway", scopes: CALLER.scopes, expiresAt },
    });
  });

  it("[UI-037] is unknown to a gateway with another token, and when any part of it was changed", () => {
    const sessions = at(1000);
    const { token } = sessions.create(CALLER);
    expect(at(1000, `${TOKEN}x`).read(token)).toBeUndefined();
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

  it("[UI-037] ends with the named token that began it, also when a new token has the name", () => {
    const withTokens = (...tokens: { name: string; hash: string }[]) =>
      new SessionTokens({ token: TOKEN, tokens, now: () => 1000 });
    const ci = { name: "ci", hash: "$scrypt$first" };
    const { token } = withTokens(ci).create({ ...CALLER, id: "ci" });
    expect(withTokens({ name: "other", hash: "$scrypt$x" }, ci).read(token)).toMatchObject({
      callerId: "ci",
    });
    expect(withTokens().read(token)).toBeUndefined();
    expect(withTokens({ name: "ci", hash: "$scrypt$second" }).read(token)).toBeUndefined();
    // A session of the gateway's own token does not depend on named ones.
    const own = withTokens(ci).create(CALLER);
    expect(withTokens().read(own.token)).toMatchObject({ callerId: "gateway" });
  });
});
