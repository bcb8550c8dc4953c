import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { logRejection } from "../src/observation.js";

function logger() {
  const lines: unknown[] = [];
  const write = (message: string, fields?: Record<string, unknown>) => {
    lines.push([message, fields]);
  };
  return { lines, debug: write, info: write, warn: write, error: write };
}

it("logs a late failure and throws nothing", async () => {
  const log = logger();
  logRejection(Promise.reject(new Error("the audit failed")), log);
  logRejection(Promise.reject("plain"), log);
  await setImmediate();
  expect(log.lines).toEqual([
    ["the audit failed", { code: "HOOK_FAILED_AFTERWARDS" }],
    ["plain", { code: "HOOK_FAILED_AFTERWARDS" }],
  ]);
});

it("logs nothing for absent or successful observers", async () => {
  const log = logger();
  logRejection(undefined, log);
  logRejection(Promise.resolve(), log);
  await setImmediate();
  expect(log.lines).toEqual([]);
});
