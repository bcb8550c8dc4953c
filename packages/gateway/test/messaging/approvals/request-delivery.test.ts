import type { Caller } from "@openclaw/messaging";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { compilePolicy } from "@openclaw/tool-policy";
import { describe, expect, it } from "vitest";
import {
  createTestHost,
  gate,
  message,
  OWNER,
  openTestStore,
  SESSION,
  type TestHost,
} from "../../support/host.js";

const ANA = {
  channel: "telegram",
  conversationId: "chat-9",
  senderId: "ana",
  senderIsOwner: false,
};
const BOSS = { ...ANA, senderId: "boss", senderIsOwner: true };

/** Registers a tool that needs approval, and records its runs. */
function registerAct(ran: string[]) {
  return (api: OpenClawPluginApi) =>
    api.registerTool({
      name: "act",
      label: "Act",
      description: "Acts.",
      parameters: { type: "object", properties: { what: { type: "string" } } },
      approval: "unless-granted",
      execute: (_id, { what }) => {
        ran.push(String(what));
        return "acted";
      },
    });
}

const acting = (what = "now") => ({ toolCalls: [{ toolName: "act", params: { what } }] });

/** Creates a surface that records its messages and lets a test wait for them. */
function screen() {
  const sent: string[] = [];
  const waiting: { holds: (text: string) => boolean; resolve: (text: string) => void }[] = [];
  return {
    sent,
    async send({ text = "" }) {
      sent.push(text);
      for (const each of waiting.filter(({ holds }) => holds(text))) each.resolve(text);
      return {};
    },
    /** Resolves with the first text that contains a part, sent before or after the call. */
    has(part: string): Promise<string> {
      const found = sent.find((text) => text.includes(part));
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve) => {
        waiting.push({ holds: (text) => text.includes(part), resolve });
      });
    },
  };
}

function say(host: TestHost, text: string, from: object, surface: NonNullable<Caller["surface"]>) {
  return host.flow.receive(message(text, from), { surface });
}

describe("approval request in a conversation", () => {
  it("[APPR-025] [APPR-027] [APPR-028] is sent to its surface and decided there by an approver", async () => {
    const ran: string[] = [];
    const host = await createTestHost({
      register: registerAct(ran),
      script: [acting(), { text: "Acted." }],
    });
    const chat = screen();
    const asked = say(host, "act", ANA, chat);
    const question = await chat.has("Act?");
    const [approval] = await host.store.decisions.approvals.pending(SESSION);
    for (const part of ["tool: act", "ana (telegram)", `code: ${approval?.code}`]) {
      expect(question).toContain(part);
    }
    expect(question).toContain(`digest ${approval?.digest.slice(0, 8)}`);
    const refused = await say(host, "y", ANA, chat);
    expect(refused).toMatchObject({ status: "answered" });
    expect(chat.sent.at(-1)).toContain("NOT_AUTHORIZED_TO_APPROVE");
    expect(ran).toEqual([]);
    expect(await say(host, "y", BOSS, chat)).toMatchObject({ status: "answered" });
    expect(await asked).toMatchObject({ status: "replied", text: "Acted." });
    expect(ran).toEqual(["now"]);
    expect(chat.sent.filter((text) => text.includes("Act?"))).toHaveLength(1);
    const events = (
      await host.store.decisions.auditLog.list({ approvalId: approval?.id ?? "" })
    ).map(({ event, via }) => `${event} ${via ?? ""}`.trim());
    expect(events).toEqual([
      "consumed",
      "decided chat",
      "refused chat",
      "delivered telegram",
      "created",
    ]);
  });

  it("[APPR-025] keeps its code and digest when a hook rewrites it", async () => {
    const host = await createTestHost({
      script: [acting(), { text: "Acted." }],
      register(api) {
        registerAct([])(api);
        api.on("message_sending", ({ content }) => ({
          content: content.replace(/code: .*/, "code: AAAAAA, digest 00000000").slice(0, 120),
        }));
      },
    });
    const chat = screen();
    const asked = say(host, "act", BOSS, chat);
    const question = await chat.has("Act?");
    const [approval] = await host.store.decisions.approvals.pending(SESSION);
    expect(question).toContain(`code: ${approval?.code}, digest ${approval?.digest.slice(0, 8)}`);
    await say(host, `/deny ${approval?.code}`, BOSS, chat);
    await asked;
  });

  it("makes other input wait, and tells its sender the tool and the code", async () => {
    const ran: string[] = [];
    const host = await createTestHost({
      register: registerAct(ran),
      script: [acting(), { text: "Acted." }, { text: "Hello." }],
    });
    const chat = screen();
    const asked = say(host, "act", BOSS, chat);
    await chat.has("Act?");
    const other = say(host, "and hello", BOSS, chat);
    const reminder = await chat.has("Your message waits");
    const [approval] = await host.store.decisions.approvals.pending(SESSION);
    expect(reminder).toContain(`${approval?.code} (act)`);
    await say(host, "ok", BOSS, chat);
    expect(await asked).toMatchObject({ text: "Acted." });
    expect(await other).toMatchObject({ status: "replied", text: "Hello." });
  });

  it("[APPR-027] leaves decision words as ordinary input when no request is pending", async () => {
    const host = await createTestHost({ script: () => ({ text: "You said ok." }) });
    const chat = screen();
    expect(await say(host, " Ok ", BOSS, chat)).toMatchObject({ status: "replied" });
    expect(host.asked().at(-1)).toContain(" Ok ");
    expect(await say(host, "/approve", BOSS, chat)).toMatchObject({
      status: "answered",
      text: "No pending approvals here.",
    });
    expect(await say(host, "/approve@other K7MPQ2", BOSS, chat)).toMatchObject({
      status: "answered",
      text: "",
    });
    expect(host.asked()).toHaveLength(1);
  });

  it("[APPR-015] [APPR-023] is cancelled when its session is reset, which also ends the session's grants", async () => {
    const ran: string[] = [];
    const host = await createTestHost({
      register: registerAct(ran),
      script: [acting("first"), { text: "Acted." }, acting("second"), { text: "Called off." }],
    });
    const chat = screen();
    const first = say(host, "act", BOSS, chat);
    await chat.has("Act?");
    await say(host, "always", BOSS, chat);
    await first;
    expect(await host.store.decisions.grants.list()).toMatchObject([{ scope: "session" }]);
    await say(host, "/reset", BOSS, chat);
    expect(await host.store.decisions.grants.list()).toEqual([]);
    const second = say(host, "act again", BOSS, chat);
    await chat.has('{"what":"second"}');
    const [approval] = await host.store.decisions.approvals.pending(SESSION);
    await say(host, "/new", BOSS, chat);
    await second;
    expect(ran).toEqual(["first"]);
    expect(await host.store.decisions.approvals.get(approval?.id ?? "")).toMatchObject({
      state: "cancelled",
      decidedBy: "reset",
    });
  });

  it("[APPR-023] is not needed for a granted call, but no grant overrides a denial by policy", async () => {
    const store = await openTestStore();
    const ran: string[] = [];
    const script = [acting("first"), { text: "Acted." }, acting("second"), { text: "Acted." }];
    const host = await createTestHost({ store, register: registerAct(ran), script });
    const chat = screen();
    const asked = say(host, "act", BOSS, chat);
    await chat.has("Act?");
    await say(host, "always", BOSS, chat);
    await asked;
    await say(host, "act", BOSS, chat);
    expect(ran).toEqual(["first", "second"]);
    const denying = compilePolicy([{ layer: "global", deny: ["act"] }]);
    const strict = await createTestHost({
      store,
      register: registerAct(ran),
      script: [acting("third"), { text: "It was denied." }],
      policy: denying,
    });
    await say(strict, "act", BOSS, chat);
    expect(ran).toEqual(["first", "second"]);
    expect(await store.decisions.grants.list()).toMatchObject([{ tool: "act", uses: 1 }]);
  });

  it("[APPR-031] is denied at once without an approver, naming the settings that would allow it", async () => {
    const ran: string[] = [];
    const host = await createTestHost({
      register: registerAct(ran),
      script: [acting(), { text: "It was denied." }],
    });
    expect(await host.flow.receive(message("act", BOSS), {})).toMatchObject({
      status: "replied",
      text: "It was denied.",
    });
    const told = host.asked().at(-1);
    expect(told).toContain("no approver reachable");
    expect(told).toContain("--approve-tool act");
    expect(told?.replaceAll("\\", "")).toContain('"approval": { "act": "never" }');
    expect(await host.store.decisions.approvals.list()).toEqual([]);
    expect(ran).toEqual([]);
  });

  it("[APPR-031] stays pending without an approver when the operator configured it to wait", async () => {
    const ran: string[] = [];
    const host = await createTestHost({
      register: registerAct(ran),
      script: [acting(), { text: "Acted." }],
      approvals: { headless: "wait" },
    });
    let stored = () => {};
    const asked = new Promise<void>((resolve) => {
      stored = resolve;
    });
    host.approvals.onRequested(() => stored());
    const reply = host.flow.receive(message("act", BOSS), {});
    await asked;
    const [approval] = await host.store.decisions.approvals.pending(SESSION);
    expect(ran).toEqual([]);
    await host.approvals.decide(
      approval?.code ?? "",
      { decision: "allow-once", via: "test" },
      OWNER,
    );
    expect(await reply).toMatchObject({ text: "Acted." });
    expect(ran).toEqual(["now"]);
  });

  it("of a subagent is shown in the conversation of its parent", async () => {
    const ran: string[] = [];
    const answered = gate();
    const host = await createTestHost({
      register: registerAct(ran),
      script({ prompt }) {
        const last = prompt.at(-1);
        const said = JSON.stringify(last?.content);
        if (said.includes("acted")) return { text: "The child acted." };
        if (last?.role === "tool") return { text: "Done.", waitFor: answered.passed };
        if (said.includes("the task")) return acting("in the child");
        return { toolCalls: [{ toolName: "sessions_spawn", params: { task: "the task" } }] };
      },
    });
    const chat = screen();
    const asked = say(host, "begin", BOSS, chat);
    const question = await chat.has("Act?");
    const [, code = ""] = /code: (\w{6})/.exec(question) ?? [];
    expect(await host.store.decisions.approvals.pending(SESSION)).toEqual([]);
    await say(host, `/approve ${code}`, BOSS, chat);
    answered.pass();
    await asked;
    await host.live.idle();
    expect(ran).toEqual(["in the child"]);
  });

  it("is shown to approvers who join later, and as settled to all once it is decided", async () => {
    const host = await createTestHost({
      register: registerAct([]),
      script: [acting(), { text: "Acted." }],
    });
    const chat = screen();
    const asked = say(host, "act", BOSS, chat);
    await chat.has("Act?");
    const seen: string[] = [];
    let over = () => {};
    const isOver = new Promise<void>((resolve) => {
      over = resolve;
    });
    const stop = host.presence.attend({
      channel: "ui",
      show({ state }) {
        seen.push(state);
        if (state === "pending") void say(host, "n", BOSS, chat);
        else over();
      },
    });
    await isOver;
    expect(seen).toEqual(["pending", "denied"]);
    stop();
    expect(host.presence.isAttended(["agent:main:other"])).toBe(false);
    await asked;
    expect(host.presence.isAttended([SESSION])).toBe(false);
  });
});
