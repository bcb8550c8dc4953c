import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import { Client } from "pg";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { loadGatewayToken } from "../src/state/token.js";
import { startTestGateway } from "./support/gateway.js";
import { message } from "./support/host.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server of the test run. */
    postgresUrl?: string;
  }
}

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function newUrl(): URL {
  return new URL(`${inject("postgresUrl")}?schema=gateway_${randomUUID()}`);
}

/** Starts a gateway whose database is on the server. */
async function startOnServer(folder: ReturnType<typeof temporaryFolder>, url: URL) {
  folder.write({ "openclaw.json": JSON.stringify({ store: { url: url.href } }) });
  return await startTestGateway(folder, { port: 0 });
}

/** Returns how many transactions of the open gateway have written, which each of them records itself. */
async function commitsOf(url: URL): Promise<number> {
  const schema = url.searchParams.get("schema") ?? "";
  const client = new Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    const table = `${client.escapeIdentifier(schema)}.openclaw_commits`;
    const { rows } = await client.query<{ max: string }>(`select max(number) from ${table}`);
    return Number(rows[0]?.max);
  } finally {
    await client.end();
  }
}

describe("gateway on PostgreSQL", () => {
  it("[SCALE-002] replies, and continues with the stored history after a restart", async () => {
    using folder = temporaryFolder();
    const url = newUrl();
    const first = await startOnServer(folder, url);
    expect(first.database).toMatchObject({ dialect: "postgres" });
    expect(first.database.name).not.toContain("test@");
    expect(await first.receive(message("what time is it"))).toMatchObject({ status: "replied" });
    await first.stop("command");

    const second = await startOnServer(folder, url);
    expect(await second.receive(message("hello again"))).toMatchObject({ status: "replied" });
    await second.stop("command");

    const store = await openStore({ url: url.href });
    onTestFinished(() => store.close());
    const { session, created } = await store.sessions.open("agent:main:main", { agentId: "main" });
    expect(created).toBe(false);
    const entries = await store.messages.transcript.load(session.sessionId);
    const said = entries.flatMap(({ message: { role, content } }) =>
      role === "user" ? content : [],
    );
    expect(said).toMatchObject([{ text: "what time is it" }, { text: "hello again" }]);
    expect(await store.turns.unfinished()).toEqual([]);
    expect(() => readFileSync(second.state.databaseFile)).toThrow("ENOENT");
  });

  it("[TURN-054] [SCALE-045] makes four write transactions for a turn without tools", async () => {
    using folder = temporaryFolder();
    const url = newUrl();
    const gateway = await startOnServer(folder, url);
    await gateway.receive(message("hello"));
    const before = await commitsOf(url);
    expect(await gateway.receive(message("again"))).toMatchObject({ status: "replied" });
    expect((await commitsOf(url)) - before).toBe(4);
    await gateway.stop("command");
  });

  it("[SCALE-005] [SCALE-031] is not ready while the server is unreachable, acknowledges nothing, and recovers by itself", async () => {
    using folder = temporaryFolder();
    const url = newUrl();
    const way = await openWay(Number(url.port));
    url.port = String(way.port);
    const gateway = await startOnServer(folder, url);
    const token = loadGatewayToken(gateway.state.tokenFile);
    const client = createGatewayClient({ url: gateway.url ?? "", token });
    expect(await client.readiness()).toMatchObject({ ready: true });

    way.close();
    const { ready, checks } = await client.readiness();
    expect(ready).toBe(false);
    expect(checks).toContainEqual({
      name: "store",
      ok: false,
      detail: expect.stringContaining("the server cannot be reached"),
    });
    await expect(gateway.receive(message("lost"))).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      reason: "unreachable",
    });

    way.open();
    expect(await client.readiness()).toMatchObject({ ready: true });
    expect(await gateway.receive(message("found"))).toMatchObject({ status: "replied" });
    await gateway.stop("command");
  });
});

/** Opens a proxy to a server that can be closed and reopened. */
async function openWay(target: number) {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((client) => {
    if (!isOpen) return void client.destroy();
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    close() {
      isOpen = false;
      for (const socket of sockets) socket.destroy();
    },
    open() {
      isOpen = true;
    },
  };
}
