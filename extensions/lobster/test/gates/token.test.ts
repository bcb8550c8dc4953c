import { beforeEach, describe, expect, it } from "vitest";
import { open, seal } from "../../src/gates/cipher.js";
import { Keys } from "../../src/gates/keys.js";
import { checkToken, signToken, type TokenPayload } from "../../src/gates/token.js";
import { MemorySecrets } from "../support/memory-secrets.js";

const TTL = 1000;
const BEARER = { sessionKey: "agent:main:main", agentId: "main" };
const PAYLOAD: Omit<TokenPayload, "key"> = {
  v: 1,
  kind: "workflow",
  id: "run-1",
  ...BEARER,
  pipelineDigest: "d".repeat(64),
  gate: 1,
  exp: 5000,
};

let now = 0;
let keys: Keys;
let secrets: MemorySecrets;
beforeEach(() => {
  now = 1000;
  secrets = new MemorySecrets();
  keys = new Keys(secrets, TTL, () => now);
});

async function verify(token: string, bearer = BEARER): Promise<TokenPayload> {
  const { payload, problem } = await checkToken(token, bearer, keys, now);
  if (problem !== undefined) throw problem;
  return payload;
}
const invalid = { type: "token_invalid" };

/** Returns a token with a changed payload and its old signature. */
function forged(token: string, change: (payload: Record<string, unknown>) => unknown): string {
  const [body = "", mac = ""] = token.split(".");
  const payload = JSON.parse(Buffer.from(body, "base64url").toString()) as Record<string, unknown>;
  return `${Buffer.from(JSON.stringify(change(payload))).toString("base64url")}.${mac}`;
}

describe("a resume token", () => {
  it("[LOB-023] carries its payload with an HMAC-SHA256, both in base64url", async () => {
    const token = await signToken(PAYLOAD, keys);
    expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/);
    expect(await verify(token)).toEqual({ ...PAYLOAD, key: (await keys.current()).id });
  });

  it("[LOB-023] is accepted with the previous key until the longest token has expired", async () => {
    const token = await signToken({ ...PAYLOAD, exp: 1900 }, keys);
    await keys.rotate(true);
    const next = await signToken(PAYLOAD, keys);
    expect(next.split(".")[0]).not.toBe(token.split(".")[0]);
    expect(await verify(token)).toMatchObject({ id: "run-1" });
    now += TTL + 1;
    await expect(verify(token)).rejects.toMatchObject(invalid);
    await keys.rotate();
    expect(await verify(next)).toMatchObject({ id: "run-1" });
  });

  it("[LOB-024] is rejected with a changed signature", async () => {
    const token = await signToken(PAYLOAD, keys);
    const other = token.at(-1) === "A" ? "B" : "A";
    await expect(verify(`${token.slice(0, -1)}${other}`)).rejects.toMatchObject(invalid);
    await expect(verify(forged(token, (each) => ({ ...each, gate: 2 })))).rejects.toMatchObject(
      invalid,
    );
  });

  it("[LOB-024] is rejected for another session and another agent", async () => {
    const token = await signToken(PAYLOAD, keys);
    for (const bearer of [
      { ...BEARER, sessionKey: "agent:main:other" },
      { ...BEARER, agentId: "ops" },
    ]) {
      await expect(verify(token, bearer)).rejects.toMatchObject(invalid);
    }
  });

  it("[LOB-024] is rejected after its time", async () => {
    const token = await signToken({ ...PAYLOAD, exp: now }, keys);
    await expect(verify(token)).rejects.toMatchObject({ type: "token_expired" });
  });

  it("[LOB-024] is rejected with another kind, a longer text, or another encoding", async () => {
    const token = await signToken(PAYLOAD, keys);
    const [body = "", mac = ""] = token.split(".");
    const texts = [
      forged(token, (each) => ({ ...each, kind: "other" })),
      `${token}.${mac}`,
      `${body}=.${mac}`,
      `${body}.${mac}=`,
      body,
      "",
      ".",
      `${"A".repeat(4096)}.${mac}`,
      Buffer.from(
        JSON.stringify({ protocolVersion: 1, v: 1, kind: "workflow-file", stateKey: "x" }),
      ).toString("base64url"),
    ];
    for (const text of texts) await expect(verify(text), text).rejects.toMatchObject(invalid);
  });
});

describe("a continuation", () => {
  it("[LOB-022] is encrypted, and bound to its run and key", async () => {
    const key = await keys.current();
    const sealed = seal('{"items":["secret"]}', "run-1", key);
    expect(Buffer.from(sealed, "base64").toString("latin1")).not.toContain("secret");
    expect(open(sealed, "run-1", key)).toBe('{"items":["secret"]}');
    expect(() => open(sealed, "run-2", key)).toThrow();
    const bytes = Buffer.from(sealed, "base64");
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(() => open(bytes.toString("base64"), "run-1", key)).toThrow();
    await keys.rotate(true);
    const next = await keys.current();
    expect(() => open(sealed, "run-1", next)).toThrow();
  });
});
