import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import {
  type ApprovalCause,
  type ApprovalRequest,
  type ApprovalSettings,
  digestOf,
  grantKeyOf,
} from "../src/index.js";
import { brokerHost, callRequest, OWNER, pendingRequest } from "./support/broker-host.js";
import { programs } from "./support/programs.js";

const ALWAYS = { decision: "allow-always", via: "test" } as const;
const DOUBT: ApprovalCause = { kind: "doubt", toolNeed: "unless-granted" };
const isSandboxed = async () => true;

/** A broker whose only program is `touch`, and the requests of commands. */
async function commandHost(settings: ApprovalSettings = {}) {
  const { workspaceDir } = await temporaryWorkspace();
  const bin = await programs("touch");
  const place = { path: bin, workspaceDir };
  const host = await brokerHost({ settings, place });
  const request = async (text: string, changes: Partial<ApprovalRequest> = {}) =>
    callRequest({
      kind: "exec",
      toolName: "exec",
      params: { command: text },
      command: await parseCommand(text),
      ...changes,
    });
  const verdict = async (text: string, changes: Partial<ApprovalRequest> = {}) =>
    await host.broker.ask(await request(text, changes));
  return { ...host, place, program: join(bin, "touch"), request, verdict };
}

describe("a setting for commands", () => {
  it("[APPR-046] lets a literal command run as parsed, in the sandbox where there is one", async () => {
    const flag = { approvedTools: ["exec"] };
    const plain = await commandHost(flag);
    const parsed = (program: string) => ({ pipelines: [{ programs: [{ program }] }] });
    expect(await plain.verdict("touch a")).toMatchObject({
      authority: { by: "advance", command: parsed(plain.program) },
    });
    const bounded = await commandHost({ ...flag, isSandboxed });
    expect(await bounded.verdict("touch a")).toMatchObject({
      authority: { by: "sandbox", command: parsed(bounded.program) },
    });
  });

  it("[APPR-046] covers no doubt outside the sandbox, even of a literal command", async () => {
    const { verdict } = await commandHost({ approvedTools: ["exec"] });
    expect(await verdict("touch a", { cause: DOUBT })).toMatchObject({ status: "pending" });
  });

  it("[APPR-046] for any command covers nothing that a plugin wants", async () => {
    const { verdict } = await commandHost({ approvedTools: ["exec=any"] });
    expect(await verdict("touch $x")).toMatchObject({ authority: { by: "any-command" } });
    const cause = { kind: "plugin" } as const;
    expect(await verdict("touch $x", { cause })).toMatchObject({ status: "pending" });
  });
});

describe("a trusted policy", () => {
  it("[APPR-043] meets the need of the tool, and nothing that a plugin or a rule wants", async () => {
    const { broker } = await brokerHost();
    const satisfiedBy = { policy: "rules/reading", reason: "it only reads" };
    const status = async (kind: "tool" | "policy" | "safety" | "plugin") =>
      (await broker.ask(callRequest({ satisfiedBy, cause: { kind } }))).status;
    expect(await status("tool")).toBe("allowed");
    for (const kind of ["policy", "safety", "plugin"] as const) {
      expect([kind, await status(kind)]).toEqual([kind, "pending"]);
    }
  });
});

describe("elevated mode", () => {
  it("[SAFE-054] covers the need of a tool, and no doubt about a command", async () => {
    const { broker, verdict } = await commandHost();
    const { sessionKey, agentId, requester } = callRequest();
    await broker.elevate({ sessionKey, agentId, requester }, OWNER);
    expect(await verdict("touch a")).toMatchObject({ authority: { by: "advance" } });
    expect(await verdict("touch a", { cause: DOUBT })).toMatchObject({ status: "pending" });
  });
});

describe("a grant", () => {
  it("[APPR-022] does not cover a call that must be asked about each time", async () => {
    const { broker } = await brokerHost();
    await broker.decide((await pendingRequest(broker)).id, ALWAYS, OWNER);
    expect(await broker.ask(callRequest())).toEqual({ status: "allowed" });
    const each = callRequest({ allowedDecisions: ["allow-once", "deny"] });
    expect(await broker.ask(each)).toMatchObject({ status: "pending" });
  });

  it("[APPR-038] is neither offered for a computed command, nor does one cover it", async () => {
    const { verdict, request, place, store } = await commandHost();
    const computed = await request("touch $x");
    const shown = await verdict("touch $x");
    expect(shown).toMatchObject({
      status: "pending",
      approval: { allowedDecisions: ["allow-once", "deny"] },
    });
    const { scope, key } = await grantKeyOf(computed, digestOf(computed), place);
    const { sessionKey, agentId, requester } = computed;
    await store.decisions.grants.add({
      kind: "exec",
      tool: "exec",
      scope,
      key,
      label: "touch $x",
      sessionKey,
      agentId,
      requester,
      createdBy: "terminal:owner",
    });
    expect(await verdict("touch $x")).toMatchObject({ status: "pending" });
  });
});

describe("a grant of one person", () => {
  it.each([
    ["of the word always", "session"],
    ["for the requester", "requester"],
  ] as const)(
    "[APPR-281] %s covers no other person, and the audit names who benefits",
    async (_what, scope) => {
      const { broker, store } = await brokerHost();
      const owner = {
        channel: "telegram",
        accountId: "default",
        senderId: "ann",
        isOwner: true,
      } as const;
      const { id } = await pendingRequest(broker, { requester: owner });
      await broker.decide(id, { ...ALWAYS, scope }, OWNER);
      const status = async (requester: ApprovalRequest["requester"]) =>
        (await broker.ask(callRequest({ requester }))).status;
      expect(await status(owner)).toBe("allowed");
      const { isOwner: _, ...person } = owner;
      for (const other of [
        person,
        { ...person, senderId: "bo" },
        { ...owner, senderId: "bo" },
        { ...owner, accountId: "token" },
        { ...owner, channel: "api" },
      ]) {
        expect([other, await status(other)]).toEqual([other, "pending"]);
      }
      const entries = await store.decisions.auditLog.list();
      expect(entries.find(({ event }) => event === "granted")).toMatchObject({
        actor: { channel: "terminal", id: "owner" },
        reason: "covers calls of telegram:ann",
      });
      expect(entries.find(({ event }) => event === "consumed")).toMatchObject({
        actor: { channel: "telegram", id: "ann" },
        reason: "granted by terminal:owner",
      });
    },
  );

  it("[APPR-281] reaches other persons only with a scope that includes them", async () => {
    const { broker, store } = await brokerHost();
    await broker.decide((await pendingRequest(broker)).id, { ...ALWAYS, scope: "agent" }, OWNER);
    const bo = { channel: "telegram", accountId: "default", senderId: "bo" };
    expect(await broker.ask(callRequest({ requester: bo }))).toEqual({ status: "allowed" });
    const entries = await store.decisions.auditLog.list();
    expect(entries.find(({ event }) => event === "granted")).toMatchObject({
      reason: "covers calls of every person",
    });
  });
});

describe("a call that asks each time", () => {
  const file = { grantKey: '["/workspace/AGENTS.md"]', covers: "of exactly /workspace/AGENTS.md" };
  const followed = callRequest({ ...file, asksEachTime: true });

  it("[APPR-280] is covered by no setting, trusted policy, elevated mode or wider grant", async () => {
    const { broker } = await brokerHost({ settings: { approvedTools: ["write"] } });
    const { sessionKey, agentId, requester } = followed;
    expect(await broker.ask(callRequest())).toMatchObject({ status: "allowed" });
    expect(await broker.ask(followed)).toMatchObject({ status: "pending" });
    const satisfiedBy = { policy: "rules/files", reason: "it is in the workspace" };
    expect(await broker.ask({ ...followed, satisfiedBy })).toMatchObject({ status: "pending" });
    await broker.elevate({ sessionKey, agentId, requester }, OWNER);
    expect(await broker.ask(followed)).toMatchObject({ status: "pending" });

    for (const wide of [{}, { grantKey: "/workspace", coversBelow: true }]) {
      const { broker: other } = await brokerHost();
      await other.decide((await pendingRequest(other, wide)).id, ALWAYS, OWNER);
      expect(await other.ask(followed)).toMatchObject({ status: "pending" });
    }
  });

  it("[APPR-280] is covered by a grant of exactly its files", async () => {
    const { broker } = await brokerHost();
    await broker.decide((await pendingRequest(broker, followed)).id, ALWAYS, OWNER);
    expect(await broker.ask(followed)).toEqual({ status: "allowed" });
    const other = { ...followed, grantKey: '["/workspace/CLAUDE.md"]' };
    expect(await broker.ask(other)).toMatchObject({ status: "pending" });
  });

  it("[APPR-280] gets no grant when it is a command, and the setting for every command does not cover it", async () => {
    const { broker, request } = await commandHost({ approvedTools: ["exec=any"] });
    const command = await request("touch AGENTS.md", { asksEachTime: true });
    expect(await broker.ask(await request("touch a.md"))).toMatchObject({ status: "allowed" });
    const { id } = await pendingRequest(broker, command);
    await expect(broker.decide(id, ALWAYS, OWNER)).rejects.toThrow(/allow-always/);
    await broker.decide(id, { decision: "allow-once", via: "test" }, OWNER);
    const { broker: other, request: again } = await commandHost();
    await other.decide((await pendingRequest(other, await again("touch a.md"))).id, ALWAYS, OWNER);
    const linked = await again("touch a.md", { asksEachTime: true });
    expect(await other.ask(linked)).toMatchObject({ status: "pending" });
  });

  it("[APPR-280] is denied without an approver, and says that no setting allows it", async () => {
    const { broker } = await brokerHost();
    const description = "Changes AGENTS.md, which coding agents follow.";
    const verdict = await broker.ask({ ...followed, description, isAttended: false });
    expect(verdict).toMatchObject({
      status: "denied",
      reason: expect.stringMatching(/no setting allows this call\. Changes AGENTS\.md/),
    });
  });
});

describe("a command that the read-only sandbox bounds", () => {
  const contained = { policy: "approvals/commands", reason: "it only reads" };

  it("[APPR-261] runs without approval there, and needs it where no sandbox is active", async () => {
    const bounded = await commandHost({ isSandboxed });
    expect(await bounded.verdict("touch *", { contained })).toEqual({
      status: "allowed",
      authority: { by: "contained", command: undefined },
    });
    const plain = await commandHost();
    expect(await plain.verdict("touch *", { contained })).toMatchObject({ status: "pending" });
  });

  it("[APPR-261] needs approval for every reason but the need of the tool", async () => {
    const { verdict } = await commandHost({ isSandboxed });
    for (const changes of [
      { need: "always" },
      { severity: "critical" },
      { cause: { kind: "plugin" } },
      { cause: { kind: "policy" } },
      { cause: { kind: "safety" } },
      { cause: DOUBT },
    ] satisfies Partial<ApprovalRequest>[]) {
      expect(await verdict("touch *", { contained, ...changes })).toMatchObject({
        status: "pending",
      });
    }
  });
});
