import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { installedPrograms, startPostgres } from "../support/postgres-server.js";
import { provideServer, type SkippableProject } from "../support/postgres-setup.js";

it("[SCALE-340] starts from a checkout and with temporary files that only their owner may enter", async () => {
  using closed = temporaryFolder("closed");
  const programs = join(closed.path, "größe und maß");
  symlinkSync(installedPrograms(), programs);
  const temporary = join(closed.path, "temporary files");
  mkdirSync(temporary);
  chmodSync(closed.path, 0o700);
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());

  const server = await startPostgres({ programs, database: "größe" });
  onTestFinished(() => server.remove());
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query("select current_database() as name");
  await client.end();
  expect(rows).toEqual([{ name: "größe" }]);
});

it("[SCALE-340] skips the tests of the project with the reason when no server can be started", async () => {
  const messages: string[] = [];
  const config: SkippableProject["config"] = {};
  const project = {
    name: "postgres",
    provide: vi.fn(),
    config,
    vitest: { logger: { warn: (text: string) => void messages.push(text) } },
  };
  const fail = vi.fn();
  const end = await provideServer(project, () => startPostgres({ programs: "/nowhere" }), fail);
  expect(project.provide).not.toHaveBeenCalled();
  expect(config.testNamePattern?.test("[SCALE-004] any title")).toBe(false);
  expect(fail).not.toHaveBeenCalled();
  await end();
  expect(fail).toHaveBeenCalledOnce();
  const expected = expect.stringMatching(
    /^The tests of the project "postgres" are skipped, because no PostgreSQL server could be started: .*ENOENT/,
  );
  expect(messages).toEqual([expected, expected]);
});
