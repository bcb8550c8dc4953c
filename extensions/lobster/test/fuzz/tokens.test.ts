import fc from "fast-check";
import { expect, it } from "vitest";
import { Keys } from "../../src/gates/keys.js";
import { checkToken, signToken } from "../../src/gates/token.js";
import { GENERATED_TIMEOUT_MS, generatedCases } from "../support/generated-cases.js";
import { MemorySecrets } from "../support/memory-secrets.js";

const NOW = 1000;
const BEARER = { sessionKey: "agent:main:main", agentId: "main" };

it("[LOB-024] [LOB-035] no generated or changed token is accepted", {
  timeout: GENERATED_TIMEOUT_MS,
}, async () => {
  const keys = new Keys(new MemorySecrets(), 10_000, () => NOW);
  const digest = "d".repeat(64);
  const token = await signToken(
    { v: 1, kind: "workflow", id: "r", ...BEARER, pipelineDigest: digest, gate: 1, exp: 9000 },
    keys,
  );
  const [body = "", mac = ""] = token.split(".");
  const payload = JSON.parse(Buffer.from(body, "base64url").toString());
  const part = fc.oneof(fc.base64String(), fc.string(), fc.constant(body), fc.constant(mac));
  const joined = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("."));
  /** The token with some characters replaced, added or removed. */
  const spelled = fc
    .array(fc.tuple(fc.nat(token.length), fc.nat(2), fc.string({ maxLength: 2 })), {
      minLength: 1,
      maxLength: 3,
    })
    .map((changes) =>
      changes.reduce(
        (text, [at, length, piece]) => text.slice(0, at) + piece + text.slice(at + length),
        token,
      ),
    );
  /** Another payload, with the signature of the token. */
  const renamed = fc
    .dictionary(fc.constantFrom(...Object.keys(payload), "__proto__", "x"), fc.jsonValue(), {
      maxKeys: 3,
    })
    .map((fields) => JSON.stringify({ ...payload, ...fields }))
    .map((text) => `${Buffer.from(text).toString("base64url")}.${mac}`);
  await fc.assert(
    fc.asyncProperty(fc.oneof(joined, spelled, renamed), async (given) => {
      fc.pre(given !== token);
      expect(await checkToken(given, BEARER, keys, NOW)).toMatchObject({
        problem: { type: "token_invalid" },
      });
    }),
    generatedCases(1000),
  );
  expect(await checkToken(token, BEARER, keys, NOW)).toMatchObject({ payload: { id: "r" } });
});
