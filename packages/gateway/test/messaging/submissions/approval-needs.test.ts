import type { ApprovalNeed } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { createTestHost, gate, message, SESSION } from "../../support/host.js";

const ANA = {
  channel: "telegram",
  conversationId: "chat-9",
  senderId: "ana",
  senderIsOwner: false,
};
const OWNER_THERE = { ...ANA, senderId: "boss", senderIsOwner: true };
/** Text in the form of a key, which is masked wherever it is shown. */
const SECRET = `sk-ant-api03-${"a1B2c3D4".repeat(12)}`;

/** Creates a host whose model calls the tool of a message, `use <tool> <word>`. */
async function start() {
  const ran: string[] = [];
  const host = await createTestHost({
    concurrentTurns: 1,
    script: ({ prompt }) => {
      const [, toolName, what = ""] =
        /use (\w+) ([\w-]+)/.exec(JSON.stringify(prompt.at(-1))) ?? [];
      return toolName === undefined || prompt.at(-1)?.role === "tool"
        ? { text: "done" }
        : { toolCalls: [{ toolName, params: { what } }] };
    },
    register: (api) => {
      const register = (
        name: string,
        approval: ApprovalNeed | ((params: Record<string, unknown>) => ApprovalNeed),
      ) =>
        api.registerTool({
          name,
          description: `Does ${name}.`,
          parameters: { type: "object", properties: { what: { type: "string" } } },
          approval,
          execute: (_id, { what }) => {
            ran.push(`${name} ${String(what)}`);
            return "done";
          },
        });
      register("look", "never");
      register("change", "unless-granted");
      register("erase", "always");
      register("visit", ({ what }) => (what === "inside" ? "never" : "always"));
    },
  });
  /** Uses a tool; resolves with the request it makes, or with undefined once the turn has ended without one. */
  const use = async (tool: string, what: string, from: object = {}) => {
    const asked = gate();
    const shown: string[] = [];
    const surface = {
      send: async ({ text = "" }) => {
        shown.push(text);
        if (text.includes("code:")) asked.pass();
        return {};
      },
    };
    const outcome = host.flow.receive(message(`use ${tool} ${what}`, from), { surface });
    await Promise.race([asked.passed, outcome]);
    const [approval] = await host.store.decisions.approvals.pending(SESSION);
    return { approval, outcome, shown };
  };
  const say = async (text: string, from: object = {}) => {
    const outcome = await host.flow.receive(message(text, from), {});
    return "text" in outcome ? outcome.text : outcome.status;
  };
  return { host, ran, use, say };
}

describe("the approval that a tool declares", () => {
  it("[SUB-040] is never, unless granted, or always, or follows from the parameters", async () => {
    const { ran, use, say } = await start();
    expect((await use("look", "one")).approval).toBeUndefined();
    for (const tool of ["change", "erase"]) {
      const { approval, outcome } = await use(tool, "one");
      expect(approval?.tool).toBe(tool);
      await say("/deny");
      await outcome;
    }
    expect((await use("visit", "inside")).approval).toBeUndefined();
    const { approval, outcome } = await use("visit", "outside");
    expect(approval?.tool).toBe("visit");
    await say("/deny");
    await outcome;
    expect(ran).toEqual(["look one", "visit inside"]);
  });

  it("[SUB-041] stores the request, shows it in its conversation without secrets, and lets others work", async () => {
    const { host, ran, use, say } = await start();
    const { approval, outcome, shown } = await use("change", SECRET, OWNER_THERE);
    expect(approval).toMatchObject({ state: "pending", tool: "change" });
    const [text = ""] = shown;
    expect(shown).toHaveLength(1);
    for (const part of [approval?.code, "tool: change", approval?.title, "what"]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain(SECRET);
    expect(JSON.stringify(approval)).not.toContain(SECRET);
    const { threads } = await host.administration.threads(SESSION);
    expect(threads.map(({ state }) => state)).toEqual(["AwaitingApproval"]);
    // The only place for a turn is free.
    expect(await say("hello", { sessionKey: "agent:main:other" })).toBe("done");
    expect(ran).toEqual([]);
    await say("/approve", OWNER_THERE);
    expect(await outcome).toMatchObject({ text: "done" });
    expect(ran).toEqual([`change ${SECRET}`]);
  });

  it("[SUB-041] asks no more for a tool that is granted in the session, unless its need is always", async () => {
    const { ran, use, say } = await start();
    const { outcome } = await use("change", "one");
    await say("always");
    await outcome;
    expect((await use("change", "two")).approval).toBeUndefined();
    const first = await use("erase", "one");
    await say("always");
    await say("/approve");
    await first.outcome;
    const again = await use("erase", "two");
    expect(again.approval?.tool).toBe("erase");
    await say("/deny");
    await again.outcome;
    expect(ran).toEqual(["change one", "change two", "erase one"]);
  });

  it("[SUB-044] is decided by approvers only, and only once; others are told so", async () => {
    const { host, ran, use, say } = await start();
    const { approval, outcome } = await use("change", "one", ANA);
    const { id = "", code = "" } = approval ?? {};
    for (const words of ["yes", `/approve ${code}`, "/deny"]) {
      expect(await say(words, ANA), words).toContain("NOT_AUTHORIZED_TO_APPROVE");
    }
    expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state: "pending" });
    expect(ran).toEqual([]);
    expect(await say("yes", OWNER_THERE)).toContain("allowed once");
    expect(await outcome).toMatchObject({ text: "done" });
    expect(await say(`/deny ${code}`, OWNER_THERE)).toContain("already decided");
    expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state: "allowed-once" });
    expect(ran).toEqual(["change one"]);
  });
});
