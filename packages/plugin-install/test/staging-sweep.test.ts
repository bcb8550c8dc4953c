import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { stagePrefix, sweepStaging } from "../src/staging-sweep.js";

function stagingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "staging-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the number of a process that has ended. */
function endedProcess(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

describe("staging folders at the start", () => {
  it("[PLUG-300] are removed when their process was killed, and stay while it runs", async () => {
    const folder = stagingFolder();
    const killed = `stage-${endedProcess()}-aBcDeF`;
    const running = `stage-${process.ppid}-aBcDeF`;
    const own = `${stagePrefix()}aBcDeF`;
    for (const name of [killed, running, own, "notes"]) {
      await mkdir(join(folder, name, "plugin"), { recursive: true });
      await writeFile(join(folder, name, "plugin", "index.js"), "");
    }
    expect(await sweepStaging(folder)).toEqual([killed]);
    expect(readdirSync(folder).sort()).toEqual([running, own, "notes"].sort());
  });

  it("[PLUG-300] of an earlier version are kept for an hour", async () => {
    const folder = stagingFolder();
    await mkdir(join(folder, "stage-aBcDeF"));
    expect(await sweepStaging(folder)).toEqual([]);
    const before = new Date(Date.now() - 2 * 60 * 60_000);
    utimesSync(join(folder, "stage-aBcDeF"), before, before);
    expect(await sweepStaging(folder)).toEqual(["stage-aBcDeF"]);
  });

  it("[PLUG-300] need not exist", async () => {
    expect(await sweepStaging(join(stagingFolder(), "missing"))).toEqual([]);
  });
});
