import {
  existsSync,
  linkSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { openclawProcess, startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const START = ["gateway", "run", "--port", "0"];

describe("database file of a gateway", () => {
  it("is rejected by a second gateway, regardless of how its path is written", async () => {
    using first = emptyPlace();
    await using gateway = await startGatewayProcess(first);
    const file = join(first.state, "openclaw.db");
    symlinkSync(file, join(first.workspace, "link.db"));
    const spellings = [
      pathToFileURL(file).href,
      `file:${first.state}/logs/../openclaw.db`,
      `file:${join(first.workspace, "link.db")}`,
    ];
    for (const url of spellings) {
      using second = emptyPlace();
      writeFileSync(join(second.state, "openclaw.json"), JSON.stringify({ store: { url } }));
      const { exitCode, stderr } = await openclawProcess(START, second);
      expect(stderr).toContain(`is in use by process ${gateway.pid}`);
      expect(exitCode).not.toBe(0);
    }
    using third = emptyPlace();
    linkSync(file, join(third.state, "openclaw.db"));
    expect((await openclawProcess(START, third)).stderr).toContain("several names (hard links)");
  });

  it("is rejected when it is empty, with the name of the backup to restore", async () => {
    using place = emptyPlace();
    await openclaw(["chat", "-m", "remember this"], place);
    const backup = join(place.state, "monday.db");
    await openclaw(["db", "backup", backup], place);
    truncateSync(join(place.state, "openclaw.db"), 0);
    const { exitCode, stderr } = await openclawProcess(START, place);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`openclaw db restore ${backup}`);
    await openclaw(["db", "restore", backup, "--yes"], place);
    writeFileSync(join(place.state, "gateway.lock"), "damaged ".repeat(200));
    expect((await openclaw(["chat", "-m", "hello"], place)).exitCode).toBe(0);
  });

  it("[SCALE-760] that lost its log is reported by log, doctor, status and db status", async () => {
    using place = emptyPlace();
    const file = join(place.state, "openclaw.db");
    const killed = await startGatewayProcess(place);
    const before = Date.now();
    await openclaw(["chat", "-m", "remember this"], place);
    // The number of the commits is written at most a second later.
    await vi.waitUntil(
      () => existsSync(`${file}.mark`) && statSync(`${file}.mark`).mtimeMs > before,
      10_000,
    );
    await killed.end("SIGKILL");
    truncateSync(`${file}-wal`, 0);
    const lacks = /lacks what\s+was written/;
    expect((await openclaw(["db", "status"], place)).stderr).toMatch(lacks);

    const restarted = await startGatewayProcess(place);
    expect(readFileSync(join(place.state, "logs", "gateway.log"), "utf8")).toMatch(lacks);
    expect((await openclaw(["status"], place)).stdout).toMatch(lacks);
    const doctor = await openclaw(["doctor", "--json"], place);
    expect(JSON.parse(doctor.stdout)).toMatchObject({
      passed: false,
      checks: expect.arrayContaining([
        expect.objectContaining({ name: "database-complete", status: "fail", isRepairable: true }),
      ]),
    });
    await restarted.end("SIGTERM");
    expect((await openclaw(["status"], place)).stdout).toMatch(lacks);
    const fixed = await openclaw(["doctor", "--fix"], place);
    expect(fixed.stdout).toContain("fixed: accepted that the database lacks this content");
    expect(existsSync(`${file}.lost`)).toBe(false);
    expect((await openclaw(["db", "status"], place)).stderr).not.toMatch(lacks);
  });
});
