import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  forgetRestart,
  markRestart,
  requestedRestart,
  takeRestart,
} from "../../src/state/restart-mark.js";

function stateDir(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder.path;
}

describe("mark of a restart", () => {
  it("[GW-380] names the restart to the process that ends, and once to the one that starts", () => {
    const dir = stateDir();
    expect(requestedRestart(dir)).toBeUndefined();
    markRestart(dir, { pid: process.pid, inPlace: true });
    expect(requestedRestart(dir)).toEqual({ inPlace: true });
    expect(takeRestart(dir)).toBe(true);
    expect(takeRestart(dir)).toBe(false);
  });

  it("[GW-380] says nothing about another process, and nothing once forgotten", () => {
    const dir = stateDir();
    markRestart(dir, { pid: process.pid + 1, inPlace: false });
    expect(requestedRestart(dir)).toBeUndefined();
    forgetRestart(dir);
    expect(takeRestart(dir)).toBe(false);
  });

  it.each([
    "",
    "{",
    "null",
    '{"pid":"1","inPlace":true,"at":1}',
    '{"pid":1,"inPlace":true,"at":1}',
  ])("[GW-380] that is damaged or old is ignored and removed: %j", (text) => {
    const dir = stateDir();
    writeFileSync(join(dir, "gateway.restart"), text);
    expect(requestedRestart(dir)).toBeUndefined();
    expect(takeRestart(dir)).toBe(false);
    expect(readdirSync(dir)).toEqual([]);
  });
});
