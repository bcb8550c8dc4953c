import { join } from "node:path";
import { ERROR_KINDS, type ErrorKind, OpenClawError } from "@openclaw/foundation";
import { temporaryFolder } from "@openclaw/foundation/testing";
import type { Logger } from "@openclaw/plugin-sdk";
import { type MethodCaller, type MethodDefinition, WIRE_ERROR_CODES } from "@openclaw/protocol";
import {
  IdempotencyMismatchError,
  InvalidRequestError,
  MethodRegistry,
} from "@openclaw/protocol/registry";
import { openStore, type Store } from "@openclaw/store";
import { Type } from "typebox";
import { describe, expect, it, onTestFinished } from "vitest";
import { IdempotentCalls, MethodCalls } from "../../src/index.js";

const ADMIN: MethodCaller = { id: "admin", scopes: ["operator.admin"], via: "http" };
const { signal } = new AbortController();

const add: MethodDefinition = {
  name: "test.add",
  summary: "Adds.",
  params: Type.Object({ by: Type.Integer({ maximum: 1000 }) }, { additionalProperties: false }),
  result: Type.Object({ total: Type.Integer() }),
  errors: ["SAMPLE"],
  scope: "operator.write",
  effect: "write",
};
const table = {
  "test.add": add,
  "test.set": { ...add, name: "test.set", idempotency: "repeatable" },
  "test.own": { ...add, name: "test.own", idempotency: "own" },
} as const;

/** Error of any kind. */
class SampleError extends OpenClawError {
  static override readonly code = "SAMPLE";

  constructor(kind: ErrorKind) {
    super("failed", { kind });
  }
}

interface TestCalls {
  readonly calls: MethodCalls;
  readonly executed: readonly number[];
  readonly lines: readonly unknown[];
  /** Called by each execution. */
  during: () => Promise<void>;
}

function createCalls(store: Pick<Store, "calls">): TestCalls {
  const executed: number[] = [];
  const lines: unknown[] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  const run = async (params: unknown) => {
    const { by } = params as { by: number };
    executed.push(by);
    await host.during();
    return { total: executed.length };
  };
  const registry = MethodRegistry.of(table, { "test.add": run, "test.set": run, "test.own": run });
  const idempotency = new IdempotentCalls({ calls: store.calls, logger });
  const limits = { count: () => undefined };
  const calls = new MethodCalls({ methods: async () => registry, idempotency, limits, logger });
  const host: TestCalls = { calls, executed, lines, during: async () => undefined };
  return host;
}

function open(file = join(temporaryFolder().path, "store.db")): Promise<Store> {
  return openStore({ file, durability: "process" });
}

async function openCalls(): Promise<TestCalls> {
  const store = await open();
  onTestFinished(() => store.close());
  return createCalls(store);
}

function call({ calls }: TestCalls, by: unknown, idempotencyKey?: string, method = "test.add") {
  return calls.execute({ method, params: { by }, caller: ADMIN, signal, idempotencyKey });
}

describe("MethodCalls", () => {
  it("[GW-022] requires an idempotency key of at most 128 characters from a method that writes", async () => {
    const host = await openCalls();
    for (const key of [undefined, "", "x".repeat(129)]) {
      const issues = [{ path: "/idempotencyKey" }];
      expect(await call(host, 1, key)).toMatchObject({
        ok: false,
        error: { code: "INVALID_REQUEST", details: { issues } },
      });
    }
    expect(await call(host, 1, "x".repeat(128))).toEqual({ ok: true, payload: { total: 1 } });
    expect(host.executed).toEqual([1]);
  });

  it("[GW-022] returns the first result to a repeat, also after a restart", async () => {
    const file = join(temporaryFolder().path, "store.db");
    const first = await open(file);
    expect(await call(createCalls(first), 1, "a")).toEqual({ ok: true, payload: { total: 1 } });
    await first.close();
    const store = await open(file);
    onTestFinished(() => store.close());
    const host = createCalls(store);
    expect(await call(host, 1, "a")).toEqual({ ok: true, payload: { total: 1 } });
    expect(host.executed).toEqual([]);
    const rows = await store.calls.begin({ callerId: "admin", key: "a", method: "", digest: "" });
    expect(JSON.stringify(rows)).not.toContain('"by"');
  });

  it("[GW-022] lets a repeat wait for the call in progress", async () => {
    const host = await openCalls();
    let finish: () => void = () => undefined;
    host.during = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const both = [call(host, 1, "a"), call(host, 1, "a")];
    expect(await call(host, 2, "a")).toMatchObject({ error: { code: "IDEMPOTENCY_MISMATCH" } });
    while (host.executed.length === 0) await new Promise(setImmediate);
    finish();
    const done = { ok: true, payload: { total: 1 } };
    expect(await Promise.all(both)).toEqual([done, done]);
    expect(host.executed).toEqual([1]);
  });

  it("[GW-022] rejects other parameters or another method with the same key", async () => {
    const host = await openCalls();
    await call(host, 1, "a");
    const mismatch = { error: { code: "IDEMPOTENCY_MISMATCH", retryable: false } };
    expect(await call(host, 2, "a")).toMatchObject(mismatch);
    expect(await call(host, 1, "a", "test.set")).toMatchObject(mismatch);
    const outcome = await host.calls.execute({
      method: "test.add",
      params: { by: 2 },
      caller: { ...ADMIN, id: "other" },
      signal,
      idempotencyKey: "a",
    });
    expect(outcome).toMatchObject({ ok: true });
    expect(host.executed).toEqual([1, 2]);
  });

  it("[GW-022] does not execute a call again that the process before did not finish", async () => {
    const file = join(temporaryFolder().path, "store.db");
    const first = await open(file);
    const stopped = createCalls(first);
    stopped.during = () => new Promise(() => undefined);
    void call(stopped, 1, "a");
    void call(stopped, 1, "b", "test.set");
    while (stopped.executed.length < 2) await new Promise(setImmediate);
    await first.close();

    const store = await open(file);
    onTestFinished(() => store.close());
    const host = createCalls(store);
    expect(await call(host, 1, "a")).toMatchObject({
      error: { code: "CONFLICT", reason: "CALL_OUTCOME_UNKNOWN", retryable: false },
    });
    expect(await call(host, 1, "b", "test.set")).toMatchObject({ ok: true });
    expect(host.executed).toEqual([1]);
  });

  it("[GW-330] tells a repeat that its call was executed when the outcome was erased", async () => {
    const store = await open(join(temporaryFolder().path, "store.db"));
    onTestFinished(() => store.close());
    const host = createCalls(store);
    await call(host, 1, "a");
    const sessionKey = "agent:main:main";
    const place = { agentId: "main", channel: "test" };
    const { session } = await store.sessions.open(sessionKey, place);
    await store.calls.settle({ callerId: ADMIN.id, key: "a" }, "succeeded", { sessionKey });
    await store.sessions.erase(session.sessionId);
    expect(await call(host, 1, "a")).toMatchObject({
      error: {
        reason: "CALL_OUTCOME_UNKNOWN",
        message: expect.stringContaining("was executed, and its outcome was erased"),
      },
    });
    expect(host.executed).toEqual([1]);
  });

  it("leaves a method that recognises repeats itself to that method", async () => {
    const host = await openCalls();
    await call(host, 1, "a", "test.own");
    await call(host, 1, "a", "test.own");
    expect(host.executed).toEqual([1, 1]);
  });

  it.each<[ErrorKind, boolean]>([
    ["not-found", true],
    ["conflict", true],
    ["forbidden", true],
    ["too-large", true],
    ["internal", true],
    ["busy", false],
    ["rate-limited", false],
    ["timeout", false],
    ["unavailable", false],
  ])("[GW-022] keeps a failure that a repeat would meet again: %s %s", async (kind, isKept) => {
    const host = await openCalls();
    host.during = async () => {
      throw new SampleError(kind);
    };
    const first = await call(host, 1, "a");
    expect(await call(host, 1, "a")).toMatchObject(
      first.ok ? {} : { ok: false, error: first.error },
    );
    expect(host.executed).toHaveLength(isKept ? 1 : 2);
  });

  it("executes a call again whose parameters were invalid", async () => {
    const host = await openCalls();
    expect(await call(host, "one", "a")).toMatchObject({ error: { code: "INVALID_REQUEST" } });
    expect(await call(host, 1, "a")).toMatchObject({ ok: true });
  });

  it("[GW-021] responds with INTERNAL and the ID of the log entry, without a stack or path", async () => {
    const host = await openCalls();
    host.during = async () => {
      throw new Error("ENOENT: /secret/place");
    };
    const outcome = await call(host, 1, "a");
    const text = JSON.stringify(outcome.ok ? undefined : outcome.error);
    expect(JSON.parse(text)).toMatchObject({ code: "INTERNAL", retryable: false });
    expect(text).not.toMatch(/secret|ENOENT|\bat /);
    const [id = "none"] = /[0-9a-f]{8}-[0-9a-f-]+/.exec(text) ?? [];
    expect(host.lines).toEqual([["a request failed", { errorId: id, error: expect.any(Error) }]]);
    expect(await call(host, 1, "a")).toMatchObject(outcome.ok ? {} : { error: outcome.error });
  });

  it("[GW-021] validates the parameters with at most 5 issues", async () => {
    const host = await openCalls();
    const params = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`x${index}`, 1]));
    const outcome = await host.calls.execute({
      method: "test.add",
      params,
      caller: ADMIN,
      signal,
      idempotencyKey: "a",
    });
    if (outcome.ok) throw new Error("expected a failure");
    expect(outcome.error.details?.issues).toHaveLength(5);
    expect(outcome.error).toMatchObject({ code: "INVALID_REQUEST", reason: "INVALID_REQUEST" });
  });

  it("[GW-021] has one code for each kind of error", async () => {
    const host = await openCalls();
    const codes = new Set<string>(["IDEMPOTENCY_MISMATCH", "UNSUPPORTED_PROTOCOL"]);
    for (const kind of Object.keys(ERROR_KINDS) as ErrorKind[]) {
      host.during = async () => {
        throw new SampleError(kind);
      };
      const outcome = await call(host, 1, kind);
      if (outcome.ok) throw new Error("expected a failure");
      expect(outcome.error).toMatchObject({ code: ERROR_KINDS[kind].wireCode, reason: "SAMPLE" });
      codes.add(outcome.error.code);
    }
    expect(codes).toEqual(new Set(WIRE_ERROR_CODES));
    expect(IdempotencyMismatchError.surface.wireCode).toBe("IDEMPOTENCY_MISMATCH");
    expect(InvalidRequestError.code).toBe("INVALID_REQUEST");
  });
});
