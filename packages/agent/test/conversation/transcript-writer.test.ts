import type { HookHandler } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage, DeepReadonly, JsonValue } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { startTurn } from "../../src/context/turn.js";
import { writeToolResult } from "../../src/conversation/transcript-writer.js";
import { ResumeState } from "../../src/journal/resume-state.js";
import { calling, NOW, plugin, textOf, tool, turnHost } from "../support/turn-host.js";

type Writer = HookHandler<"before_message_write">;
type Persister = HookHandler<"tool_result_persist">;
type Answer = { message?: AgentMessage; block?: boolean };
type Shown = DeepReadonly<AgentMessage>;

/** A host whose model calls the core tool `work` and then says `done`. */
function hostWith(hooks: {
  write?: Writer;
  persist?: Persister;
  closed?: boolean;
  details?: JsonValue;
}) {
  const { write, persist, closed = false, details } = hooks;
  const options = closed ? { mode: "fail-closed" as const } : {};
  const content = [{ type: "text" as const, text: "work ran" }];
  return turnHost({
    script: [calling("work"), { text: "done" }],
    coreTools: [
      tool("work", { execute: () => (details === undefined ? { content } : { content, details }) }),
    ],
    plugins: [
      plugin("scribe", (api) => {
        if (write !== undefined) api.on("before_message_write", write, options);
        if (persist !== undefined) api.on("tool_result_persist", persist, options);
      }),
    ],
  });
}

const roles = (messages: readonly AgentMessage[]) => messages.map(({ role }) => role);
const only = (role: AgentMessage["role"], message: Shown, answer: Answer) =>
  message.role === role ? answer : undefined;

/** A message as hooks are shown it, with other fields. */
function changed(message: Shown, changes: object): AgentMessage {
  return { ...(structuredClone(message) as AgentMessage), ...changes };
}

/** A message as hooks are shown it, with another text. */
function saying(message: Shown, text: string): AgentMessage {
  return changed(message, { content: [{ type: "text", text }] });
}

describe("transcript without message hooks", () => {
  it("[APPR-011] contains no secret of a tool call, with which the tool runs and which the journal has", async () => {
    const token = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
    const params = { to: "moon", account: { password: "tulips-at-nine" }, note: `use ${token}` };
    const given: unknown[] = [];
    const host = await turnHost({
      script: [{ toolCalls: [{ toolName: "work", params }] }, { text: "done" }],
      coreTools: [
        tool("work", {
          parameters: { type: "object", additionalProperties: true },
          execute: (_id: string, own: unknown) => {
            given.push(own);
            return "worked";
          },
        }),
      ],
    });
    await host.run({ runId: "run-9" });
    expect(given).toEqual([params]);
    const steps = await host.store.turns.journal.load("run-9");
    expect(steps.map(({ step }) => step)).toContainEqual(
      expect.objectContaining({ kind: "tool-intended", params }),
    );
    const called = (await host.transcript())[1];
    expect(called?.content).toEqual([
      expect.objectContaining({
        params: {
          to: "moon",
          account: { password: "[REDACTED]" },
          note: expect.not.stringContaining(token),
        },
      }),
    ]);
    // The next request has the call as the transcript has it.
    expect(JSON.stringify(host.requests.at(-1))).not.toContain(token);
  });

  it("contains the messages in order under their run", async () => {
    const host = await hostWith({});
    await host.run({ runId: "run-9" });
    expect(await host.transcript()).toEqual([
      { role: "user", content: [{ type: "text", text: "hello" }], timestamp: NOW },
      {
        role: "assistant",
        content: [{ type: "toolCall", toolCallId: "call-1", toolName: "work", params: {} }],
        provider: "scripted",
        model: "script",
        stopReason: "tool-calls",
        timestamp: NOW,
        usage: { cost: { usd: "0", estimated: false } },
      },
      {
        role: "toolResult",
        toolCallId: "call-1",
        toolName: "work",
        isError: false,
        content: [{ type: "text", text: "work ran" }],
        timestamp: NOW,
      },
      {
        role: "assistant",
        content: [{ type: "text", text: "done" }],
        provider: "scripted",
        model: "script",
        stopReason: "stop",
        timestamp: NOW,
        usage: { cost: { usd: "0", estimated: false } },
      },
    ]);
    const entries = await host.store.messages.transcript.load(host.sessionId);
    expect(new Set(entries.map(({ runId }) => runId))).toEqual(new Set(["run-9"]));
  });

  it("reports every message after it is written", async () => {
    const host = await hostWith({});
    await host.run();
    const reported = host.events.flatMap((event) =>
      event.type === "message" ? [event.message] : [],
    );
    expect(reported).toEqual(await host.transcript());
  });
});

describe("before_message_write", () => {
  it("[TURN-042] receives every message and the recipient", async () => {
    const seen: unknown[] = [];
    const host = await hostWith({
      write: ({ message, sessionKey, agentId }) =>
        void seen.push([message.role, sessionKey, agentId]),
    });
    await host.run();
    const place = ["agent:main:main", "main"];
    expect(seen).toEqual([
      ["user", ...place],
      ["assistant", ...place],
      ["toolResult", ...place],
      ["assistant", ...place],
    ]);
  });

  it("[TURN-042] can replace a message; the model continues from the written one", async () => {
    const host = await hostWith({
      write: ({ message }) => only("toolResult", message, { message: saying(message, "redacted") }),
    });
    await host.run();
    expect((await host.toolResults()).map(textOf)).toEqual(["redacted"]);
    expect(JSON.stringify(host.requests[1]?.prompt)).toContain("redacted");
    expect(JSON.stringify(host.requests[1]?.prompt)).not.toContain("work ran");
  });

  it("can keep a message out of the transcript; the turn continues", async () => {
    const host = await hostWith({
      write: ({ message }) => (message.role === "toolResult" ? undefined : { block: true }),
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(roles(await host.transcript())).toEqual(["toolResult"]);
    expect(JSON.stringify(host.requests[1]?.prompt)).toContain("work ran");
  });

  it("[TURN-042] cannot leave a call without a result: a placeholder is written", async () => {
    const host = await hostWith({
      write: ({ message }) => only("toolResult", message, { block: true }),
    });
    await host.run();
    expect(await host.toolResults()).toEqual([
      {
        role: "toolResult",
        toolCallId: "call-1",
        toolName: "work",
        isError: false,
        content: [{ type: "text", text: "[A plugin removed this result.]" }],
        timestamp: NOW,
      },
    ]);
    expect(JSON.stringify(host.requests[1]?.prompt)).not.toContain("work ran");
  });

  it("keeps the message out when a fail-closed handler fails", async () => {
    const host = await hostWith({
      closed: true,
      write: ({ message }) => {
        if (message.role !== "assistant") return;
        throw new Error("broken");
      },
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(roles(await host.transcript())).toEqual(["user", "toolResult"]);
  });

  it.each<[string, Writer]>([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["returns a promise", (async () => ({ block: true })) as never],
  ])("[TURN-042] is ignored when it %s", async (_what, write) => {
    const host = await hostWith({ write });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(roles(await host.transcript())).toEqual([
      "user",
      "assistant",
      "toolResult",
      "assistant",
    ]);
  });
});

describe("tool_result_persist", () => {
  it("[TURN-042] receives the result of a call and can replace it", async () => {
    const seen: unknown[] = [];
    const host = await hostWith({
      persist: ({ toolName, toolCallId, message, isSynthetic }) => {
        seen.push([toolName, toolCallId, isSynthetic]);
        return { message: saying(message, "shorter") };
      },
    });
    await host.run();
    expect(seen).toEqual([["work", "call-1", false]]);
    expect((await host.toolResults()).map(textOf)).toEqual(["shorter"]);
  });

  it("[TURN-042] runs before before_message_write", async () => {
    const host = await hostWith({
      persist: ({ message }) => ({ message: saying(message, "first") }),
      write: ({ message }) =>
        only("toolResult", message, { message: saying(message, `${textOf(message)}, second`) }),
    });
    await host.run();
    expect((await host.toolResults()).map(textOf)).toEqual(["first, second"]);
  });

  it("rethrows an error that a handler did not cause", async () => {
    const { pin, ...host } = await hostWith({});
    const released = {
      detailedSync() {
        throw new Error("the pin was released");
      },
    };
    const hooks = Object.assign(Object.create(pin.hooks), released);
    const resumeState = new ResumeState("run-1");
    const dependencies = { ...host.services, resumeState };
    const turn = startTurn(host.request(), { ...pin, hooks }, dependencies);
    const call = { role: "toolResult" as const, toolCallId: "call-1", toolName: "work" };
    const message = { ...call, isError: false, content: [], timestamp: NOW };
    await expect(writeToolResult(turn, message, false)).rejects.toThrow("the pin was released");
  });

  it("leaves a placeholder when a fail-closed handler fails", async () => {
    const host = await hostWith({
      closed: true,
      persist: () => {
        throw new Error("broken");
      },
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect((await host.toolResults()).map(textOf)).toEqual(["[A plugin removed this result.]"]);
  });
});

describe("invalid message replacement", () => {
  it("is ignored, and the log names its plugin", async () => {
    const host = await hostWith({
      persist: ({ message }) => ({ message: changed(message, { toolCallId: "call-7" }) }),
      write: ({ message }) =>
        only("user", message, { message: changed(message, { role: "assistant" }) }),
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(roles(await host.transcript())).toEqual([
      "user",
      "assistant",
      "toolResult",
      "assistant",
    ]);
    expect((await host.toolResults()).map(textOf)).toEqual(["work ran"]);
    const line = {
      level: "error",
      message: expect.stringContaining('plugin "scribe" returned an invalid replacement'),
      fields: { code: "MESSAGE_REPLACEMENT_INVALID", pluginId: "scribe" },
    };
    expect(host.lines).toEqual([line, line]);
  });
});

describe("large details", () => {
  const keys = Array.from({ length: 25 }, (_, index) => `key${index}`);
  const large = Object.fromEntries(keys.map((key) => [key, "x".repeat(400)]));

  it("[TURN-043] [HCR-014] are kept up to 8192 bytes of JSON", async () => {
    const details = "x".repeat(8190);
    const host = await hostWith({ details });
    await host.run();
    expect((await host.toolResults())[0]).toMatchObject({ details });
    expect((await host.toolResults())[0]).not.toHaveProperty("persistedDetailsTruncated");
  });

  it.each<[string, JsonValue, string[]]>([
    ["an object, by 20 of its keys", large, keys.slice(0, 20)],
    ["a list", ["x".repeat(8200)], []],
    ["a text", "x".repeat(8191), []],
  ])("[TURN-043] [HCR-014] are replaced by a summary: %s", async (_what, details, shownKeys) => {
    const host = await hostWith({ details });
    await host.run();
    expect((await host.toolResults())[0]).toMatchObject({
      details: {
        summary: "details were too large to keep",
        originalBytes: Buffer.byteLength(JSON.stringify(details)),
        keys: shownKeys,
      },
      persistedDetailsTruncated: true,
      content: [{ type: "text", text: "work ran" }],
    });
  });

  it("[TURN-043] [HCR-014] are measured after the hooks, which receive them whole and can replace them", async () => {
    const seen: unknown[] = [];
    const host = await hostWith({
      details: large,
      persist: ({ message }) => {
        if (message.role === "toolResult") seen.push(message.details);
        return { message: changed(message, { details: "y".repeat(9000) }) };
      },
    });
    await host.run();
    expect(seen).toEqual([large]);
    expect((await host.toolResults())[0]).toMatchObject({
      details: { originalBytes: 9002 },
      persistedDetailsTruncated: true,
    });
  });
});
