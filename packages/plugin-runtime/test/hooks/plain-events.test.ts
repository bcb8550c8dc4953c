import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestHost, type TestHost } from "../support/host.js";

const PLUGIN = join(import.meta.dirname, "../plugins/plain-events");

let stateDir: string;
let host: TestHost;

beforeAll(async () => {
  stateDir = mkdtempSync(join(tmpdir(), "plain-events-"));
  const folder = join(stateDir, "extensions/plain-events");
  mkdirSync(folder, { recursive: true });
  cpSync(PLUGIN, folder, { recursive: true });
  host = createTestHost(
    [],
    { entries: { "plain-events": { enabled: true, config: {} } } },
    { stateDir },
  );
  const { diagnostics } = await host.runtime.load();
  expect(diagnostics).toEqual([]);
});

afterAll(async () => {
  await host.runtime.dispose();
  rmSync(stateDir, { recursive: true });
});

/** The plugin's view of an object with these fields; it reads those that exist. */
function plain(fields: object, has: readonly string[]) {
  return {
    keys: Object.keys(fields),
    spread: fields,
    json: fields,
    clone: fields,
    equalsItsSpread: true,
    has,
  };
}

describe("plugin written in JavaScript", () => {
  it("[HOOK-037] [HOOK-038] spreads, serialises, clones and compares its event, and changes only its own copy", async () => {
    const event = {
      toolName: "read",
      params: { path: "a.txt", options: { tags: ["new"] } },
      runId: "run-1",
    };
    const before = structuredClone(event);
    const context = { callDepth: 0, sessionKey: "agent:main:main" };
    const result = await host.runtime.hooks.decide("before_tool_call", event, context);
    const seen = plain(before, ["toolName", "context"]);
    const lines = (result?.guidance ?? "").split("\n\n").map((line) => JSON.parse(line));
    expect(lines).toEqual([
      [seen, true],
      [seen, true],
    ]);
    expect(event).toEqual(before);
    expect(context).toEqual({ callDepth: 0, sessionKey: "agent:main:main" });
  });

  it("[HOOK-037] does the same with its context, which has its ID and configuration", async () => {
    const event = { to: "42", content: "hello", channel: "telegram" };
    const context = { callDepth: 0, messageProvider: "telegram" };
    const result = await host.runtime.hooks.decide("message_sending", event, context);
    const identity = { pluginId: "plain-events", hookName: "message_sending", pluginConfig: {} };
    expect(JSON.parse(result?.content ?? "")).toEqual([
      plain(event, ["to", "context"]),
      plain({ ...context, ...identity }, []),
    ]);
  });

  it("[HCR-022] has its own array of messages, and cannot write to a message", async () => {
    const messages: AgentMessage[] = ["one", "two"].map((text) => ({
      role: "user",
      content: [{ type: "text", text }],
      timestamp: 0,
    }));
    const event = { prompt: "three", messages };
    const result = await host.runtime.hooks.rewrite("before_prompt_build", event, { callDepth: 0 });
    expect(result).toEqual({ prependContext: "3 messages", appendContext: "one,two" });
    expect(messages).toHaveLength(2);
    const failed = host.lines.filter(({ fields }) => fields.code === "handler-failed");
    expect(failed).toHaveLength(1);
    expect(failed[0]?.fields.cause).toMatchObject({ cause: expect.any(TypeError) });
  });
});
