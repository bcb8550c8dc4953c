import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DayCalendar } from "../../src/day.js";
import type { Severity } from "../../src/notices.js";
import type { Notification } from "../../src/notifications/event.js";
import {
  type HeldNotifications,
  NotificationForwarder,
} from "../../src/notifications/forwarder.js";
import { isQuiet, minutesOf } from "../../src/notifications/quiet-hours.js";
import { selects } from "../../src/notifications/rule.js";

const calendar = new DayCalendar("UTC");
const at = (time: string) => Date.UTC(2026, 10, 23) + minutesOf(time) * 60_000;

function notification(text: string, severity: Severity = "warning"): Notification {
  return { event: "tool_error", severity, text, at: 0, senderId: "guest-1" };
}

function forwarder(dedupMs: number, quiet?: readonly [from: string, to: string]) {
  const sent: string[] = [];
  const state: { now: number; held: HeldNotifications | undefined } = {
    now: at("12:00"),
    held: undefined,
  };
  const create = () =>
    new NotificationForwarder({
      now: () => state.now,
      dedupMs,
      quietHours: quiet && { from: minutesOf(quiet[0]), to: minutesOf(quiet[1]), calendar },
      send: async (text) => void sent.push(text),
      held: {
        load: async () => state.held,
        async save(held) {
          state.held = held;
        },
      },
    });
  return { sent, state, create, under: create() };
}

describe("notification_forwarder", () => {
  it("[DHOOK-043] sends an equal notification once in the window, and then with the number of repetitions", async () => {
    const text = fc.constantFrom("a", "b", "c");
    const event = fc.record({ text, wait: fc.integer({ min: 0, max: 80 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        const { sent, state, under } = forwarder(100);
        const expected: string[] = [];
        const last = new Map<string, { at: number; repeated: number }>();
        for (const each of events) {
          state.now += each.wait;
          await under.forward(notification(each.text));
          const earlier = last.get(each.text);
          if (earlier !== undefined && state.now - earlier.at < 100) {
            earlier.repeated += 1;
            continue;
          }
          const repeated = earlier?.repeated ?? 0;
          expected.push(
            repeated === 0 ? each.text : `${each.text} (${repeated} more like it before)`,
          );
          last.set(each.text, { at: state.now, repeated: 0 });
        }
        expect(sent).toEqual(expected);
      }),
    );
  });

  it("[DHOOK-043] holds notifications in quiet hours, over a restart, and sends critical ones at once", async () => {
    const { sent, state, under, create } = forwarder(0, ["22:00", "07:00"]);
    state.now = at("23:30");
    expect(await under.forward(notification("disk is nearly full"))).toBe("held");
    expect(await under.forward(notification("budget is used up", "critical"))).toBe("sent");
    const restarted = create();
    state.now = at("02:00");
    expect(await restarted.forward(notification("job failed"))).toBe("held");
    await restarted.release();
    expect(sent).toEqual(["budget is used up"]);
    state.now = at("07:00");
    await restarted.release();
    await restarted.release();
    expect(sent.slice(1)).toEqual([
      "2 notifications from the quiet hours:\n- disk is nearly full\n- job failed",
    ]);
  });

  it("keeps 50 held notifications and the number of the others", async () => {
    const { sent, state, under } = forwarder(0, ["22:00", "07:00"]);
    state.now = at("23:00");
    for (let count = 0; count < 60; count += 1) await under.forward(notification(`event ${count}`));
    state.now = at("08:00");
    await under.release();
    expect(sent[0]?.split("\n")).toHaveLength(52);
    expect(sent[0]).toMatch(/^60 notifications[\s\S]*… and 10 more$/);
  });

  it("[DHOOK-043] counts each minute as quiet that lies between two times, over midnight too", () => {
    const minute = fc.integer({ min: 0, max: 1439 });
    fc.assert(
      fc.property(minute, minute, minute, (from, to, now) => {
        const minutes = new Set<number>();
        for (let each = from; each !== to; each = (each + 1) % 1440) minutes.add(each);
        expect(isQuiet({ from, to, calendar }, Date.UTC(2026, 10, 23) + now * 60_000)).toBe(
          minutes.has(now),
        );
      }),
    );
  });

  it("[DHOOK-043] selects by event, severity and sender", () => {
    const given = notification("x");
    expect(selects({}, given)).toBe(true);
    expect(
      selects({ events: ["tool_error"], severity: "warning", senders: ["guest-1"] }, given),
    ).toBe(true);
    expect(selects({ events: ["job"] }, given)).toBe(false);
    expect(selects({ severity: "critical" }, given)).toBe(false);
    expect(selects({ senders: ["guest-2"] }, given)).toBe(false);
    expect(selects({ senders: ["guest-2"] }, { ...given, senderId: undefined })).toBe(false);
  });
});
