import { fdatasync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestHost, message, type TestHostOptions } from "../../support/host.js";

const flushData = promisify(fdatasync);

/** A host whose commits are counted: one that waits for each commit flushes once for each. */
async function countingHost(options: TestHostOptions = {}) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const counted = { commits: 0 };
  const store = await openStore({
    file: join(folder.path, "store.db"),
    durability: "power",
    async flushFile(descriptor) {
      counted.commits += 1;
      await flushData(descriptor);
    },
  });
  onTestFinished(() => store.close());
  return { host: await createTestHost({ ...options, store }), counted };
}

describe("the commits of a turn without tools", () => {
  it("[SUB-028] [TURN-054] are one for each step that may not share one", async () => {
    const { host, counted } = await countingHost();
    await host.flow.receive(message("hello"), {});
    counted.commits = 0;
    expect(await host.flow.receive(message("again"), {})).toMatchObject({ status: "replied" });
    // Message and turn; prompt and model request; model response; answer, end and reply.
    expect(counted.commits).toBe(4);
  });

  it("[TURN-054] are one more for a message that a plugin sees before its turn", async () => {
    const { host, counted } = await countingHost({
      register: (api) => api.on("message_received", () => undefined),
    });
    await host.flow.receive(message("hello"), {});
    await host.traces.settled();
    counted.commits = 0;
    await host.flow.receive(message("again"), {});
    expect(counted.commits).toBe(5);
  });

  it("[TURN-002] store a message once that arrives twice", async () => {
    const { host } = await countingHost();
    const repeated = message("hello", { idempotencyKey: "the same" });
    const [first, second] = await Promise.all([
      host.flow.receive(repeated, {}),
      host.flow.receive(repeated, {}),
    ]);
    expect([first.status, second.status].sort()).toEqual(["duplicate", "replied"]);
    expect(second.messageId).toBe(first.messageId);
    const again = await host.flow.receive(repeated, {});
    expect(again).toEqual({ status: "duplicate", messageId: first.messageId });
  });

  it("[TURN-054] are one more for a reply that is sent to a surface", async () => {
    const { host, counted } = await countingHost();
    const sent: number[] = [];
    const surface = {
      send: async () => {
        sent.push(counted.commits);
        return {};
      },
    };
    await host.flow.receive(message("hello"), {});
    counted.commits = 0;
    await host.flow.receive(message("again"), { surface });
    expect(sent).toEqual([4]);
    expect(counted.commits).toBe(5);
  });
});
