import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";
import { say } from "../jobs/support/only-job.js";
import { createTestHost } from "../support/host.js";
import { addRoutine, ended, MINUTE, MONDAY } from "./support/routine.js";

async function timedHost(options: Parameters<typeof createTestHost>[0] = {}) {
  const clock = createManualClock(MONDAY);
  const host = await createTestHost({ now: () => clock.now(), timers: clock, ...options });
  return { clock, host };
}

describe("results for sessions of channels", () => {
  const client = { channel: "api", senderId: "operator", senderIsOwner: true };
  const askedIn = "agent:main:telegram:direct:42";
  const place = { channel: "telegram", conversationId: "42", senderId: "42" };
  const telegram = { ...place, sessionKey: askedIn };
  const request = { every: "10m", onSuccess: true, askedIn } as const;

  it("[JOB-961] reach the conversation of the session that a client names, also after the client wrote there", async () => {
    const sent: string[] = [];
    const { clock, host } = await timedHost({
      findSurface: ({ channel, to }) =>
        channel === "telegram"
          ? {
              async send({ text = "" }) {
                sent.push(`${to}: ${text}`);
                return {};
              },
            }
          : undefined,
    });
    await host.routines.recover();
    await say(host, "hello", telegram);
    await say(host, "a note", { ...client, conversationId: "x", sessionKey: askedIn });
    sent.length = 0;
    const { routineId } = await addRoutine(host, {
      ...request,
      creator: { ...client, conversationId: askedIn },
    });
    clock.advance(10 * MINUTE);
    expect(await ended(host.store, routineId, 1)).toMatchObject([
      { state: "attention", delivery: { state: "delivered" } },
    ]);
    expect(sent).toEqual(["42: ok"]);
  });

  it("[JOB-961] are not delivered, with the reason, when the channel does not run or has no message of it", async () => {
    const { clock, host } = await timedHost();
    await host.routines.recover();
    await say(host, "hello", telegram);
    const stopped = await addRoutine(host, {
      ...request,
      creator: { ...client, conversationId: askedIn },
    });
    const unknown = "agent:main:telegram:direct:43";
    const silent = await addRoutine(host, {
      ...{ ...request, name: "silent", askedIn: unknown },
      creator: { ...client, conversationId: unknown },
    });
    clock.advance(10 * MINUTE);
    const deliveryOf = async ({ routineId }: { readonly routineId: string }) =>
      (await ended(host.store, routineId, 1))[0]?.delivery;
    expect(await deliveryOf(stopped)).toMatchObject({
      state: "not-delivered",
      reason: expect.stringContaining("the channel telegram is not running"),
    });
    expect(await deliveryOf(silent)).toMatchObject({
      state: "not-delivered",
      reason: expect.stringMatching(/no message has come .* channel telegram.* write to the agent/),
    });
  });
});
