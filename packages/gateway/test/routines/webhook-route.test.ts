import { createHmac } from "node:crypto";
import { createManualClock } from "@openclaw/foundation";
import { RoutineRequests } from "@openclaw/server";
import { describe, expect, it } from "vitest";
import { createTestHost, serve } from "../support/host.js";
import { addRoutine, ended, MONDAY, OPERATOR } from "./support/routine.js";

/** Serves the webhook of a routine until the end of the test. */
async function served() {
  const clock = createManualClock(MONDAY);
  const now = () => clock.now();
  const host = await createTestHost({ now, timers: clock });
  await host.routines.recover();
  const routine = await addRoutine(host, { webhook: true });
  const routineWebhooks = new RoutineRequests(host.routines.triggers.webhooks, { now });
  const { url } = await serve(host, { routineWebhooks });
  const secret = host.routines.triggers.webhooks.secretOf(routine) ?? "";
  const send = async (init: RequestInit, path = routine.routineId) => {
    const response = await fetch(`${url}/hooks/routine/${path}`, { method: "POST", ...init });
    const text = await response.text();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, body };
  };
  const token = { authorization: `Bearer ${secret}` };
  return { host, routine, secret, send, token };
}

function signed(secret: string, body: string, at = MONDAY) {
  const seconds = String(at / 1000);
  const hash = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return { "x-openclaw-timestamp": seconds, "x-openclaw-signature": `sha256=${hash}` };
}

const reason = (name: string) => ({
  error: expect.objectContaining({ reason: name, message: expect.stringContaining("routine/") }),
});

describe("POST /hooks/routine/<id>", () => {
  it("[JOB-024] [JOB-033] sets the routine off for a signed request once, and answers repeats and wrong proofs", async () => {
    const { host, routine, secret, send, token } = await served();
    const headers = signed(secret, "opened");
    const first = await send({ body: "opened", headers });
    expect(first).toMatchObject({ status: 202, body: { repeated: false } });
    const again = await send({ body: "opened", headers });
    expect(again).toMatchObject({ status: 409, body: reason("WEBHOOK_REPLAYED") });
    const keyed = { body: "closed", headers: { ...token, "idempotency-key": "event 7" } };
    const once = await send(keyed);
    expect(await send(keyed)).toMatchObject({
      status: 202,
      body: { ...(once.body as object), repeated: true },
    });
    for (const wrong of [
      {},
      { authorization: "Bearer wrong" },
      signed("wrong", "opened"),
      signed(secret, "another body"),
      signed(secret, "opened", MONDAY - 301_000),
    ]) {
      const refused = await send({ body: "opened", headers: wrong });
      expect(refused).toMatchObject({ status: 401, body: reason("WEBHOOK_UNAUTHORIZED") });
    }
    const runs = await ended(host.store, routine.routineId, 2);
    expect(runs.map(({ input }) => input?.text)).toEqual(["opened", "closed"]);
  });

  it("[JOB-033] [JOB-024] answers bodies that are too large or no text, long keys, other methods and unknown routines", async () => {
    const { host, routine, send, token } = await served();
    const headers = token;
    const large = await send({ headers, body: "x".repeat(256 * 1024 + 1) });
    expect(large).toMatchObject({ status: 413, body: reason("WEBHOOK_TOO_LARGE") });
    const binary = await send({ headers, body: new Uint8Array([0xff, 0xfe]) });
    expect(binary).toMatchObject({ status: 400, body: reason("WEBHOOK_BODY_INVALID") });
    const key = await send({ headers: { ...token, "idempotency-key": "k".repeat(201) } });
    expect(key).toMatchObject({ status: 400, body: reason("WEBHOOK_BODY_INVALID") });
    const read = await send({ method: "GET" });
    expect([read.status, read.headers.get("allow")]).toEqual([405, "POST"]);
    const unknown = await send({ headers, body: "x" }, "unknown");
    expect(unknown).toMatchObject({ status: 404, body: reason("WEBHOOK_NOT_FOUND") });
    await host.routines.update("morning", OPERATOR, { enabled: false });
    expect(await send({ headers, body: "x" })).toMatchObject({ status: 404 });
    expect(await host.store.routines.runs.of({ ...routine, limit: 9 })).toEqual([]);
  });

  it("[JOB-493] answers a flood with 429 and the time of the next try", async () => {
    const { host, routine, send, token } = await served();
    const { routineId } = routine;
    for (let count = 0; count < 60; count += 1) {
      const run = { routineId, plannedAt: MONDAY - count, origin: "webhook" } as const;
      await host.store.routines.runs.claim({ ...run, state: "skipped", reason: "a test" });
    }
    const flooded = await send({ headers: token, body: "one more" });
    expect(flooded).toMatchObject({ status: 429, body: reason("WEBHOOK_FLOOD") });
    expect(flooded.headers.get("retry-after")).toBe("60");
  });
});
