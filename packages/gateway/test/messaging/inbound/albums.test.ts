import { setImmediate as nextTick } from "node:timers/promises";
import type { InboundMessage } from "@openclaw/messaging";
import type { QueueMode } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { createTestHost, gate, message, SESSION, type TestHost } from "../../support/host.js";

const MODES: readonly QueueMode[] = ["queue", "collect", "steer", "interrupt", "reject"];

function part(name: string, rest: Partial<InboundMessage> = {}): InboundMessage {
  const attachments = [{ name, mimeType: "image/jpeg", bytes: 4, path: `/photos/${name}` }];
  const text = `[Attached: ${name}]`;
  return message(text, { externalMessageId: name, albumId: "42 album", attachments, ...rest });
}

/** Waits until the session has a number of queued turns. */
async function lined(host: TestHost, count: number): Promise<void> {
  while (host.live.turns(SESSION).length < count) await nextTick();
}

/** Returns a host whose first turn calls a tool that waits at a gate. */
async function hostWithTool(queueMode: QueueMode) {
  const [looking, seen] = [gate(), gate()];
  const host = await createTestHost({
    configuration: { session: { queueMode } },
    script: [{ toolCalls: [{ toolName: "look" }] }, { text: "one" }, { text: "two" }],
    register(api) {
      api.registerTool({
        ...{ name: "look", description: "looks", parameters: { type: "object", properties: {} } },
        execute: async () => {
          looking.pass();
          await seen.passed;
          return "a wall";
        },
      });
    },
  });
  return { host, looking: looking.passed, seen };
}

describe("a part of an album that arrives late", () => {
  it.each(MODES)(
    "[TURN-740] belongs to the running turn of the others in mode %s",
    async (mode) => {
      const { host, looking, seen } = await hostWithTool(mode);
      const first = host.flow.receive(part("a.jpg"), {});
      await looking;
      const late = host.flow.receive(part("b.jpg"), {});
      await lined(host, 2);
      const repeated = await host.flow.receive(part("b.jpg"), {});
      expect(repeated.status).toBe("duplicate");
      seen.pass();
      expect(await Promise.all([first, late])).toMatchObject([
        { status: "replied", text: "one" },
        { status: "replied", text: "one" },
      ]);
      expect(host.asked()).toHaveLength(2);
      expect(host.asked()[1]).toMatch(/a wall.*b\.jpg/);
      expect(host.asked()[1]?.split("b.jpg]")).toHaveLength(2);
    },
  );

  it("[TURN-740] belongs to the waiting turn of the others, with its file", async () => {
    const { host, looking, seen } = await hostWithTool("queue");
    const before = host.flow.receive(message("before"), {});
    await looking;
    const first = host.flow.receive(part("a.jpg"), {});
    await lined(host, 2);
    const other = host.flow.receive(part("c.jpg", { albumId: "42 other" }), {});
    await lined(host, 3);
    const late = host.flow.receive(part("b.jpg"), {});
    await nextTick();
    seen.pass();
    const outcomes = await Promise.all([before, first, late, other]);
    expect(outcomes.map((outcome) => "text" in outcome && outcome.text)).toEqual([
      "one",
      "two",
      "two",
      expect.anything(),
    ]);
    expect(host.asked()[2]).toMatch(/a\.jpg.*b\.jpg/);
    expect(host.asked()[2]).not.toContain("c.jpg");
    const row = await host.store.messages.inbox.get(outcomes[2].messageId);
    const turn = await host.store.turns.get(row?.runId ?? "");
    expect(turn).toMatchObject({ inboxId: outcomes[1].messageId });
  });

  it("[TURN-740] is a separate turn after the end of theirs, and for another sender", async () => {
    const { host, looking, seen } = await hostWithTool("queue");
    const first = host.flow.receive(part("a.jpg"), {});
    await looking;
    const stranger = host.flow.receive(
      part("e.jpg", { senderId: "eve", senderIsOwner: false }),
      {},
    );
    await lined(host, 2);
    seen.pass();
    expect(await Promise.all([first, stranger])).toMatchObject([{ text: "one" }, { text: "two" }]);
    expect(host.asked()).toHaveLength(3);
  });
});
