// Runs a command with a temporary PostgreSQL server, whose URL is in OPENCLAW_BENCH_POSTGRES_URL:
//   node packages/store/bench/with-postgres.mjs node packages/gateway/bench/turn.bench.mjs
import { spawn } from "node:child_process";
import { once } from "node:events";
import { startPostgres } from "../test/support/postgres-server.ts";

const server = await startPostgres({ password: "bench", durable: true });
try {
  const [command, ...args] = process.argv.slice(2);
  const env = { ...process.env, OPENCLAW_BENCH_POSTGRES_URL: server.url };
  const child = spawn(command, args, { stdio: "inherit", env });
  [process.exitCode] = await once(child, "exit");
} finally {
  await server.remove();
}
