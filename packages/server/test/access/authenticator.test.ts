import { scryptSync } from "node:crypto";
import { createManualClock, type ManualClock } from "@openclaw/foundation";
import { METHOD_SCOPES } from "@openclaw/protocol";
import { describe, expect, it } from "vitest";
import { Authenticator, type Client } from "../../src/access/authenticator.js";
import { createNamedToken, type NamedToken } from "../../src/access/named-token.js";
import { SessionTokens } from "../../src/access/session-tokens.js";

const TOKEN = "the-gateways-own-token-of-this-test";
const START = Date.parse("2026-01-01T00:00:00Z");
const LOCAL: Client = { address: "127.0.0.1", via: "http" };
const from = (address: string): Client => ({ address, via: "http" });

interface Setup {
  readonly authenticator: Authenticator;
  readonly clock: ManualClock;
  /** Time of day in milliseconds since the epoch; the test changes it. */
  readonly day: { now: number };
  readonly logged: unknown[];
}

function setup(tokens: readonly NamedToken[] = []): Setup {
  const clock = createManualClock(1000);
  const day = { now: START };
  const logged: unknown[] = [];
  const ignore = () => undefined;
  const logger = {
    ...{ debug: ignore, info: ignore, error: ignore },
    warn: (message: string, fields?: object) => void logged.push({ message, ...fields }),
  };
  const authenticator = new Authenticator({
    ...{ token: TOKEN, tokens, clock, logger },
    now: () => day.now,
  });
  return { authenticator, clock, day, logged };
}

const reader = await createNamedToken("reader");
const entry: NamedToken = { name: "reader", hash: reader.hash, scopes: ["operator.read"] };

/** Presents wrong tokens until the address is blocked; returns the seconds of the block. */
async function failUntilBlocked({ authenticator }: Setup, client: Client): Promise<number> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await expect(authenticator.authenticate("wrong", client)).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
  }
  const refusal = await authenticator.authenticate(TOKEN, client).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "RATE_LIMITED", kind: "rate-limited" });
  return (refusal as { retryAfterMs: number }).retryAfterMs / 1000;
}

describe("Authenticator", () => {
  it("[GW-014] gives the gateway's own token every scope, and a named token its own", async () => {
    const { authenticator } = setup([entry]);
    expect(await authenticator.authenticate(TOKEN, LOCAL)).toEqual({
      ...{ id: "gateway", scopes: METHOD_SCOPES, via: "http", isLocal: true },
    });
    expect(
      await authenticator.authenticate(TOKEN, { address: "10.0.0.1", via: "http" }),
    ).not.toHaveProperty("isLocal");
    const client: Client = { address: "10.0.0.1", via: "websocket" };
    expect(await authenticator.authenticate(reader.token, client)).toEqual({
      ...{ id: "reader", scopes: ["operator.read"], via: "websocket" },
    });
  });

  it.each([
    ["wrong-token", "x".repeat(TOKEN.length)],
    ["wrong-token", `${TOKEN}x`],
    ["wrong-token", TOKEN.slice(0, -1)],
    ["wrong-token", "reader."],
    ["wrong-token", `${reader.token}x`],
    ["wrong-token", reader.token.replace("reader.", "other.")],
    ["missing-token", ""],
    ["missing-token", undefined],
  ])("rejects a token with the reason %s: %s", async (reason, token) => {
    const { authenticator } = setup([entry]);
    await expect(authenticator.authenticate(token, LOCAL)).rejects.toMatchObject({
      ...{ code: "UNAUTHORIZED", kind: "unauthenticated", details: { reason } },
    });
  });

  it("[GW-014] accepts the hashes of other programs in the PHC format", async () => {
    const salt = Buffer.from("sixteen bytes of");
    const key = scryptSync("ci.secret", salt, 32, { N: 2 ** 12, r: 8, p: 2 });
    const plain = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
    const hash = `$scrypt$ln=12,r=8,p=2$${plain(salt)}$${plain(key)}`;
    const { authenticator } = setup([{ name: "ci", hash, scopes: ["operator.write"] }]);
    expect(await authenticator.authenticate("ci.secret", LOCAL)).toMatchObject({ id: "ci" });
  });

  it.each([
    "$scrypt$ln=15,r=8,p=1$c2FsdA$a2V5",
    "$scrypt$ln=30,r=8,p=1$c2l4dGVlbiBieXRlcyBv$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$argon2id$v=19$m=65536,t=3,p=4$c2l4dGVlbiBieXRlcyBv$AAAAAAAAAAAAAAAAAAAAAA",
    "",
  ])("rejects every token for the unusable hash %j", async (hash) => {
    const { authenticator } = setup([{ ...entry, hash }]);
    await expect(authenticator.authenticate(reader.token, LOCAL)).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
  });

  it("[GW-014] rejects a token after its expiry, also when the clock is then set back", async () => {
    const expiresAt = new Date(START + 60_000).toISOString();
    const { authenticator, clock, day } = setup([{ ...entry, expiresAt }]);
    const authenticate = () => authenticator.authenticate(reader.token, LOCAL);
    clock.advance(59_999);
    day.now = START + 59_999;
    expect(await authenticate()).toMatchObject({ id: "reader" });
    clock.advance(1);
    day.now = START - 3_600_000;
    await expect(authenticate()).rejects.toMatchObject({
      message: expect.stringContaining("has expired"),
      details: { reason: "expired-token" },
    });
  });

  it("[GW-014] accepts a token again after a clock was set forward by mistake and back", async () => {
    const expiresAt = new Date(START + 60_000).toISOString();
    const { authenticator, day } = setup([{ ...entry, expiresAt }]);
    day.now = START + 1e12;
    await expect(authenticator.authenticate(reader.token, LOCAL)).rejects.toMatchObject({
      details: { reason: "expired-token" },
    });
    day.now = START;
    expect(await authenticator.authenticate(reader.token, LOCAL)).toMatchObject({ id: "reader" });
  });

  it("[UI-037] ends a session of a browser after 12 hours, or with the token", async () => {
    const own = setup([entry]);
    const now = () => own.day.now;
    const sessionsOf = (tokens: readonly NamedToken[]) =>
      new SessionTokens({ token: TOKEN, tokens, now });
    const open = (tokens: readonly NamedToken[]) =>
      new Authenticator({
        ...{ token: TOKEN, tokens, clock: own.clock, now, sessions: sessionsOf(tokens) },
        logger: { debug() {}, info() {}, warn() {}, error() {} },
      });
    const { token } = sessionsOf([entry]).create({ id: "reader", scopes: entry.scopes });
    const client = { address: "10.0.0.1", via: "http" } as const;
    expect(await open([entry]).authenticate(token, client)).toEqual({
      ...{ id: "reader", scopes: ["operator.read"], via: "http", isSession: true },
    });
    const replaced = { ...entry, hash: (await createNamedToken("reader")).hash };
    for (const tokens of [[], [replaced]]) {
      await expect(open(tokens).authenticate(token, client)).rejects.toMatchObject({
        code: "UNAUTHORIZED",
      });
    }
    own.day.now += 12 * 60 * 60 * 1000;
    await expect(open([entry]).authenticate(token, client)).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
  });

  it("verifies a token once when many requests present it at the same time", async () => {
    const { authenticator } = setup([entry]);
    const callers = await Promise.all(
      Array.from({ length: 40 }, () => authenticator.authenticate(reader.token, LOCAL)),
    );
    expect(callers.every(({ id }) => id === "reader")).toBe(true);
  });

  it("[GW-016] blocks an address for a minute after 10 failures, loopback too", async () => {
    const built = setup();
    const { authenticator, clock } = built;
    expect(await failUntilBlocked(built, LOCAL)).toBe(60);
    expect(await authenticator.authenticate(TOKEN, from("10.0.0.1"))).toMatchObject({
      id: "gateway",
    });
    clock.advance(59_999);
    await expect(authenticator.authenticate(TOKEN, LOCAL)).rejects.toMatchObject({
      ...{ code: "RATE_LIMITED", retryAfterMs: 1 },
    });
    clock.advance(1);
    expect(await authenticator.authenticate(TOKEN, LOCAL)).toMatchObject({ id: "gateway" });
  });

  it("[GW-016] doubles the block up to 15 minutes, and starts again after a quiet time", async () => {
    const built = setup();
    const blocks = [];
    for (let round = 0; round < 6; round += 1) {
      const seconds = await failUntilBlocked(built, LOCAL);
      blocks.push(seconds);
      built.clock.advance(seconds * 1000);
    }
    expect(blocks).toEqual([60, 120, 240, 480, 900, 900]);
    built.clock.advance(15 * 60_000 + 1);
    expect(await failUntilBlocked(built, LOCAL)).toBe(60);
  });

  it("[GW-016] does not end or extend a block when the time of day changes", async () => {
    const built = setup();
    await failUntilBlocked(built, LOCAL);
    built.day.now = START + 1e12;
    await expect(built.authenticator.authenticate(TOKEN, LOCAL)).rejects.toMatchObject({
      ...{ code: "RATE_LIMITED", retryAfterMs: 60_000 },
    });
    built.day.now = START - 1e12;
    built.clock.advance(60_000);
    expect(await built.authenticator.authenticate(TOKEN, LOCAL)).toMatchObject({ id: "gateway" });
  });

  it("counts 10 failures only within a minute, and no request without a token", async () => {
    const { authenticator, clock } = setup();
    for (let attempt = 0; attempt < 30; attempt += 1) {
      clock.advance(6_700);
      await authenticator.authenticate("wrong", LOCAL).catch(() => undefined);
      await authenticator.authenticate(undefined, LOCAL).catch(() => undefined);
    }
    expect(await authenticator.authenticate(TOKEN, LOCAL)).toMatchObject({ id: "gateway" });
  });

  it("counts the addresses of one IPv6 network as one, and mapped addresses as IPv4", async () => {
    const built = setup();
    await failUntilBlocked(built, from("2001:db8:1:2::1"));
    const same = built.authenticator.authenticate(TOKEN, from("2001:0db8:1:2:ffff::9"));
    await expect(same).rejects.toMatchObject({ code: "RATE_LIMITED" });
    const other = from("2001:db8:1:3::1");
    expect(await built.authenticator.authenticate(TOKEN, other)).toMatchObject({ id: "gateway" });
    await failUntilBlocked(built, from("::ffff:10.0.0.7"));
    const mapped = built.authenticator.authenticate(TOKEN, from("10.0.0.7"));
    await expect(mapped).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  it("limits the guesses of a named token that are verified at the same time", async () => {
    const built = setup([entry]);
    const guesses = Array.from({ length: 30 }, (_, index) =>
      built.authenticator.authenticate(`reader.guess-${index}`, LOCAL).catch((error) => error.code),
    );
    const codes = await Promise.all(guesses);
    expect(codes.filter((code) => code === "UNAUTHORIZED")).toHaveLength(10);
    expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(20);
  });

  it("logs a failure with address and reason, without the token", async () => {
    const { authenticator, logged } = setup();
    await authenticator.authenticate("a-wrong-token", LOCAL).catch(() => undefined);
    expect(logged).toEqual([{ message: "authentication failed", ...LOCAL, reason: "wrong-token" }]);
  });
});
