import { randomUUID } from "node:crypto";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSessionTools, type SessionVisibility } from "../../src/sessions/sessions.js";
import { callTool, refusalOf, toolsOf } from "../support/call-tool.js";

const MINUTE = 60_000;
const START = 1_700_000_000_000;

const said = (role: "user" | "assistant", text: string): AgentMessage =>
  role === "user"
    ? { role, content: [{ type: "text", text }], timestamp: 0 }
    : {
        role,
        content: [{ type: "text", text }],
        provider: "p",
        model: "m",
        stopReason: "stop",
        timestamp: 0,
      };

async function sessions(visibility?: SessionVisibility) {
  let time = START;
  const now = () => time;
  const store = await openStore({ file: ":memory:", now });
  onTestFinished(() => store.close());
  const write = async (
    key: string,
    senderId: string,
    channel = "terminal",
    accountId = "default",
  ) => {
    const id = randomUUID();
    await store.messages.inbox.accept({
      id,
      channel,
      accountId,
      conversationId: key,
      senderId,
      content: "hi",
      attachments: [],
      receivedAt: time,
      metadata: {},
    });
    await store.messages.inbox.settle(id, {
      state: "queued",
      sessionKey: key,
      runId: randomUUID(),
    });
  };
  const open = async (
    key: string,
    agentId: string,
    messages: AgentMessage[] = [],
    senderId = "ann",
  ) => {
    const { session } = await store.sessions.open(key, { agentId, channel: "terminal" });
    await write(key, senderId);
    for (const message of messages) {
      await store.messages.transcript.append({ sessionId: session.sessionId, message });
    }
    time += MINUTE;
    return session;
  };
  const ann = {
    sessionKey: "agent:main:new",
    messageChannel: "terminal",
    requesterSenderId: "ann",
  };
  const tools = toolsOf([createSessionTools(store, { now, visibility })], ann);
  return {
    open,
    write,
    run: (name: string, params: Record<string, unknown> = {}) => callTool(tools, name, params),
  };
}

describe("sessions_list", () => {
  it("[TURN-064] lists the agent's own sessions, the newest first", async () => {
    const { open, run } = await sessions();
    await open("agent:main:old", "main");
    await open("agent:other:x", "other");
    await open("agent:main:new", "main", [said("user", "hi")]);
    expect((await run("sessions_list")).details).toEqual([
      {
        sessionKey: "agent:main:new",
        channel: "terminal",
        updatedAt: new Date(START + 2 * MINUTE).toISOString(),
        messageCount: 1,
      },
      expect.objectContaining({ sessionKey: "agent:main:old" }),
    ]);
    expect((await run("sessions_list", { limit: 1 })).details).toHaveLength(1);
    expect((await run("sessions_list", { activeMinutes: 1 })).details).toHaveLength(1);
  });
});

describe("sessions_history", () => {
  it("[TURN-064] returns the newest messages, and tool messages only when requested", async () => {
    const { open, run } = await sessions();
    await open("agent:main:a", "main", [
      said("user", "first"),
      {
        ...said("assistant", ""),
        role: "assistant",
        content: [{ type: "toolCall", toolCallId: "1", toolName: "time", params: { a: 1 } }],
      } as AgentMessage,
      {
        role: "toolResult",
        toolCallId: "1",
        toolName: "time",
        content: [{ type: "text", text: "noon" }],
        isError: false,
        timestamp: 0,
      },
      said("assistant", "it is noon"),
    ]);
    const history = async (params: Record<string, unknown>) => {
      const { details } = await run("sessions_history", { sessionKey: "agent:main:a", ...params });
      return (details as { messages: { text: string }[] }).messages;
    };
    expect((await history({})).map(({ text }) => text)).toEqual(["first", "it is noon"]);
    expect((await history({ limit: 1 })).map(({ text }) => text)).toEqual(["it is noon"]);
    expect(await history({ includeTools: true })).toMatchObject([
      { role: "user" },
      { role: "assistant", toolCalls: [{ toolName: "time", params: '{"a":1}' }] },
      { role: "toolResult", toolName: "time", text: "noon", isError: false },
      { role: "assistant" },
    ]);
  });

  it("skips many tool messages, truncates long ones and stays within bounds", async () => {
    const { open, run } = await sessions();
    const silent = Array.from({ length: 250 }, () => said("assistant", ""));
    await open("agent:main:a", "main", [said("user", "far back"), ...silent]);
    const far = await run("sessions_history", { sessionKey: "agent:main:a" });
    expect(far.details).toMatchObject({ messages: [{ text: "far back" }] });

    const long = Array.from({ length: 60 }, (_, at) => said("user", `${at} ${"x".repeat(5000)}`));
    await open("agent:main:b", "main", long);
    const { details } = await run("sessions_history", { sessionKey: "agent:main:b", limit: 60 });
    const { messages } = details as { messages: { text: string }[] };
    expect(messages.at(-1)?.text).toMatch(/^59 x{1997}…$/);
    expect(JSON.stringify(messages).length).toBeLessThan(61_000);
    expect(messages.length).toBeGreaterThan(20);
  });
});

describe("session_status", () => {
  it("[TURN-064] describes this session, or another of the agent", async () => {
    const { open, run } = await sessions();
    const old = await open("agent:main:old", "main");
    await open("agent:main:new", "main");
    expect((await run("session_status")).details).toMatchObject({
      sessionKey: "agent:main:new",
      current: true,
      idleMs: MINUTE,
    });
    expect((await run("session_status", { sessionKey: "agent:main:old" })).details).toMatchObject({
      sessionId: old.sessionId,
      createdAt: new Date(START).toISOString(),
      current: false,
    });
  });
});

it.each(["sessions_history", "session_status"])(
  "[TURN-064] %s reports another agent's session as not found",
  async (name) => {
    const { open, run } = await sessions();
    await open("agent:other:secret", "other", [said("user", "hidden")]);
    await open("agent:main:sacred", "main");
    const other = refusalOf(await run(name, { sessionKey: "agent:other:secret" }), "not-found");
    const absent = refusalOf(await run(name, { sessionKey: "agent:other:nobody" }), "not-found");
    expect(other.replace("secret", "nobody").split(".")[0]).toBe(absent.split(".")[0]);
    expect(other).not.toContain("hidden");
  },
);

describe("sessions of other senders", () => {
  async function withOthers(visibility?: SessionVisibility) {
    const made = await sessions(visibility);
    await made.open("agent:main:ann", "main", [said("user", "mine")]);
    await made.open("agent:main:bob", "main", [said("user", "of bob")], "bob");
    await made.open("agent:main:group", "main", [said("user", "of both")]);
    await made.write("agent:main:group", "bob");
    await made.open("agent:main:account", "main");
    await made.write("agent:main:account", "ann", "terminal", "second");
    await made.open("agent:main:channel", "main");
    await made.write("agent:main:channel", "ann", "api");
    return made;
  }
  const FOREIGN = ["bob", "group", "account", "channel"].map((name) => `agent:main:${name}`);

  it("[TURN-064] are inaccessible and reported as not found", async () => {
    const { open, run } = await withOthers();
    const { details } = await run("sessions_list");
    expect(details).toMatchObject([{ sessionKey: "agent:main:ann" }]);
    for (const sessionKey of FOREIGN) {
      const history = refusalOf(await run("sessions_history", { sessionKey }), "not-found");
      refusalOf(await run("session_status", { sessionKey }), "not-found");
      expect(history).not.toContain("of b");
    }
    // The session itself is accessible, regardless of who else writes in it.
    await open("agent:main:new", "main", [], "bob");
    expect((await run("session_status")).details).toMatchObject({ current: true });
    expect((await run("sessions_list")).details).toHaveLength(2);
  });

  it("[TURN-064] remain accessible to the sender when another session wrote to them", async () => {
    const { write, run } = await withOthers();
    await write("agent:main:ann", "agent:main:bob", "session");
    const sessionKey = "agent:main:ann";
    expect((await run("sessions_history", { sessionKey })).details).toMatchObject({ sessionKey });
  });

  it("[TURN-064] are accessible when the operator sets tools.sessions.visibility to agent", async () => {
    const { open, run } = await withOthers("agent");
    await open("agent:other:x", "other");
    expect((await run("sessions_list")).details).toHaveLength(5);
    for (const sessionKey of FOREIGN) {
      expect((await run("sessions_history", { sessionKey })).details).toMatchObject({ sessionKey });
    }
    refusalOf(await run("sessions_history", { sessionKey: "agent:other:x" }), "not-found");
  });
});
