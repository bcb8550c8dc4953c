import { linkSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
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
    await openclawProcess(["chat", "-m", "remember this"], place);
    const backup = join(place.state, "monday.db");
    await openclaw(["db", "backup", backup], place);
    truncateSync(join(place.state, "openclaw.db"), 0);
    const { exitCode, stderr } = await openclawProcess(START, place);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`openclaw db restore ${backup}`);
    await openclaw(["db", "restore", backup, "--yes"], place);
    writeFileSync(join(place.state, "gateway.lock"), "damaged ".repeat(200));
    expect((await openclawProcess(["chat", "-m", "hello"], place)).exitCode).toBe(0);
  });
});
