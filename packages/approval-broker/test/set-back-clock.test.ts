import { openStore } from "@openclaw/store";
import { afterEach, expect, it, vi } from "vitest";
import { brokerHost, OWNER, pendingRequest } from "./support/broker-host.js";

afterEach(() => vi.useRealTimers());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

it("[SCALE-050] expires an approval request on time although the system clock is set back", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const store = await openStore({ file: ":memory:" });
  const { broker } = await brokerHost({ store });
  const { id } = await pendingRequest(broker, { timeoutMs: MINUTE_MS });

  vi.advanceTimersByTime(50_000);
  vi.setSystemTime(Date.now() - HOUR_MS);
  expect(await broker.expire()).toEqual([]);
  vi.advanceTimersByTime(9000);
  expect(await broker.expire()).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect((await broker.expire()).map((approval) => approval.id)).toEqual([id]);
});

it("[SCALE-050] rejects a decision about an expired request after the system clock is set back", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const store = await openStore({ file: ":memory:" });
  const { broker } = await brokerHost({ store });
  const { id } = await pendingRequest(broker, { timeoutMs: MINUTE_MS });

  vi.advanceTimersByTime(MINUTE_MS + 1000);
  vi.setSystemTime(Date.now() - HOUR_MS);
  await expect(
    broker.decide(id, { decision: "allow-once", via: "test" }, OWNER),
  ).rejects.toMatchObject({
    code: "APPROVAL_ALREADY_DECIDED",
  });
  expect(await store.decisions.approvals.get(id)).toMatchObject({ state: "timed-out" });
});
