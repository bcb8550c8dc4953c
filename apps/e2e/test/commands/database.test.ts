import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

describe("openclaw db", () => {
  it("[SCALE-025] status lists applied and pending migrations, before and after the first start", async () => {
    using place = emptyPlace();
    const before = await openclaw(["db", "status"], place);
    expect(before.exitCode).toBe(0);
    expect(before.stdout).toContain("No database yet; the first start creates it.");
    expect(before.stdout).toMatch(/ 0001-initial +pending\n/);
    expect(readdirSync(place.state)).toEqual([]);
    await using gateway = await startGateway(place);
    const after = await openclaw(["db", "status"], place);
    expect(after.stdout).toMatch(/openclaw\.db \(sqlite, [\d.]+ [KM]iB\)\n/);
    expect(after.stdout).toMatch(/ 0001-initial +applied +\d{4}-\d\d-\d\d /);
    expect(after.stdout).not.toContain("pending");
    const json = await openclaw(["db", "status", "--json"], place);
    expect(JSON.parse(json.stdout)).toMatchObject({ dialect: "sqlite", exists: true });
    expect(await gateway.end("SIGTERM")).toBe(0);
  });

  it("[SCALE-028] backup works while a gateway runs, restore and migrate do not", async () => {
    using place = emptyPlace();
    await openclaw(["chat", "-m", "kept"], place);
    const file = join(place.workspace, "backup.db");
    {
      await using gateway = await startGateway(place);
      const made = await openclaw(["db", "backup", file, "--json"], place);
      expect(JSON.parse(made.stdout)).toMatchObject({ kind: "file", file, pluginDatabases: 1 });
      const move = ["db", "migrate", "--to", "sqlite", "--url", "file:copy.db"];
      // At the same time, because each waits for the lock.
      const [refused, unmoved] = await Promise.all([
        openclaw(["db", "restore", file, "--yes"], place),
        openclawProcess(move, place),
      ]);
      expect(refused).toMatchObject({ exitCode: 75 });
      expect(refused.stderr).toContain("stop that process first");
      expect(unmoved).toMatchObject({ exitCode: 75 });
      expect(await gateway.end("SIGTERM")).toBe(0);
    }
    await openclaw(["sessions", "delete", "agent:main:main", "--yes"], place);
    expect((await openclaw(["db", "restore", file, "--yes"], place)).exitCode).toBe(0);
    const listed = await openclaw(["sessions", "list"], place);
    expect(listed.stdout).toContain("agent:main:main");
  });

  it("backup on PostgreSQL prints the server's own command and does nothing else", async () => {
    using place = emptyPlace();
    place.writeState({
      "openclaw.json": '{ store: { url: "postgres://me:secret@db.example/app" } }',
    });
    const file = join(place.workspace, "backup.dump");
    const backup = await openclaw(["db", "backup", file], place);
    expect(backup.exitCode).toBe(3);
    expect(backup.stdout).toContain("pg_dump --format=custom --schema=openclaw");
    expect(backup.stdout).toContain("postgres://me@db.example/app");
    expect(backup.stdout).not.toContain("secret");
    expect(existsSync(file)).toBe(false);
  });

  it("migrate copies, compares and explains how to use the copy", async () => {
    using place = emptyPlace();
    await openclaw(["chat", "-m", "moved"], place);
    const url = `file:${join(place.state, "copy.db")}`;
    const command = ["db", "migrate", "--to", "sqlite", "--url", url];
    const dry = await openclaw([...command, "--dry-run"], place);
    expect(dry).toMatchObject({ exitCode: 0 });
    expect(dry.stdout).toMatch(/transcript +2\n/);
    expect(dry.stderr).toContain(
      "1 database of plugin memory not copied: the target uses the same file",
    );
    expect(existsSync(join(place.state, "copy.db"))).toBe(false);
    const moved = await openclaw([...command, "--json"], place);
    expect(moved.exitCode).toBe(0);
    expect(JSON.parse(moved.stdout)).toMatchObject({
      isEqual: true,
      dryRun: false,
      plugins: [{ pluginId: "memory", databases: ["memory"], outcome: "in-place" }],
    });
    expect(await openclaw(command, place)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(
        "nothing was copied, because it already has rows in sessions",
      ),
    });
    place.writeState({ "openclaw.json": `{ store: { url: "${url}" } }` });
    const listed = await openclaw(["sessions", "list"], place);
    expect(listed.stdout).toContain("agent:main:main");
    const wrong = await openclaw(["db", "migrate", "--to", "postgres", "--url", url], place);
    expect(wrong).toMatchObject({ exitCode: 2 });
  });
});
