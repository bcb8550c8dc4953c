import { ApprovalBroker } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import type { Store } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { runTurn, type TurnOutcome } from "../../src/index.js";
import { OWNER } from "../support/authorized-call.js";
import { dyingStore } from "../support/failing-store.js";
import { calling, type TurnHost, textOf, tool, turnHost } from "../support/turn-host.js";

const ONCE = { decision: "allow-once", via: "test" } as const;
const UNKNOWN = /^interrupted: outcome unknown/;

/** Side effects of processes that share a database. */
interface World {
  readonly launched: string[];
}

/** A process whose model calls a tool that needs approval. */
async function startProcess({ launched }: World, store?: Store): Promise<TurnHost> {
  return await turnHost({
    ...defined({ store }),
    script: ({ prompt }) =>
      prompt.some(({ role }) => role === "tool") ? { text: "done" } : calling("launch"),
    coreTools: [
      tool("launch", {
        approval: "always",
        execute(toolCallId) {
          launched.push(toolCallId);
          return "launched";
        },
      }),
    ],
  });
}

/** Runs the turn to its end, answering what it asks. */
async function executeTurn(host: TurnHost, store: Store = host.store): Promise<TurnOutcome> {
  const { logger } = host.services;
  const place = { path: "", workspaceDir: "/workspace" };
  const timers = { setTimeout: () => undefined, clearTimeout: () => {} };
  const approvals = new ApprovalBroker({ store, logger, place, timers });
  await approvals.start();
  const services = { ...host.services, store, approvals };
  const request = { ...host.request(), runId: "run-1", isAttended: () => true };
  for (;;) {
    const outcome = await runTurn(request, services, host.pin);
    if (outcome.status !== "paused") return outcome;
    await approvals.decide(outcome.approvalId, ONCE, OWNER);
  }
}

async function commitsOfWholeTurn(): Promise<number> {
  let commits = 0;
  const host = await startProcess({ launched: [] });
  const counting = dyingStore(host.store, Number.POSITIVE_INFINITY, false, () => {
    commits += 1;
  });
  expect(await executeTurn(host, counting.store)).toMatchObject({ text: "done" });
  return commits;
}

describe("process killed around an approval", () => {
  it("[APPR-032] leaves one pending approval request and one execution, at any commit", async () => {
    const commits = await commitsOfWholeTurn();
    expect(commits).toBeGreaterThan(15);
    for (let point = 0; point < commits; point++) {
      for (const isCommitted of [false, true]) {
        const world: World = { launched: [] };
        const first = await startProcess(world);
        const { store, died } = dyingStore(first.store, point, isCommitted);
        void executeTurn(first, store);
        await died;

        const when = `commit ${point}, ${isCommitted ? "after" : "before"} it`;
        const second = await startProcess(world, first.store);
        expect(await executeTurn(second), when).toMatchObject({ text: "done" });
        const [answer] = (await second.toolResults()).map(textOf);
        const isUnknown = UNKNOWN.test(answer ?? "");
        if (!isUnknown) expect([answer, ...world.launched], when).toEqual(["launched", "call-1"]);
        expect(world.launched.length, when).toBeLessThanOrEqual(1);
        expect(await second.store.decisions.approvals.list(), when).toMatchObject([
          { toolCallId: "call-1", state: "allowed-once", consumedAt: expect.any(Number) },
        ]);
        expect(await second.store.decisions.auditLog.verify(), when).toMatchObject({
          intact: true,
        });
      }
    }
  });
});
