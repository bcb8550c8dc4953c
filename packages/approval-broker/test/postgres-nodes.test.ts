import { randomUUID } from "node:crypto";
import type { ResolvedApproval } from "@openclaw/plugin-sdk/approvals";
import { openStore } from "@openclaw/store";
import { describe, expect, inject, it, vi } from "vitest";
import { brokerHost, callRequest, OWNER, pendingRequest } from "./support/broker-host.js";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl?: string;
  }
}

// The server takes longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const allow = { decision: "allow-once", via: "test" } as const;

/** Opens the brokers of two nodes on one empty database; the first one is known to be there. */
async function openNodes(settings: object = {}) {
  const url = `${inject("postgresUrl")}?schema=approvals_${randomUUID()}`;
  const notified: ResolvedApproval[] = [];
  const open = async (nodeId: string, options: object = {}) =>
    brokerHost({ store: await openStore({ url, nodeId }), ...settings, ...options });
  const one = await open("one");
  const two = await open("two", {
    notifyPlugin: async (approval: ResolvedApproval) => void notified.push(approval),
  });
  const report = { name: "machine", version: "1.0.0", facts: {} };
  await one.store.nodes.report(report, 60_000);
  return { one, two, notified };
}

describe("approval requests of several nodes", () => {
  it("[APPR-532] tell the callback of the call on its node only of a decision on another one", async () => {
    const { one, two, notified } = await openNodes();
    const resolutions: string[] = [];
    const { broker } = one;
    const asked = await broker.ask(
      callRequest({
        pluginId: "guard",
        onResolution: (resolution) => void resolutions.push(resolution),
      }),
    );
    if (asked.status !== "pending") throw new Error(`the request is ${asked.status}`);
    const { id } = asked.approval;
    const decided = new Promise((resolve) => broker.onDecided(resolve));
    await two.broker.decide(id, allow, OWNER);
    expect(await decided).toMatchObject({ id, state: "allowed-once" });
    expect(resolutions).toEqual(["allow-once"]);
    await two.broker.takeOver();
    expect(notified).toEqual([]);
  });

  it("[APPR-530] end a wait also when the announcements were removed before the node read them", async () => {
    const { one, two } = await openNodes();
    const { id } = await pendingRequest(one.broker);
    const settled = one.broker.settled(id, new AbortController().signal);
    // Still pending: the wait continues.
    one.store.topics.publish("notices-lost");
    await two.store.decisions.approvals.decide(id, { state: "denied", by: "test", via: "test" });
    one.store.topics.publish("notices-lost");
    expect(await settled).toMatchObject({ id, state: "denied" });
  });

  it("[APPR-030] count votes that arrive at two nodes at the same time", async () => {
    const settings = { rules: [{ match: {}, quorum: { count: 2 } }] };
    const { one, two } = await openNodes({ settings });
    const voter = (senderId: string) => ({ channel: "chat", senderId, isOwner: true });
    const { id } = await pendingRequest(one.broker);
    const twice = await Promise.allSettled([
      one.broker.decide(id, allow, voter("ann")),
      two.broker.decide(id, allow, voter("ann")),
    ]);
    expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await one.broker.verdict(id)).toMatchObject({ status: "pending" });
    const last = await Promise.allSettled([
      one.broker.decide(id, allow, voter("bob")),
      two.broker.decide(id, allow, voter("eve")),
    ]);
    // The second of the two is too late: the request is allowed.
    expect(last.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const approval = await two.store.decisions.approvals.get(id);
    expect(approval).toMatchObject({ state: "allowed-once" });
    expect(await one.store.decisions.votes.list(id)).toHaveLength(2);
  });
});
