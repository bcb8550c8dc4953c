import { type InboundMessage, routeInput } from "@openclaw/messaging";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { inState } from "../../jobs/support/only-job.js";
import { addRoutine, ended } from "../../routines/support/routine.js";
import { eventually } from "../../support/eventually.js";
import { createTestHost, message, type TestHostOptions } from "../../support/host.js";

/** Returns a host whose model calls a tool for every message. */
function launching(options: TestHostOptions = {}) {
  return createTestHost({
    ...options,
    script: ({ prompt }) =>
      prompt.at(-1)?.role === "tool"
        ? { text: "done" }
        : { toolCalls: [{ toolName: "launch", params: {} }] },
    register: (api: OpenClawPluginApi) =>
      api.registerTool({
        name: "launch",
        description: "launches",
        parameters: { type: "object", properties: {} },
        approval: "unless-granted",
        execute: () => "launched",
      }),
  });
}

describe("/elevated", () => {
  it("[SAFE-054] lets the tools of a session run without approval until it is off", async () => {
    const host = await launching();
    const say = async (text: string) => {
      const outcome = await host.flow.receive(message(text), {});
      return "text" in outcome ? outcome.text : outcome.status;
    };
    const launch = async () => {
      await say("go");
      return host.asked().at(-1) ?? "";
    };
    expect(await launch()).toContain("no approver reachable");
    expect(await say("/elevated 600")).toContain("on for 600 s");
    expect(await launch()).toContain("launched");
    expect(await say("/elevated off")).toBe("Elevated mode is off.");
    expect(await say("/elevated off")).toBe("Elevated mode was not on.");
    expect((await host.store.decisions.auditLog.list({ limit: 1 }))[0]).toMatchObject({
      event: "revoked",
    });
  });

  it.each<[string, Partial<InboundMessage>]>([
    ["another member", { senderIsOwner: false, senderId: "member" }],
    ["another owner", { senderId: "second" }],
    ["the same name without the rights of an owner", { senderIsOwner: false }],
    ["the same name of another account", { accountId: "token" }],
    [
      "a user that a client names",
      { senderIsOwner: false, senderId: "operator", accountId: "user" },
    ],
  ])("[APPR-281] covers no turn that %s starts in the session", async (_who, sender) => {
    const host = await launching();
    const say = (text: string, from: Partial<InboundMessage> = {}) =>
      host.flow.receive(message(text, from), {});
    const launched = async (from: Partial<InboundMessage> = {}) => {
      await say("go", from);
      return host.asked().at(-1) ?? "";
    };
    await say("/elevated 600");
    expect(await launched()).toContain("launched");
    expect(await launched(sender)).toContain("no approver reachable");
    expect(await launched()).toContain("launched");
    const [entry] = await host.store.decisions.auditLog.list({ limit: 1 });
    const { channel, senderId } = message("");
    expect(entry).toMatchObject({
      event: "consumed",
      actor: { channel, id: senderId },
      reason: `granted by ${channel}:${senderId}`,
    });
    const granted = (await host.store.decisions.auditLog.list()).find(
      ({ event }) => event === "granted",
    );
    expect(granted?.reason).toBe(`covers calls of ${channel}:${senderId}`);
  });

  it.each(["the group", "a thread of the group"])(
    "[APPR-281] with a grant covers no turn of a member in %s, nor a job or routine of theirs",
    async (place) => {
      const host = await launching();
      await host.jobs.recover();
      await host.routines.recover();
      const inThread = place === "the group" ? {} : { threadId: "7" };
      const room = { kind: "group", id: "g" } as const;
      const group = { channel: "test", conversationId: "g", room, sessionKey: undefined };
      const owner = { ...group, ...inThread, senderId: "owner", senderIsOwner: true };
      const member = { ...group, ...inThread, senderId: "member", senderIsOwner: false };
      const say = (text: string, from: Partial<InboundMessage>) =>
        host.flow.receive(message(text, from), {});
      const lastResult = () => JSON.stringify(JSON.parse(host.asked().at(-1) ?? "[]").at(-1));
      const launched = async (from: Partial<InboundMessage>) => {
        await say("go", from);
        return lastResult().includes("launched");
      };
      const waits = () =>
        eventually(async () => {
          const [request] = await host.store.decisions.approvals.list({ state: "pending" });
          return request;
        });
      const leave = host.presence.attend({ channel: "test", show: () => undefined });
      const first = say("go", member);
      const { code, sessionKey } = await waits();
      await say(`/approve ${code} always`, owner);
      await first;
      expect(lastResult()).toContain("launched");
      leave();
      // The word of the owner for the request of a member allows that call only.
      expect(await launched(member)).toBe(false);
      await say("/elevated 600", owner);
      expect(await launched(owner)).toBe(true);
      expect(await launched(member)).toBe(false);
      // Another place of the group is another session, also for the owner.
      const elsewhere = place === "the group" ? { threadId: "7" } : { threadId: undefined };
      expect(await launched({ ...owner, ...elsewhere })).toBe(false);

      const before = host.asked().length;
      await host.jobs.create({
        ...{ title: "Launch", description: "Launch it.", agentId: "main" },
        ...{ creator: message("", member), askedIn: sessionKey },
      });
      await inState(host.store, "completed");
      const { routineId } = await addRoutine(host, {
        ...{ manual: true, creator: message("", member), askedIn: sessionKey },
      });
      await host.routines.run(routineId, { isOperator: true, owner: "" });
      await ended(host.store, routineId, 1);
      const later = host.asked().slice(before).join();
      expect(later).toContain("no approver reachable");
      expect(later).not.toContain("launched");
      const used = (await host.store.decisions.auditLog.list()).filter(
        ({ event, grantId }) => event === "consumed" && grantId !== undefined,
      );
      expect(used).toMatchObject([{ actor: { channel: "test", id: "owner" } }]);
    },
  );

  it("rejects senders who are not owners", async () => {
    const host = await launching();
    const stranger = { senderIsOwner: false, senderId: "stranger" };
    expect(await host.flow.receive(message("/elevated", stranger), {})).toMatchObject({
      status: "answered",
      text: "Only an owner can turn elevated mode on or off.",
    });
    expect(await host.store.decisions.grants.list()).toEqual([]);
  });

  it.each([
    ["/elevated", { kind: "Elevate" }],
    [" /Elevated 60 ", { kind: "Elevate", seconds: 60 }],
    ["/elevated off", { kind: "Elevate", seconds: 0 }],
    ["/elevated now", { kind: "Command", name: "elevated", args: ["now"], text: "now" }],
    ["/elevated -5", { kind: "Command", name: "elevated", args: ["-5"], text: "-5" }],
    ["tell me of /elevated", undefined],
  ])("parses %s as %j", (text, command) => {
    expect(routeInput(text)).toEqual(command);
  });
});
