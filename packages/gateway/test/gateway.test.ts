import { readFileSync } from "node:fs";
import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import { describe, expect, it, vi } from "vitest";
import { readLockHolder } from "../src/index.js";
import { loadGatewayToken } from "../src/state/token.js";
import { startTestGateway } from "./support/gateway.js";
import { message } from "./support/host.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe("startGateway", () => {
  it("replies in its process and over HTTP, in one session, until it stops", async () => {
    using folder = temporaryFolder();
    const gateway = await startTestGateway(folder, { port: 0 });
    const { state, url = "" } = gateway;
    expect(await readLockHolder(state.lockFile)).toMatchObject({
      pid: process.pid,
      port: Number(new URL(url).port),
    });
    const here = await gateway.receive(message("what time is it"));
    expect(here).toMatchObject({ status: "replied", text: expect.stringMatching(/\d:\d/) });
    const client = createGatewayClient({ url, token: loadGatewayToken(state.tokenFile) });
    expect(await client.readiness()).toMatchObject({ ready: true, model: { ref: "demo/echo" } });
    const there: string[] = [];
    for await (const event of client.reply({ text: "hello", sessionKey: "agent:main:main" })) {
      if (event.type === "text") there.push(event.delta);
    }
    expect(there.join("")).not.toBe("");

    const [first, second] = [gateway.stop("command"), gateway.stop("signal")];
    await Promise.all([first, second]);
    expect(await client.alive()).toBe(false);
    await expect(gateway.receive(message("late"))).rejects.toMatchObject({
      code: "MESSAGE_REFUSED",
    });
    expect(await readLockHolder(state.lockFile)).toBeUndefined();

    const store = await openStore({ file: state.databaseFile });
    const { session } = await store.sessions.open("agent:main:main", { agentId: "main" });
    const entries = await store.messages.transcript.load(session.sessionId);
    expect(
      entries.flatMap(({ message: { role, content } }) => (role === "user" ? content : [])),
    ).toMatchObject([{ text: "what time is it" }, { text: "hello" }]);
    await store.close();
    const log = readFileSync(state.logFile, "utf8");
    expect(log).toContain("OpenClaw 1.0.0 is ready");
    expect(log).toContain('"reason":"command"');
    expect(log).not.toContain(loadGatewayToken(state.tokenFile));
  });

  it("reads its token and its port from its configuration", async () => {
    using folder = temporaryFolder();
    const token = "configured-token-of-this-test";
    folder.write({ "openclaw.json": `{ gateway: { auth: { token: "${token}" } } }` });
    const gateway = await startTestGateway(folder, { port: 0 });
    const response = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    await gateway.stop("command");
  });

  it("serves no HTTP without a port", async () => {
    using folder = temporaryFolder();
    const gateway = await startTestGateway(folder);
    expect(gateway.url).toBeUndefined();
    expect(await readLockHolder(gateway.state.lockFile)).not.toHaveProperty("port");
    await gateway.stop("command");
  });

  it("undoes a failed start, so that the next one can use the folder", async () => {
    using folder = temporaryFolder();
    await expect(startTestGateway(folder, { model: "nobody/none" })).rejects.toMatchObject({
      code: "MODEL_NOT_FOUND",
    });
    const other = await startTestGateway(folder, { port: 0 });
    const { port } = new URL(other.url ?? "");
    using place = temporaryFolder();
    await expect(startTestGateway(place, { port: Number(port) })).rejects.toMatchObject({
      code: "PORT_TAKEN",
    });
    const second = await startTestGateway(place);
    await Promise.all([other.stop("command"), second.stop("command")]);
  });

  it("rejects a folder that another gateway uses, and names that gateway", async () => {
    using folder = temporaryFolder();
    const gateway = await startTestGateway(folder);
    await expect(startTestGateway(folder)).rejects.toMatchObject({ code: "STATE_LOCKED" });
    expect(await gateway.receive(message("hello"))).toMatchObject({ status: "replied" });
    await gateway.stop("command");
  });

  it("[JOB-500] rejects a second process while a job works, which ends once", async () => {
    using folder = temporaryFolder();
    const gateway = await startTestGateway(folder);
    expect(await gateway.receive(message("/job count the files"))).toMatchObject({
      status: "answered",
    });
    await expect(startTestGateway(folder)).rejects.toMatchObject({ code: "STATE_LOCKED" });
    await gateway.stop("command");
    const next = await startTestGateway(folder);
    await vi.waitFor(
      async () => {
        const told = JSON.stringify(await next.receive(message("/jobs")));
        expect(told).toContain("submitted");
      },
      { timeout: 20_000, interval: 50 },
    );
    await next.stop("command");
    const store = await openStore({ file: next.state.databaseFile });
    const [job, ...others] = await store.jobs.list({ limit: 5 });
    expect(others).toEqual([]);
    const runs = await store.jobs.runs.of(job?.jobId ?? "");
    expect(runs.filter(({ delivery }) => delivery?.state === "delivered")).toHaveLength(1);
    await store.close();
  });

  it("logs warnings about its configuration", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": "{ plugins: { enabeld: true } }" });
    const gateway = await startTestGateway(folder);
    await gateway.stop("command");
    expect(readFileSync(gateway.state.logFile, "utf8")).toContain("plugins.enabeld");
  });
});
