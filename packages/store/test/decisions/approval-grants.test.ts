import { describe, expect, it } from "vitest";
import type { NewApprovalGrant } from "../../src/decisions.js";
import { StoreArgumentError } from "../../src/errors.js";
import { openTestStore, START, storeDatabase } from "../support/open-store.js";

const requester = { channel: "test", accountId: "account", senderId: "sender" };
const call = { key: "k1", sessionKey: "session", agentId: "agent", requester };

function newGrant(changes: Partial<NewApprovalGrant> = {}): NewApprovalGrant {
  return {
    kind: "tool",
    tool: "write",
    scope: "session",
    label: "Write a file?",
    createdBy: "test:owner",
    ...call,
    ...changes,
  };
}

describe("store.approvalGrants", () => {
  it("[APPR-020] stores a grant and counts its uses across a reopen", async () => {
    const database = storeDatabase();
    const store = await openTestStore({ ...database, now: () => START });
    const granted = await store.decisions.grants.add(newGrant());
    expect(granted).toEqual({
      ...newGrant(),
      id: expect.stringMatching(
        /^grt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      createdAt: START,
      uses: 0,
    });
    await store.close();
    const { grants: approvalGrants } = (await openTestStore({ ...database, now: () => START + 1 }))
      .decisions;
    expect(await approvalGrants.use(call)).toMatchObject({ id: granted.id, uses: 1 });
    expect(await approvalGrants.use(call)).toMatchObject({ uses: 2, lastUsedAt: START + 1 });
    expect(await approvalGrants.get(granted.id)).toMatchObject({ uses: 2 });
    expect(await approvalGrants.get("grt_nothing")).toBeUndefined();
  });

  it.each([
    ["session", { agentId: "x" }, { sessionKey: "x" }],
    ["session", {}, { requester: { ...requester, senderId: "x" } }],
    ["session", {}, { requester: { ...requester, accountId: "x" } }],
    ["session", {}, { requester: { ...requester, channel: "x" } }],
    ["session", { requester: { ...requester, isOwner: true } }, { sessionKey: "x" }],
    ["requester", { sessionKey: "x" }, { agentId: "x" }],
    ["requester", {}, { requester: { ...requester, senderId: "x" } }],
    ["agent", { sessionKey: "x", requester: { ...requester, senderId: "x" } }, { agentId: "x" }],
    ["global", { sessionKey: "x", agentId: "x" }, { key: "k2" }],
  ] as const)(
    "[APPR-021] applies within its scope %s and not beyond",
    async (scope, within, beyond) => {
      const { grants: approvalGrants } = (await openTestStore()).decisions;
      await approvalGrants.add(newGrant({ scope }));
      expect(await approvalGrants.use({ ...call, ...within })).toBeDefined();
      expect(await approvalGrants.use({ ...call, ...beyond })).toBeUndefined();
      expect(await approvalGrants.use({ ...call, key: "k2" })).toBeUndefined();
    },
  );

  it.each(["session", "requester"] as const)(
    "[APPR-281] with scope %s needs an owner where an owner was granted it",
    async (scope) => {
      const { grants: approvalGrants } = (await openTestStore()).decisions;
      const owner = { ...requester, isOwner: true } as const;
      await approvalGrants.add(newGrant({ scope, requester: owner }));
      expect(await approvalGrants.use(call)).toBeUndefined();
      expect(await approvalGrants.use({ ...call, requester: owner })).toMatchObject({
        requester: owner,
      });
    },
  );

  it("allows nothing after it has expired", async () => {
    const time = { now: START };
    const { grants: approvalGrants } = (await openTestStore({ now: () => time.now })).decisions;
    await approvalGrants.add(newGrant({ ttlMs: 10 }));
    time.now += 9;
    expect(await approvalGrants.use(call)).toMatchObject({ expiresAt: START + 10 });
    time.now += 1;
    expect(await approvalGrants.use(call)).toBeUndefined();
    expect(await approvalGrants.list()).toEqual([]);
    expect(await approvalGrants.list({ all: true })).toHaveLength(1);
  });

  it("allows nothing after revoking one, those of an ended session, or all", async () => {
    const { grants: approvalGrants } = (await openTestStore()).decisions;
    const one = await approvalGrants.add(newGrant());
    const two = await approvalGrants.add(newGrant({ key: "k2" }));
    const wide = await approvalGrants.add(newGrant({ key: "k3", scope: "agent" }));
    const ids = (grants: readonly { id: string }[]) => grants.map(({ id }) => id).sort();
    expect(ids(await approvalGrants.list())).toEqual(ids([one, two, wide]));
    expect(ids(await approvalGrants.list({ sessionKey: "x" }))).toEqual([]);
    expect(ids(await approvalGrants.list({ limit: 1 }))).toEqual([wide.id]);
    await expect(approvalGrants.list({ limit: 0 })).rejects.toThrow(StoreArgumentError);

    expect(await approvalGrants.revoke({ id: one.id })).toMatchObject([
      { id: one.id, revokedAt: expect.any(Number) },
    ]);
    expect(await approvalGrants.revoke({ id: one.id })).toEqual([]);
    expect(await approvalGrants.use(call)).toBeUndefined();
    expect(ids(await approvalGrants.revoke({ endedSession: "session" }))).toEqual([two.id]);
    expect(await approvalGrants.use({ ...call, key: "k3" })).toBeDefined();
    expect(ids(await approvalGrants.revoke("all"))).toEqual([wide.id]);
    expect(await approvalGrants.use({ ...call, key: "k3" })).toBeUndefined();
  });

  it("[APPR-023] covers calls under a newer grant when an older one was revoked", async () => {
    const { grants } = (await openTestStore()).decisions;
    const older = await grants.add(newGrant());
    const newer = await grants.add(newGrant());
    await grants.revoke({ id: older.id });
    expect(await grants.use(call)).toMatchObject({ id: newer.id });
  });

  it("[APPR-023] ends with its session, and with no other", async () => {
    const { grants } = (await openTestStore()).decisions;
    const ended = await grants.add(newGrant());
    const running = await grants.add(newGrant({ sessionKey: "other" }));
    const revoked = await grants.revoke({ endedSession: "session" });
    expect(revoked.map(({ id }) => id)).toEqual([ended.id]);
    expect(await grants.use({ ...call, sessionKey: "other" })).toMatchObject({ id: running.id });
  });
});
