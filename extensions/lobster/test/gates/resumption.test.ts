import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import { openTestStore } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/gates/database.js";
import { Keys } from "../../src/gates/keys.js";
import { Resumption, type ResumptionDependencies } from "../../src/gates/resumption.js";
import { SuspendedRuns } from "../../src/gates/runs.js";
import { signToken, type TokenPayload } from "../../src/gates/token.js";
import { MemorySecrets } from "../support/memory-secrets.js";

const NOW = 10_000;
const SESSION = { sessionKey: "agent:main:main", agentId: "main" };
const PAYLOAD: Omit<TokenPayload, "key"> = {
  ...{ v: 1, kind: "workflow", id: "run-1", ...SESSION, pipelineDigest: "digest" },
  ...{ gate: 1, exp: 20_000 },
};

/** Admits tokens of one suspended run, and counts the work that it costs. */
async function admission() {
  const test = await openTestStore();
  onTestFinished(test.close);
  const secrets = new MemorySecrets();
  const keys = new Keys(secrets, 60_000, () => NOW);
  let queries = 0;
  const database = async (): Promise<PluginDatabase> => {
    queries += 1;
    return await openDatabase(test.store);
  };
  const runs = new SuspendedRuns(database, () => NOW);
  const stored = {
    name: "f.yaml",
    prompt: "Go?",
    need: "approval",
    keyId: "k",
    createdAt: NOW,
  } as const;
  const { kind, gate } = PAYLOAD;
  const row = { ...stored, ...SESSION, kind, gate, digest: "digest", continuation: "x" };
  await runs.add({ ...row, id: "run-1", code: "ABCDEFGH", expiresAt: 20_000 });
  await runs.add({ ...row, id: "run-2", code: "BCDEFGHJ", expiresAt: 20_000 });
  await runs.change("run-2", "suspended", "done", 1);
  const resumption = new Resumption({
    ...{ runs, keys, config: { modelMayApprove: false }, resuming: new Set(), now: () => NOW },
  } as unknown as ResumptionDependencies);
  return {
    keys,
    secrets,
    async admit(token: string, session = SESSION) {
      const before = { queries, reads: secrets.reads };
      const decision = { kind: "approve" } as const;
      const session_ = { ...session, workspaceDir: "/" };
      const error = await resumption
        .admit({ action: "resume", by: { token }, decision }, session_ as never)
        .then(
          () => undefined,
          (problem: unknown) => problem as { type: string },
        );
      return {
        type: error?.type,
        work: [queries - before.queries, secrets.reads - before.reads],
      };
    },
  };
}

describe("a token that is not accepted", () => {
  const other = (token: string, change: (fields: Record<string, unknown>) => object) => {
    const [body = "", mac = ""] = token.split(".");
    const fields = JSON.parse(Buffer.from(body, "base64url").toString());
    return `${Buffer.from(JSON.stringify({ ...fields, ...change(fields) })).toString("base64url")}.${mac}`;
  };

  it.each<[string, string, (token: string, keys: Keys) => string | Promise<string>, object?]>([
    ["has a changed signature", "token_invalid", (t) => `${t.slice(0, -2)}AA`],
    ["has a changed payload", "token_invalid", (t) => other(t, () => ({ gate: 2 }))],
    ["is of another session", "token_invalid", (t) => t, { sessionKey: "agent:main:other" }],
    ["is of another agent", "token_invalid", (t) => t, { agentId: "ops" }],
    ["has expired", "token_expired", (_, keys) => signToken({ ...PAYLOAD, exp: NOW }, keys)],
    ["was used", "token_consumed", (_, keys) => signToken({ ...PAYLOAD, id: "run-2" }, keys)],
    [
      "is of an earlier gate",
      "token_consumed",
      (_, keys) => signToken({ ...PAYLOAD, gate: 0 }, keys),
    ],
    ["names no run", "token_invalid", (_, keys) => signToken({ ...PAYLOAD, id: "none" }, keys)],
    [
      "is of another kind",
      "token_invalid",
      (_, keys) => signToken({ ...PAYLOAD, kind: "pipeline" }, keys),
    ],
    ["names an unknown key", "token_invalid", (t) => other(t, () => ({ key: "0000" }))],
    ["is larger than 4 KiB", "token_invalid", (t) => `${"A".repeat(4096)}.${t}`],
    ["is not canonical", "token_invalid", (t) => t.replace(".", "=.")],
    ["is not a token", "token_invalid", () => "x"],
  ])(
    "[LOB-024] that %s is answered with %s, after the same work as every other",
    async (_name, type, make, session) => {
      const { admit, keys } = await admission();
      const token = await signToken(PAYLOAD, keys);
      const answer = await admit(await make(token, keys), { ...SESSION, ...session });
      // One look-up of a run; the keys are read for the token and for the current key.
      expect(answer).toEqual({ type, work: [1, 2] });
    },
  );
});
