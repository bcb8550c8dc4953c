import type { MemoryFlush } from "@openclaw/plugin-runtime";
import { messageText } from "@openclaw/plugin-sdk/tools";
import { expect, it } from "vitest";
import { runTurn } from "../../src/index.js";
import { turnHost } from "../support/turn-host.js";

const TEXT = "one two three four five six seven eight nine ten";

/** Runs a turn of a long conversation in a host with a memory that flushes. */
async function compacted(flush: MemoryFlush["flush"]) {
  const host = await turnHost({
    contextLimits: { tokens: 112, threshold: 0.8 },
    script: [{ text: "They counted." }, { text: "done" }],
  });
  const { sessionId } = host;
  for (let index = 0; index < 6; index += 1) {
    const content = [{ type: "text" as const, text: `${TEXT} ${index}` }];
    const message = { role: "user" as const, content, timestamp: 1 };
    await host.store.messages.transcript.append({ sessionId, message });
  }
  const memoryFlush = { pluginId: "notes", flush };
  const request = host.request({ text: "go on" });
  const outcome = await runTurn(request, host.services, { ...host.pin, memoryFlush });
  return { host, outcome };
}

it("[MEM-055] a compaction gives the memory the messages that leave, and does not wait for it", async () => {
  const given: Parameters<MemoryFlush["flush"]>[0][] = [];
  const { outcome } = await compacted((leaving) => {
    given.push(leaving);
    return new Promise(() => undefined);
  });
  expect(outcome).toMatchObject({ status: "completed" });
  expect(given).toMatchObject([{ agentId: "main", runId: expect.any(String) }]);
  expect(given[0]?.messages.map(messageText)[0]).toBe(`${TEXT} 0`);
  expect(given[0]?.messages.length).toBeLessThan(6);
});

it("[MEM-055] a memory that cannot keep messages is a line in the log", async () => {
  const { host, outcome } = await compacted(async () => {
    throw new Error("no server");
  });
  expect(outcome).toMatchObject({ status: "completed" });
  const told = host.lines.filter(({ fields }) => fields.code === "MEMORY_FLUSH_FAILED");
  expect(told.map(({ message }) => message)).toEqual([expect.stringContaining("no server")]);
});
