import { createManualClock } from "@openclaw/foundation";
import { METHOD_SCOPES } from "@openclaw/protocol";
import { describe, expect, it } from "vitest";
import { EventHub } from "../../src/events/event-hub.js";
import { EventLog } from "../../src/events/event-log.js";
import { EventStreams } from "../../src/events/event-streams.js";

const SESSION = "agent:main:main";
const request = { caller: { scopes: METHOD_SCOPES }, sessions: [SESSION], types: [] };

/** Creates streams with a clock that the test controls. */
function streamHost() {
  const clock = createManualClock();
  const hub = new EventHub(new EventLog(() => 0));
  const queueLimits = { bytes: 100_000, events: 10, drainMs: 10_000 };
  return { clock, hub, streams: new EventStreams({ hub, timers: clock, queueLimits }) };
}

const paused = (approvalId: string) => ({ sessionKey: SESSION, runId: "run", approvalId });

describe("streams of server-sent events", () => {
  it("[GW-034] [CHAN-029] have a comment with the newest cursor every 15000, and shutdown as their end", async () => {
    const { clock, hub, streams } = streamHost();
    const body = new Response(streams.open(request)).text();
    hub.publish("chat.paused", paused("1"));
    clock.advance(15_000);
    hub.publish("chat.paused", { ...paused("2"), sessionKey: "agent:main:other" });
    clock.advance(15_000);
    expect(clock.activeTimers).toBe(1);
    streams.close("signal");
    const [epoch] = hub.cursor.split("-");
    expect((await body).split("\n\n")).toEqual([
      `: connected\nid: ${epoch}-0`,
      `event: chat.paused\nid: ${epoch}-1\ndata: ${JSON.stringify(paused("1"))}`,
      `: keep-alive\nid: ${epoch}-1`,
      `: keep-alive\nid: ${epoch}-2`,
      'event: shutdown\ndata: {"reason":"signal"}',
      "",
    ]);
    expect([streams.size, clock.activeTimers]).toEqual([0, 0]);
  });

  it("[GW-018] [GW-034] [CHAN-029] end with an error event when their reader is too slow, and when it disconnects", async () => {
    const { clock, hub, streams } = streamHost();
    const [slow, gone] = [streams.open(request), streams.open(request)];
    await gone.cancel();
    expect(streams.size).toBe(1);
    for (let id = 0; id < 26; id += 1) hub.publish("chat.paused", paused("x".repeat(5000) + id));
    clock.advance(9999);
    expect(streams.size).toBe(1);
    clock.advance(1);
    expect(streams.size).toBe(0);
    const text = await new Response(slow).text();
    expect(text).toContain("event: chat.paused");
    expect(text.length).toBeLessThan(100_000);
    const [, data = ""] = /\nevent: error\ndata: (.+)\n\n$/.exec(text) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      error: { code: "UNAVAILABLE", reason: "CLIENT_TOO_SLOW", retryable: true },
    });
  });
});
