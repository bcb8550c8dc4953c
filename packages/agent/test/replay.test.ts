import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  ReplayClock,
  type ReplayReport,
  readRecording,
  recordTurn,
  replayTurn,
  type TurnRecording,
} from "../src/index.js";
import { calling, plugin, type TurnHostOptions, tool, turnHost } from "./turn-host.js";

const SESSION = "agent:main:recorded";

/** Runs a turn behind an earlier one, and takes it out of its store as a file would hold it. */
async function recorded(options: TurnHostOptions, text = "hello"): Promise<TurnRecording> {
  const host = await turnHost(options);
  const { session } = await host.store.sessions.open(SESSION, { agentId: "main" });
  const { sessionId } = session;
  const at = { sessionKey: SESSION, sessionId };
  const earlier = {
    role: "user",
    content: [{ type: "text", text: "before" }],
    timestamp: 1,
  } as const;
  await host.store.transcript.append({
    sessionId,
    message: { ...earlier, content: [...earlier.content] },
  });
  await host.run({ ...at, runId: "run-1", text, isAttended: () => true });
  const turn = { ...at, runId: "run-1", agentId: "main" };
  return readRecording(JSON.parse(JSON.stringify(await recordTurn(turn, host.store))));
}

/** Replays a recording on a host of its own. */
async function replayed(recording: TurnRecording, options: TurnHostOptions): Promise<ReplayReport> {
  const clock = new ReplayClock(0);
  const store = await openStore({ file: ":memory:", now: clock.now });
  const host = await turnHost({ ...options, script: [], store, now: clock.now });
  onTestFinished(() => expect(host.requests).toEqual([]));
  return replayTurn(recording, { store, services: host.services, pin: host.pin, clock });
}

describe("a replayed turn", () => {
  const execute = vi.fn(() => "worked");
  const options: TurnHostOptions = {
    script: [{ text: "let me see", ...calling("work", "banned") }, { text: "done" }],
    coreTools: [tool("work", { execute }), tool("banned")],
    layers: [{ layer: "global", deny: ["banned"] }],
    plugins: [
      plugin("notes", (api) => {
        api.on("before_prompt_build", () => ({ appendContext: "Be brief." }));
        api.on("before_tool_call", () => ({ params: { more: true }, guidance: "Mind the gap." }));
        api.on("before_message_write", ({ message }) =>
          message.role === "toolResult" ? { message: { ...message, isError: true } } : undefined,
        );
        api.on("transform_response", ({ content }) => ({ content: `${content}!` }));
      }),
    ],
  };

  it("is identical with the same plugins and policy, and runs no tool and asks no model", async () => {
    const recording = await recorded(options);
    execute.mockClear();
    const report = await replayed(recording, options);
    expect(report).toEqual({ status: "identical", steps: expect.any(Number) });
    expect(report.steps).toBeGreaterThan(8);
    expect(execute).not.toHaveBeenCalled();
  });

  it("tells the first step that goes another way: the prompt", async () => {
    const recording = await recorded(options);
    const report = await replayed(recording, { ...options, plugins: [] });
    expect(report).toMatchObject({
      status: "diverged",
      divergence: {
        step: 1,
        expected: { kind: "turn-prepared", content: { prompt: { user: "hello\n\nBe brief." } } },
        got: { kind: "turn-prepared", content: { prompt: { user: "hello" } } },
      },
    });
  });
});
