import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { connectGateway, createGatewayClient } from "@openclaw/client";
import { gatewayMethods } from "@openclaw/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const PAGE = new URL("../../../../docs/author/rest.md", import.meta.url);
const HEADING = "## Operations of the earlier web gateway";
const SESSION = "agent:main:operations";

/** Plugin whose tool asks for a credential. */
const SERVICE = `export default {
  id: "service",
  register(api) {
    api.registerTool(({ sessionKey }) => ({
      name: "sign_in",
      description: "Asks for a credential.",
      parameters: { type: "object", properties: {} },
      async execute() {
        await api.runtime.messages.requestCredential({ sessionKey, name: "API_KEY" });
        return "The person was asked.";
      },
    }));
  },
};
`;
const ADDED = `export default { id: "added", register() {} };\n`;

/** An operation of the table. */
interface Operation {
  readonly name: string;
  readonly method: string;
}

/** Returns the rows of the table. */
function documentedOperations(): Operation[] {
  const [, section = ""] = readFileSync(PAGE, "utf8").split(HEADING);
  const rows = section.split("\n## ")[0]?.matchAll(/^\| ([^|]+) \| `([^`|]+)` \|.*\|$/gm) ?? [];
  return [...rows].map(([, name = "", method = ""]) => ({ name: name.trim(), method }));
}

const operations = documentedOperations();
const place = emptyPlace();
let gateway: GatewayProcess;

beforeAll(async () => {
  place.installPlugin("service", SERVICE);
  place.writeWorkspace({
    "added/openclaw.plugin.json": JSON.stringify({ id: "added", entry: "index.js" }),
    "added/package.json": JSON.stringify({ name: "added", version: "1.0.0", type: "module" }),
    "added/index.js": ADDED,
  });
  gateway = await startGateway(place);
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

/** Calls a method; the outcome is the result or the error of the wire. */
type Call = (method: string, params: object) => Promise<Outcome>;

type Outcome =
  // biome-ignore lint/suspicious/noExplicitAny: assertions read results of every form
  { readonly ok: true; readonly payload: any } | { readonly ok: false; readonly error: unknown };

const isRead = (method: string) =>
  Object.values(gatewayMethods).some(({ name, effect }) => name === method && effect === "read");

/** Calls methods over HTTP. */
const overHttp: Call = async (method, params) => {
  const response = await fetch(`${gateway.url}/api/v1/${method.replace(".", "/")}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${gateway.token}`,
      ...(!isRead(method) && { "idempotency-key": randomUUID() }),
    },
    body: JSON.stringify(params),
  });
  const body = (await response.json()) as { error?: { code?: string } };
  if (response.ok) return { ok: true, payload: body };
  return { ok: false, error: { status: response.status, ...body.error } };
};

/** Opens a WebSocket, over which it calls methods. */
async function socketCalls(): Promise<{ readonly call: Call; close(): void }> {
  const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/ws`);
  const waiting = new Map<string, (outcome: Outcome) => void>();
  socket.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(String(data));
    if (frame.type === "res") waiting.get(frame.id)?.(frame);
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const call: Call = (method, params) =>
    new Promise((resolve) => {
      const id = randomUUID();
      waiting.set(id, resolve);
      const needsKey = method !== "connect" && !isRead(method);
      const key = needsKey ? { idempotencyKey: randomUUID() } : {};
      socket.send(JSON.stringify({ type: "req", id, method, params: { ...params, ...key } }));
    });
  const client = { id: "test", version: "1.0.0", mode: "automation" };
  await call("connect", {
    ...{ minProtocol: 1, maxProtocol: 1, client, auth: { token: gateway.token } },
  });
  return { call, close: () => socket.close() };
}

/** Returns the payload of a successful call. */
async function done(outcome: Promise<Outcome>) {
  const settled = await outcome;
  if (!settled.ok) throw new Error(JSON.stringify(settled.error));
  return settled.payload;
}

/** Steps of the available operations, by name; each fails when its method has no effect. */
const steps: Readonly<Record<string, (call: Call, method: string) => Promise<void>>> = {
  async "chat: send a message"(call, method) {
    expect(await done(call(method, { sessionKey: SESSION, text: "hello" }))).toMatchObject({
      sessionKey: SESSION,
      messageId: expect.any(String),
    });
  },
  async "chat: answer an approval request"(call, method) {
    const connection = connectGateway({
      url: gateway.url,
      token: gateway.token,
      client: { id: "approver", version: "1.0.0", mode: "ui" },
      approver: true,
    });
    const requested = new Promise<{ id: string; digest: string }>((resolve) => {
      connection.on("approval.requested", ({ payload }) => resolve(payload));
    });
    await connection.ready();
    const params = { sessionKey: SESSION, tool: "exec", params: { command: "touch made.txt" } };
    const ran = done(call("tools.invoke", params));
    const { id, digest } = await requested;
    expect(await done(call(method, { id, digest, decision: "deny" }))).toMatchObject({
      state: "denied",
    });
    expect(await ran).toMatchObject({ isError: true });
    connection.close();
  },
  async "chat: hand over a credential"(call, method) {
    const text = "correct horse battery staple";
    expect(await credentialEnd(call, method, text)).toMatchObject({ success: true });
    const history = await done(call("chat.history", { sessionKey: SESSION }));
    expect(JSON.stringify(history)).not.toContain(text);
  },
  async "chat: cancel a credential"(call, method) {
    expect(await credentialEnd(call, method, "auth-cancel")).toMatchObject({ success: false });
  },
  async "chat: new thread"(call, method) {
    const sessionKey = `agent:main:${randomUUID()}`;
    expect(await done(call(method, { sessionKey }))).toMatchObject({ sessionKey });
  },
  async "chat: list threads"(call, method) {
    const { sessions } = await done(call(method, {}));
    expect(sessions).toContainEqual(expect.objectContaining({ sessionKey: SESSION }));
  },
  async "chat: history"(call, method) {
    const page = { sessionKey: SESSION, limit: 1 };
    const newest = await done(call(method, page));
    expect(newest.messages).toHaveLength(1);
    const [{ seq }] = newest.messages;
    const { messages } = await done(call(method, { ...page, before: seq }));
    expect(messages[0].seq).toBeLessThan(seq);
    expect(await call(method, { ...page, limit: 201 })).toMatchObject({ ok: false });
  },
  async "memory: tree"(call, method) {
    const tree = { sessionKey: SESSION, tool: "memory_tree", params: {} };
    expect(await done(call(method, tree))).toMatchObject({ isError: false });
  },
  async "memory: list"(call, method) {
    const tree = { sessionKey: SESSION, tool: "memory_tree", params: { path: "daily" } };
    expect(await done(call(method, tree))).toMatchObject({ content: expect.any(Array) });
  },
  async "memory: write"(call, method) {
    const params = { content: "Bread is in the oven.", target: "notes/bread.md" };
    const write = { sessionKey: SESSION, tool: "memory_write", params };
    expect(await done(call(method, write))).toMatchObject({ isError: false });
  },
  async "memory: read"(call, method) {
    await steps["memory: write"]?.(call, method);
    const read = { sessionKey: SESSION, tool: "memory_read", params: { path: "notes/bread.md" } };
    expect(JSON.stringify(await done(call(method, read)))).toContain("in the oven");
  },
  async "memory: search"(call, method) {
    const search = { sessionKey: SESSION, tool: "memory_search", params: { query: "bread oven" } };
    expect(JSON.stringify(await done(call(method, search)))).toContain("notes/bread.md");
  },
  async "jobs: list"(call, method) {
    const jobId = await newJob(call);
    const { jobs } = await done(call(method, { limit: 200 }));
    expect(jobs).toContainEqual(expect.objectContaining({ jobId, title: "count files" }));
  },
  async "jobs: summary"(call, method) {
    await newJob(call);
    const { total, counts } = await done(call(method, {}));
    expect(total).toBeGreaterThan(0);
    expect(counts).toEqual(expect.any(Object));
  },
  async "jobs: detail"(call, method) {
    const jobId = await newJob(call);
    expect(await done(call(method, { jobId }))).toMatchObject({ jobId, description: "How many?" });
  },
  async "jobs: events"(call, method) {
    const jobId = await newJob(call);
    expect(await done(call(method, { jobId }))).toMatchObject({ moves: expect.any(Array) });
  },
  async "jobs: cancel"(call, method) {
    expect(await call(method, { jobId: randomUUID() })).toMatchObject({
      ok: false,
      error: { reason: "JOB_NOT_FOUND" },
    });
  },
  async "jobs: restart"(call, method) {
    expect(await call(method, { jobId: randomUUID() })).toMatchObject({
      ok: false,
      error: { reason: "JOB_NOT_FOUND" },
    });
  },
  async "jobs: list files"(call, method) {
    const jobId = await newJob(call);
    expect(await done(call(method, { jobId }))).toEqual({ files: [] });
  },
  async "jobs: read a file"(call, method) {
    const jobId = await newJob(call);
    const path = "added/index.js";
    const { content } = await done(call(method, { jobId, path }));
    expect(Buffer.from(content, "base64").toString()).toBe(ADDED);
    expect(await call(method, { jobId, path: "/etc/hostname" })).toMatchObject({
      ok: false,
      error: { code: "FORBIDDEN", reason: "JOB_FILE_FORBIDDEN" },
    });
  },
  async "jobs: prompt"(call, method) {
    expect(await call(method, { jobId: randomUUID(), text: "and the tests" })).toMatchObject({
      ok: false,
      error: { reason: "JOB_NOT_FOUND" },
    });
  },
  async "routines: list"(call, method) {
    const routine = await newRoutine(call);
    const { routines } = await done(call(method, {}));
    expect(routines).toContainEqual(expect.objectContaining({ name: routine, enabled: true }));
  },
  async "routines: summary"(call, method) {
    await newRoutine(call);
    expect((await done(call(method, {}))).total).toBeGreaterThan(0);
  },
  async "routines: detail"(call, method) {
    const routine = await newRoutine(call);
    const { schedule, next } = await done(call(method, { routine }));
    expect(schedule).toBe("Every weekday at 07:00 Europe/Vienna");
    expect(next).toHaveLength(5);
  },
  async "routines: runs"(call, method) {
    const routine = await newRoutine(call);
    expect(await done(call(method, { routine }))).toMatchObject({ runs: [] });
  },
  async "routines: trigger"(call, method) {
    const routine = await newRoutine(call);
    expect(await done(call(method, { routine }))).toMatchObject({ run: { origin: "manual" } });
  },
  async "routines: toggle"(call, method) {
    const routine = await newRoutine(call);
    expect(await done(call(method, { routine, enabled: false }))).toMatchObject({ enabled: false });
  },
  async "routines: delete"(call, method) {
    const routine = await newRoutine(call);
    await done(call(method, { routine }));
    expect(await call("cron.get", { routine })).toMatchObject({
      ok: false,
      error: { reason: "ROUTINE_NOT_FOUND" },
    });
  },
  async "logs: recent lines"(call, method) {
    const { lines } = await done(call(method, { level: "debug", limit: 5 }));
    expect(lines.length).toBeGreaterThan(0);
  },
  async "extensions: list"(call, method) {
    const { plugins } = await done(call(method, {}));
    expect(plugins).toContainEqual(expect.objectContaining({ id: "service" }));
  },
  async "extensions: tools"(call, method) {
    const { tools } = await done(call(method, {}));
    expect(tools).toContainEqual(expect.objectContaining({ name: "sign_in" }));
  },
  async "extensions: install"(call, method) {
    const source = { specifier: "./added", cwd: place.workspace };
    await done(call(method, source));
    const { plugins } = await done(call("plugins.list", {}));
    expect(plugins).toContainEqual(expect.objectContaining({ id: "added", status: "loaded" }));
  },
  async "extensions: activate"(call, method) {
    await done(call("plugins.disable", { id: "added" }));
    await done(call(method, { id: "added" }));
    const { plugins } = await done(call("plugins.list", {}));
    expect(plugins).toContainEqual(expect.objectContaining({ id: "added", status: "loaded" }));
  },
  async "extensions: remove"(call, method) {
    await done(call(method, { id: "added" }));
    const { plugins } = await done(call("plugins.list", {}));
    expect(plugins).not.toContainEqual(expect.objectContaining({ id: "added" }));
  },
  async "settings: list"(call, method) {
    expect(await done(call(method, {}))).toMatchObject({ value: expect.any(Object) });
  },
  "settings: get": (call, method) => settingIs(call, method, undefined),
  "settings: export": (call, method) => settingIs(call, method, undefined),
  async "settings: put"(call, method) {
    await change(call, method, [{ path: ["session", "queueMode"], value: "collect" }]);
    await settingIs(call, "config.get", "collect");
  },
  async "settings: delete"(call, method) {
    await change(call, method, [{ path: ["session", "queueMode"] }]);
    await settingIs(call, "config.get", undefined);
  },
  async "settings: import"(call, method) {
    await change(call, method, [
      { path: ["session", "queueMode"], value: "collect" },
      { path: ["agents", "maxConcurrentTurns"], value: 2 },
    ]);
    await settingIs(call, "config.get", "collect");
    await change(call, method, [{ path: ["session"] }, { path: ["agents"] }]);
  },
  async "pairing: list"(call, method) {
    expect(await done(call(method, {}))).toMatchObject({ pending: [], admitted: [] });
  },
  async "pairing: approve"(call, method) {
    // No sender waits, so a code is unknown.
    const guess = { channel: "telegram", code: "AAAAAAAA" };
    expect(await call(method, guess)).toMatchObject({
      ok: false,
      error: { reason: "PAIRING_CODE_UNKNOWN" },
    });
  },
  async status(call, method) {
    expect(await done(call(method, {}))).toMatchObject({
      model: "demo/echo",
      version: expect.any(String),
    });
  },
};

/** Operations that need a connection, which a request over HTTP has not. */
const ofConnections: typeof steps = {
  async "chat: live events"(call, method) {
    expect(await done(call(method, { sessionKey: SESSION }))).toMatchObject({});
  },
  async "logs: live"(call, method) {
    expect(await done(call(method, { follow: true }))).toMatchObject({ lines: expect.any(Array) });
  },
};

/** Creates a routine, and returns its name. */
async function newRoutine(call: Call): Promise<string> {
  const name = `r-${randomUUID()}`;
  const routine = { name, prompt: "hello", cron: "0 7 * * 1-5", tz: "Europe/Vienna" };
  await done(call("cron.add", routine));
  return name;
}

/** Creates a job, and returns its ID. */
async function newJob(call: Call): Promise<string> {
  const task = { title: "count files", description: "How many?" };
  const { jobId } = await done(call("jobs.create", task));
  return jobId;
}

/** Sends the message that a plugin's request for a credential waits for, and returns the end of the request. */
async function credentialEnd(call: Call, method: string, text: string) {
  const connection = connectGateway({
    url: gateway.url,
    token: gateway.token,
    client: { id: "watcher", version: "1.0.0", mode: "ui" },
    subscribe: [SESSION],
  });
  const completed = new Promise((resolve) => {
    connection.on("credential.completed", ({ payload }) => resolve(payload));
  });
  await connection.ready();
  const asked = await done(
    call("tools.invoke", { sessionKey: SESSION, tool: "sign_in", params: {} }),
  );
  expect(asked).toMatchObject({ isError: false });
  await done(call(method, { sessionKey: SESSION, text }));
  const end = await completed;
  connection.close();
  return end;
}

async function change(call: Call, method: string, changes: readonly object[]): Promise<void> {
  const { baseHash } = await done(call("config.get", {}));
  await done(call(method, { baseHash, changes }));
}

async function settingIs(call: Call, method: string, expected: string | undefined): Promise<void> {
  const { value } = await done(call(method, {}));
  expect(value.session?.queueMode).toBe(expected);
}

describe("the operations of the earlier web gateway", () => {
  it("[CHAN-031] [CHAN-032] are in the table of the documentation, with a step for each", () => {
    expect(operations.map(({ name }) => name).toSorted()).toEqual(
      [...Object.keys(steps), ...Object.keys(ofConnections)].toSorted(),
    );
    expect(operations.length).toBeGreaterThan(40);
    const methods: readonly string[] = Object.keys(gatewayMethods);
    for (const { method } of operations) expect(methods).toContain(method);
  });

  it("[CHAN-031] [CHAN-032] work over HTTP", async () => {
    for (const { name, method } of operations) {
      if (Object.hasOwn(ofConnections, name)) {
        const params = method === "logs.tail" ? { follow: true } : { sessionKey: SESSION };
        const outcome = await overHttp(method, params);
        expect(outcome).toMatchObject({ ok: false, error: { reason: "CONNECTION_NEEDED" } });
      } else await steps[name]?.(overHttp, method);
    }
    const events = await fetch(`${gateway.url}/api/v1/events?session=${SESSION}`, {
      headers: { authorization: `Bearer ${gateway.token}` },
    });
    expect(events.headers.get("content-type")).toMatch(/^text\/event-stream/);
    await events.body?.cancel();
  });

  it("[CHAN-031] [CHAN-032] work over the WebSocket", async () => {
    const { call, close } = await socketCalls();
    for (const { name, method } of operations) {
      await { ...steps, ...ofConnections }[name]?.(call, method);
    }
    close();
  });

  it("[CHAN-031] have no second set of routes at the earlier paths", async () => {
    const paths = ["chat/send", "chat/history", "chat/threads", "chat/events", "memory/tree"];
    for (const path of [...paths, "jobs", "routines", "logs/events", "extensions", "settings"]) {
      const response = await fetch(`${gateway.url}/api/${path}`, {
        headers: { authorization: `Bearer ${gateway.token}` },
      });
      expect([path, response.status]).toEqual([path, 404]);
    }
    const client = createGatewayClient({ url: gateway.url, token: gateway.token });
    expect(await client.call("host.health", {})).toBeDefined();
  });
});
