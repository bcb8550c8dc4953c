import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";
import type { SentEvent } from "../../src/events/event-log.js";
import { EventQueue } from "../../src/events/event-queue.js";

const sessionKey = "agent:main:main";

function event(name: string, payload: object, delivery: SentEvent["delivery"]): SentEvent {
  const json = JSON.stringify({ sessionKey, ...payload });
  return { name, json, delivery, sessionKey, scope: "operator.read" };
}

const delta = (runId: string, text: string) =>
  event("chat.delta", { runId, delta: text }, "droppable");
const update = (toolCallId: string, text: string) =>
  event("tool.update", { runId: "a", toolCallId, text }, "droppable");
const result = (toolCallId: string) => event("tool.result", { runId: "a", toolCallId }, "durable");

/** Creates a queue to a transport that sends nothing until the test lets it. */
function stalled(limits = { bytes: 100_000, events: 10, drainMs: 10_000 }) {
  const clock = createManualClock();
  const written: [name: string, payload: Record<string, unknown>, dropped: number][] = [];
  const state = { bufferedBytes: 1_000_000, closed: 0 };
  const queue = new EventQueue(
    {
      get bufferedBytes() {
        return state.bufferedBytes;
      },
      write({ name, json }, dropped) {
        const { sessionKey: _, runId: __, ...payload } = JSON.parse(json);
        written.push([name, payload, dropped]);
      },
      closeSlow() {
        state.closed += 1;
      },
    },
    clock,
    { ...limits, bytes: limits.bytes + state.bufferedBytes },
  );
  const drain = () => {
    state.bufferedBytes = 0;
    queue.flush();
  };
  return { clock, queue, written, state, drain };
}

describe("events that wait for a slow receiver", () => {
  it("[GW-018] are merged when they are previews of one reply that follow each other", () => {
    const { queue, written, drain } = stalled();
    for (const each of [
      delta("a", "1"),
      delta("b", "x"),
      delta("a", "2"),
      result("t"),
      delta("a", "3"),
    ]) {
      queue.send(each);
    }
    drain();
    expect(written).toEqual([
      ["chat.delta", { delta: "12" }, 0],
      ["chat.delta", { delta: "x" }, 0],
      ["tool.result", { toolCallId: "t" }, 0],
      ["chat.delta", { delta: "3" }, 0],
    ]);
  });

  it("[GW-018] [TURN-039] are replaced by the latest update of the same tool call, which is counted", () => {
    const { queue, written, drain } = stalled();
    for (const each of [update("t", "1"), update("u", "x"), result("v"), update("t", "2")])
      queue.send(each);
    drain();
    expect(written).toEqual([
      ["tool.update", { toolCallId: "u", text: "x" }, 1],
      ["tool.result", { toolCallId: "v" }, 0],
      ["tool.update", { toolCallId: "t", text: "2" }, 0],
    ]);
  });

  it("[GW-018] lose the droppable ones above the limit, and tell their number with the next event", () => {
    const { queue, written, drain, clock, state } = stalled();
    for (let id = 0; id < 9; id += 1) queue.send(id === 4 ? update("t", "1") : result(String(id)));
    queue.send(delta("b", "x"));
    queue.send(result("above"));
    expect(queue.isSlow).toBe(true);
    clock.advance(9999);
    drain();
    expect(queue.isSlow).toBe(false);
    clock.advance(10_000);
    expect([state.closed, clock.activeTimers]).toEqual([0, 0]);
    expect(written.map(([, payload, dropped]) => [payload.toolCallId, dropped])).toEqual([
      ...["0", "1", "2", "3"].map((id) => [id, 0]),
      ["5", 1],
      ...["6", "7", "8"].map((id) => [id, 0]),
      ["above", 1],
    ]);
  });

  it("[GW-018] end with the connection when they are not received in time, or exceed twice the limit", () => {
    const late = stalled();
    for (let id = 0; id < 11; id += 1) late.queue.send(result(String(id)));
    late.clock.advance(9999);
    expect(late.state.closed).toBe(0);
    late.clock.advance(1);
    expect(late.state.closed).toBe(1);
    late.drain();
    expect(late.written).toEqual([]);
    const many = stalled();
    for (let id = 0; id < 30; id += 1) many.queue.send(result(String(id)));
    expect([many.state.closed, many.clock.activeTimers]).toEqual([1, 0]);
  });
});
