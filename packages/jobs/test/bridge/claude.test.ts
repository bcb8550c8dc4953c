import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readLine } from "../../src/bridge/claude/lines.js";
import { digestOfCall } from "../../src/workers/external/gate-tools.js";
import { openBridgeScene } from "./support/bridge-scene.js";

// Each run starts two processes.
vi.setConfig({ testTimeout: 60_000 });

const CANARY = { tool: "external_tool", params: { tool: "openclaw_canary", input: {} } };
const denying = (reason: string) =>
  Promise.resolve({ content: [{ type: "text" as const, text: reason }], isError: true });

describe("the bridge to Claude Code", () => {
  it("[JOB-045] [JOB-531] [JOB-532] gives it the task, its calls the rules of the host and its model that of the job", async () => {
    const scene = await openBridgeScene({
      steps: [{ tool: "Read", input: { file_path: "a.txt" } }, { text: "It says: the secret." }],
    });
    writeFileSync(join(scene.workdir, "a.txt"), "the secret");
    const completion = await scene.run();
    expect(completion).toEqual({ success: true, message: "It says: the secret.", iterations: 2 });
    expect(scene.asked).toEqual([CANARY, { tool: "read", params: { path: "a.txt" } }]);
    expect(scene.sessions).toHaveLength(1);
    const [first, second] = scene.modelCalls;
    expect(first).toMatchObject({ model: "scripted/script", maxOutputTokens: 1000 });
    expect(JSON.stringify(first?.messages)).toContain("do it");
    // The result of its tool passes the safety pipeline, with the reply as the provider gave it.
    expect(second?.messages.at(-1)).toMatchObject({
      ...{ role: "toolResult", toolName: "Read" },
      content: [{ type: "text", text: "the [redacted]" }],
    });
    expect(second?.messages.at(-2)).toMatchObject({ provider: "scripted" });
    const shown = scene.published.map(({ type, text }) => `${type} ${text}`);
    expect(shown).toEqual(
      expect.arrayContaining([
        'tool_use {"file_path":"a.txt"}',
        "tool_result the [redacted]",
        "message It says: the [redacted].",
      ]),
    );
  });

  it("[JOB-532] denies what the host denies, and lets an approval take its time", async () => {
    let approve: () => void = () => {};
    const scene = await openBridgeScene({
      steps: [
        { tool: "Bash", input: { command: "touch denied" } },
        { tool: "Bash", input: { command: "touch approved" } },
        { tool: "TodoWrite", input: { todos: [] } },
      ],
      decide({ tool, params }) {
        const text = JSON.stringify(params);
        if (text.includes("denied")) return denying("policy denies it");
        if (!text.includes("approved")) return undefined;
        expect(tool).toBe("exec");
        return new Promise((resolve) => {
          approve = () => resolve({ content: [], details: undefined, isError: false });
        });
      },
    });
    // Asked before the call, the callback has no answer in time, and the request for permission waits for it.
    const running = scene.run({ patienceMs: 0 });
    await expect.poll(() => scene.asked.length, { timeout: 30_000 }).toBe(3);
    expect(scene.waits.at(-1)).toBe(true);
    approve();
    expect((await running).success).toBe(true);
    expect(existsSync(join(scene.workdir, "denied"))).toBe(false);
    // The host allowed other arguments than were asked for, as a plugin that changes them does.
    expect(existsSync(join(scene.workdir, "approved"))).toBe(false);
    const results = JSON.stringify(scene.modelCalls.map(({ messages }) => messages.at(-1)));
    expect(results).toContain("denied: policy denies it");
    expect(results).toContain("a plugin changed its arguments");
    expect(scene.asked.at(-1)).toEqual({
      ...{ tool: "external_tool", params: { tool: "TodoWrite", input: { todos: [] } } },
    });
    expect(scene.waits.at(-1)).toBe(false);
  });

  it("[JOB-533] refuses to start when Claude Code does not ask, or ignores a denial", async () => {
    for (const [behaviour, problem] of [
      [{ asks: false }, "made the canary call without asking"],
      [{ respects: false }, "made the canary call although it was denied"],
    ] as const) {
      const scene = await openBridgeScene({ behaviour });
      const { success, message } = await scene.run();
      expect(success).toBe(false);
      expect(message).toContain(problem);
      expect(scene.modelCalls).toEqual([]);
    }
    const scene = await openBridgeScene({
      decide: ({ params }) =>
        Promise.resolve({ content: [], details: { digest: digestOfCall(params) } }),
    });
    expect((await scene.run()).message).toContain("the host allowed the canary call");
  });

  it("[JOB-534] keeps lines that it does not know", async () => {
    const scene = await openBridgeScene({ behaviour: { says: '{"type":"news","text":"x"}' } });
    expect((await scene.run()).success).toBe(true);
    expect(scene.published.map(({ text }) => text)).toContain(
      'unknown line: {"type":"news","text":"x"}',
    );
    for (const line of ["", "{", "[]", "null", '{"type":"control_request"}', "text"]) {
      expect(readLine(line).kind, line).toBe("unknown");
    }
  });

  it("[JOB-045] asks for prompts every 2 s, and 5 s after an error", async () => {
    const waits: number[] = [];
    const { promise, resolve } = withResolvers();
    const scene = await openBridgeScene({
      prompts(request) {
        if (request === 2) throw new Error("the database is busy");
        return request === 1 ? ["and b"] : [];
      },
      steps: [{ text: "a", after: promise }, { text: "b" }],
    });
    const running = scene.run({
      async wait(ms, signal) {
        waits.push(ms);
        if (waits.length <= 3) return;
        resolve();
        await new Promise<void>((done) => signal.addEventListener("abort", () => done()));
      },
    });
    await promise;
    expect(waits).toEqual([2000, 2000, 5000, 2000]);
    expect((await running).success).toBe(true);
    expect(JSON.stringify(scene.modelCalls.at(-1)?.messages)).toContain("and b");
  });

  it("[JOB-535] continues its session after a restart, and the host answers the same call again", async () => {
    const call = { type: "toolCall" as const, toolCallId: "c", toolName: "exec" };
    const command = { command: "touch again" };
    const scene = await openBridgeScene({
      steps: [{ text: "first" }, { tool: "Bash", input: command }, { text: "second" }],
      progress: [
        {
          ...{ role: "assistant", provider: "", model: "", stopReason: "tool-calls", timestamp: 0 },
          content: [{ ...call, params: command }],
        },
        {
          ...{ role: "toolResult", toolCallId: "c", toolName: "exec", isError: false },
          ...{ content: [{ type: "text", text: "allowed" }], timestamp: 0 },
        },
      ],
    });
    await scene.run();
    const [session = ""] = scene.sessions;
    await scene.run({ resume: session });
    expect(existsSync(join(scene.workdir, "again"))).toBe(true);
    expect(scene.asked.filter(({ tool }) => tool === "exec")).toEqual([]);
    const last = JSON.stringify(scene.modelCalls.at(-1)?.messages);
    expect(last).toContain("do it");
    expect(last).toContain("The host was restarted");
    // A session that it does not know begins with the task.
    await scene.run({ resume: "unknown" });
    expect(scene.published.map(({ text }) => text)).toContainEqual(
      expect.stringContaining("does not know the session unknown of the earlier run"),
    );
  });

  it("[JOB-045] fails when its model calls are used up", async () => {
    const step = { tool: "TodoWrite", input: {} };
    const scene = await openBridgeScene({ steps: [step, step, step] });
    expect(await scene.run({ maxTurns: 2 })).toEqual({
      ...{ success: false, message: "error_max_turns", iterations: 2 },
    });
  });
});

function withResolvers() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
