import { createManualClock } from "@openclaw/foundation";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { IdempotentCalls } from "@openclaw/server";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "../../support/eventually.js";
import { openDatabase, startNode } from "../../support/nodes.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const TOKEN = "one-token-of-every-node-of-the-test";
const gateway = { auth: { token: TOKEN } };
const REPORT = { name: "test", version: "1", facts: {} };
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const CALL = { callerId: "admin", method: "test.set", digest: "a" };

/** Opens the database as a node that lives, with a clock for its polls. */
async function openNode(url: string, nodeId: string) {
  const store = await openStore({ url, nodeId });
  onTestFinished(() => store.close());
  await store.nodes.report(REPORT, 60_000);
  const timers = createManualClock();
  return { store, timers, calls: new IdempotentCalls({ calls: store.calls, logger, timers }) };
}

describe("calls with an idempotency key on nodes of one PostgreSQL", () => {
  it("[GW-022] wait on another node for the call that runs, and get its outcome", async () => {
    const { url } = await openDatabase();
    const executed: number[] = [];
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = (number: number): PluginDefinition => ({
      id: "slow",
      register: (api) =>
        api.registerGatewayMethod("slow.write", async () => {
          executed.push(number);
          await opened;
          return { number };
        }),
    });
    const nodes = [
      await startNode(url, { gateway }, [slow(1)]),
      await startNode(url, { gateway }, [slow(2)]),
    ];
    const [one, two] = nodes.map((node) => node.gateway.url ?? "");
    const post = async (to: string | undefined, text: string) => {
      const response = await fetch(`${to}/api/v1/slow/write`, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "idempotency-key": "once" },
        body: JSON.stringify({ text }),
      });
      return { status: response.status, body: await response.json() };
    };
    const first = post(one, "a");
    await eventually(async () => executed.length > 0 || undefined);
    const second = post(two, "a");
    expect(await post(two, "b")).toMatchObject({ status: 409 });
    open();
    expect(await first).toMatchObject({ status: 200 });
    expect(await second).toEqual(await first);
    expect(executed).toEqual([1]);
  });

  it("[GW-022] are executed by one waiting node when theirs is gone or has forgotten them, and else fail", async () => {
    const { url } = await openDatabase();
    const lost = await openNode(url, "lost");
    const nodes = [await openNode(url, "one"), await openNode(url, "two")];
    for (const key of ["set", "add", "forgotten"]) {
      await lost.store.calls.begin({ ...CALL, key });
      const known = await nodes[0]?.store.calls.begin({ ...CALL, key, isRepeatable: true });
      expect(known).toMatchObject({ state: "running", nodeId: "lost" });
    }
    const executed: string[] = [];
    const outcomes = Promise.allSettled(
      nodes.flatMap(({ calls }, number) =>
        ["set", "add", "forgotten"].map((key) =>
          calls.once({ ...CALL, key, isRepeatable: key === "set" }, async () => {
            executed.push(key);
            return { number };
          }),
        ),
      ),
    );
    await eventually(
      async () => nodes.every(({ timers }) => timers.activeTimers === 3) || undefined,
    );
    await lost.store.calls.forget({ callerId: CALL.callerId, key: "forgotten" });
    await lost.store.nodes.leave();
    let isOver = false;
    void outcomes.then(() => {
      isOver = true;
    });
    await eventually(async () => {
      for (const { timers } of nodes) timers.advance(250);
      return isOver || undefined;
    });
    const [set, add, forgotten, ...others] = await outcomes;
    expect([set, forgotten].map((outcome) => outcome?.status)).toEqual(["fulfilled", "fulfilled"]);
    expect(add).toMatchObject({ reason: { code: "CALL_OUTCOME_UNKNOWN" } });
    expect(others).toMatchObject([set, { reason: { code: "CALL_OUTCOME_UNKNOWN" } }, forgotten]);
    expect(executed.toSorted()).toEqual(["forgotten", "set"]);

    // The node was only slow: what it says about a call that another one executed is late.
    await lost.store.calls.settle({ ...CALL, key: "set" }, "failed", { code: "LATE" });
    await lost.store.calls.forget({ ...CALL, key: "set" });
    expect(await nodes[0]?.store.calls.get({ ...CALL, key: "set" })).toMatchObject({
      state: "succeeded",
    });
  });
});
