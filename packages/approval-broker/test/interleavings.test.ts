import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatedCases } from "@openclaw/foundation/testing";
import { openStore, type Store } from "@openclaw/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApprovalBroker } from "../src/index.js";

import { NOW, OWNER, pendingRequest } from "./support/broker-host.js";

/*
 * Two hosts share one database. Decisions, expiry and restarts arrive in any order; a host can process several
 * at once, and can stop and start again in between.
 */

const CASES = generatedCases(300);
/**
 * Number of runs between cleanings of the database; a full database would slow the release run
 * down.
 */
const RUNS_PER_DATABASE = 20_000;

type Action =
  | { readonly kind: "answer"; readonly decision: "allow-once" | "allow-always" | "deny" }
  | { readonly kind: "foreign-answer" | "tampered-answer" | "replayed-answer" }
  | { readonly kind: "begin" | "begin-tampered" | "expire" | "cancel" | "restart" }
  | { readonly kind: "wait"; readonly ms: number };

interface Step {
  readonly host: 0 | 1;
  /** Actions that run concurrently. */
  readonly actions: readonly Action[];
}

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: "begin" } as const) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("allow-once", "allow-always", "deny")
      .map((decision) => ({ kind: "answer", decision }) as const),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("foreign-answer", "tampered-answer", "replayed-answer", "begin-tampered")
      .map((kind): Action => ({ kind })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("expire", "cancel", "restart").map((kind): Action => ({ kind })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(400, 600).map((ms) => ({ kind: "wait", ms }) as const),
  },
);

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    host: fc.constantFrom(0 as const, 1 as const),
    actions: fc.array(action, { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);

describe("approval requests of two hosts on one database", () => {
  const time = { now: NOW };
  let folder = "";
  let runs = 0;
  let stores: Store[] = [];

  const open = () =>
    openStore({ file: join(folder, "store.db"), durability: "process", now: () => time.now });
  const broker = (store: Store) =>
    new ApprovalBroker({
      store,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      place: { path: "", workspaceDir: "/workspace" },
      // Time passes only when the test advances it.
      timers: { setTimeout: () => undefined, clearTimeout: () => {} },
    });

  async function begin(): Promise<void> {
    folder = mkdtempSync(join(tmpdir(), "approvals-"));
    stores = [await open(), await open()];
  }
  async function end(): Promise<void> {
    for (const store of stores) await store.close();
    rmSync(folder, { recursive: true });
  }
  beforeAll(begin);
  afterAll(end);

  async function hostOf(index: number): Promise<Store> {
    const store = stores[index];
    if (store === undefined) throw new Error(`there is no host ${index}`);
    return store;
  }

  it("[APPR-010] settles a request once, and allows at most one execution, in any order of events", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom("deny", "allow"), async (plan, timeoutBehavior) => {
        runs += 1;
        if (runs % RUNS_PER_DATABASE === 0) {
          await end();
          await begin();
        }
        const brokers = [broker(await hostOf(0)), broker(await hostOf(1))];
        const on = (host: number): ApprovalBroker => brokers[host] ?? broker(stores[0] as Store);
        const runId = `run-${runs}`;
        // A separate session, so that no grant of another run covers the call.
        const asking = { runId, sessionKey: `session-${runs}`, timeoutMs: 1000, timeoutBehavior };
        const { id, digest } = await pendingRequest(on(0), asking);
        const settled: string[] = [];
        let executions = 0;
        const wrong: string[] = [];
        const recordOutcome = (host: number) =>
          on(host).onDecided(({ id: decided, state }) => {
            if (decided === id) settled.push(state);
          });
        recordOutcome(0);
        recordOutcome(1);

        const execute = async (host: number, given: string) => {
          const { state } = (await (await hostOf(host)).decisions.approvals.get(id)) ?? {};
          await on(host).begin({ id, digest: given }, async () => {
            executions += 1;
          });
          // Concurrent actions may reject, so an assertion here would fail nothing.
          if (given !== digest) wrong.push("begun with another digest");
          if (state === "denied" || state === "cancelled") wrong.push(`begun when ${state}`);
        };
        const does = async (host: number, { kind, ...rest }: Action): Promise<unknown> => {
          const answer = { decision: "allow-once", via: "test" } as const;
          switch (kind) {
            case "answer":
              return await on(host).decide(id, { ...answer, ...rest }, OWNER);
            case "replayed-answer":
              return await on(host).decide(id, { ...answer, digest }, OWNER);
            case "tampered-answer":
              return await on(host).decide(id, { ...answer, digest: `${digest}0` }, OWNER);
            case "foreign-answer":
              return await on(host).decide(id, answer, {
                channel: "telegram",
                senderId: "stranger",
                isOwner: false,
              });
            case "begin":
              return await execute(host, digest);
            case "begin-tampered":
              return await execute(
                host,
                digest.replace(/^./, (first) => (first === "0" ? "1" : "0")),
              );
            case "expire":
              return await on(host).expire();
            case "cancel":
              return await on(host).cancelFor({ runId }, "interrupt");
            case "wait":
              time.now += "ms" in rest ? rest.ms : 0;
              return undefined;
            case "restart":
              return undefined;
          }
        };
        for (const { host, actions } of plan) {
          const outcomes = await Promise.allSettled(actions.map((each) => does(host, each)));
          for (const [index, { status }] of outcomes.entries()) {
            const { kind } = actions[index] ?? {};
            if (
              kind === "tampered-answer" ||
              kind === "foreign-answer" ||
              kind === "begin-tampered"
            ) {
              expect(status).toBe("rejected");
            }
          }
          if (!actions.some(({ kind }) => kind === "restart")) continue;
          await on(host).close();
          await stores[host]?.close();
          stores[host] = await open();
          brokers[host] = broker(stores[host] as Store);
          recordOutcome(host);
          await on(host).start();
        }

        expect(wrong).toEqual([]);
        const row = await (await hostOf(0)).decisions.approvals.get(id);
        expect(executions).toBe(row?.consumedAt === undefined ? 0 : 1);
        expect(settled).toEqual(row?.state === "pending" ? [] : [row?.state]);
        const allows = ["allowed-once", "allowed-always"].includes(row?.state ?? "");
        const mayRun = allows || (row?.state === "timed-out" && timeoutBehavior === "allow");
        if (executions > 0) expect(mayRun).toBe(true);
        const trail = await (await hostOf(1)).decisions.auditLog.list({
          approvalId: id,
          limit: 1000,
        });
        const count = (event: string) => trail.filter((entry) => entry.event === event).length;
        expect(count("decided")).toBe(settled.length);
        expect(count("consumed")).toBe(executions);
        await (await hostOf(0)).decisions.approvals.cancel({ runId }, "end of the run");
      }),
      CASES,
    );
    expect((await (await hostOf(0)).decisions.auditLog.verify()).intact).toBe(true);
  }, 86_400_000);
});
