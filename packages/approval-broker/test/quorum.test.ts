import { describe, expect, it } from "vitest";
import { ApprovalVoteRefusedError } from "../src/index.js";
import { brokerHost, callRequest, OWNER, pendingRequest } from "./support/broker-host.js";

const allow = { decision: "allow-once", via: "test" } as const;
const deny = { decision: "deny", via: "test" } as const;
const person = (senderId: string, changes: object = {}) => ({
  ...{ channel: "telegram", senderId, isOwner: false, mayApprove: true },
  ...changes,
});
const rule = (quorum: object, match: object = { tool: "write" }) => ({
  rules: [{ match, quorum: { count: 2, ...quorum } }],
});

describe("requests that several people must allow", () => {
  it("[APPR-030] [APPR-533] [APPR-534] wait for the votes of different people, and offer no always", async () => {
    const { broker, store } = await brokerHost({ settings: rule({}) });
    const updated: string[] = [];
    broker.onUpdated(({ id }) => updated.push(id));
    const decided: string[] = [];
    broker.onDecided(({ state }) => decided.push(state));
    const asked = await pendingRequest(broker, { timeoutBehavior: "allow" });
    const { id, code } = asked;
    expect(asked).toMatchObject({ quorum: { count: 2 }, timeoutBehavior: "deny" });
    expect(asked.allowedDecisions).toEqual(["allow-once", "deny"]);

    expect(await broker.decide(id, allow, person("bob"))).toMatchObject({ state: "pending" });
    expect(updated).toEqual([id]);
    const again = broker.decide(code, allow, person("bob"));
    await expect(again).rejects.toThrow(ApprovalVoteRefusedError);
    await expect(again).rejects.toThrow(
      `approval ${code} needs several people: telegram:bob has voted already`,
    );
    expect(decided).toEqual([]);
    expect(await broker.decide(id, allow, person("eve"))).toMatchObject({
      ...{ state: "allowed-once", decidedBy: "telegram:eve" },
    });
    expect(decided).toEqual(["allowed-once"]);
    const votes = await broker.votesOf(asked);
    expect(votes.map(({ by, decision }) => `${by} ${decision}`)).toEqual([
      "telegram:bob allow",
      "telegram:eve allow",
    ]);
    const events = (await store.decisions.auditLog.list({ approvalId: id })).map(
      ({ event, actor }) => `${event} ${actor?.id ?? ""}`.trim(),
    );
    expect(events).toEqual(["decided eve", "voted eve", "refused bob", "voted bob", "created"]);
    await broker.begin({ id, digest: asked.digest }, async () => {});
  });

  it("[APPR-030] are denied by the first person who denies them", async () => {
    const { broker } = await brokerHost({ settings: rule({}) });
    const { id } = await pendingRequest(broker);
    await broker.decide(id, allow, person("bob"));
    expect(await broker.decide(id, deny, person("eve"))).toMatchObject({ state: "denied" });
    await expect(broker.decide(id, allow, person("dan"))).rejects.toMatchObject({
      code: "APPROVAL_ALREADY_DECIDED",
    });
  });

  it("[APPR-030] count holders of the gateway's token as one person", async () => {
    const { broker } = await brokerHost({ settings: rule({}) });
    const { id } = await pendingRequest(broker);
    const holder = (channel: string) => ({ channel, senderId: "operator", isOwner: true });
    await broker.decide(id, allow, holder("terminal"));
    for (const channel of ["http", "websocket", "cli"]) {
      await expect(broker.decide(id, allow, holder(channel))).rejects.toThrow("has voted already");
    }
    await expect(
      broker.decide(id, allow, { channel: "api", senderId: "api", isOwner: true }),
    ).rejects.toThrow("has voted already");
  });

  it.each([
    {
      quorum: { notRequester: true },
      voter: person("ann"),
      problem: "telegram:ann caused the call, and its rule asks for other people",
    },
    {
      quorum: { roles: ["owner"] },
      voter: person("bob"),
      problem: "its rule counts votes of the role owner only, and telegram:bob is approver",
    },
    {
      quorum: { roles: ["approver"] },
      voter: OWNER,
      problem: "its rule counts votes of the role approver only, and terminal:owner is owner",
    },
  ])(
    "[APPR-030] reject a vote that the rule $quorum does not count, but not a denial",
    async ({ quorum, voter, problem }) => {
      const { broker } = await brokerHost({ settings: rule(quorum) });
      const { id } = await pendingRequest(broker);
      await expect(broker.decide(id, allow, voter)).rejects.toThrow(problem);
      expect(await broker.decide(id, deny, voter)).toMatchObject({ state: "denied" });
    },
  );

  it.each([
    { match: {}, count: 2 },
    { match: { tool: "write", kind: "tool", severity: "warning", agentId: "main" }, count: 2 },
    { match: { tool: "exec" }, count: undefined },
    { match: { kind: "plugin" }, count: undefined },
    { match: { severity: "critical" }, count: undefined },
    { match: { agentId: "other" }, count: undefined },
  ])("[APPR-030] are those that $match describes", async ({ match, count }) => {
    const { broker } = await brokerHost({ settings: rule({}, match) });
    expect((await pendingRequest(broker)).quorum?.count).toBe(count);
  });

  it("[APPR-533] are not covered by what one person has granted before", async () => {
    const { broker, restarted } = await brokerHost();
    const { id } = await pendingRequest(broker);
    await broker.decide(id, { decision: "allow-always", via: "test" }, OWNER);
    expect(await broker.ask(callRequest())).toMatchObject({ status: "allowed" });
    const { sessionKey, agentId, requester } = callRequest();
    await broker.elevate({ sessionKey, agentId, requester }, OWNER);
    const other = { params: { path: "/elsewhere/b.txt" } };
    expect(await broker.ask(callRequest(other))).toMatchObject({ status: "allowed" });

    const ruled = restarted({ settings: rule({}) });
    expect(await ruled.ask(callRequest())).toMatchObject({ status: "pending" });
    expect(await ruled.ask(callRequest(other))).toMatchObject({ status: "pending" });
  });
});
