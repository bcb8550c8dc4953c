import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type HookHost, hostWith, inbound, openHost } from "./support/host.js";

// Programs take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const node = (code: string) => ({ type: "shell", argv: [process.execPath, "-e", code] });
const shell = (command: string) => ({ type: "shell", command });

/** Fires an inbound message at one hook, and returns its result and last run. */
async function fire(action: object, fields: object = {}, content = "hello") {
  const { host, set } = await hostWith({
    hooks: [{ name: "h", points: ["beforeInbound"], action, timeoutMs: 20_000, ...fields }],
  });
  const result = await host.fire("message_receiving", inbound(content));
  const [run] = (await set.show("h"))?.runs ?? [];
  return { result, run, host, set };
}

const OUTPUTS: readonly (readonly [
  string,
  object | undefined,
  { outcome: string; reason?: RegExp },
])[] = [
  ["true", undefined, { outcome: "continue" }],
  ["echo", undefined, { outcome: "continue" }],
  ['echo \'{"action":"continue"}\'', undefined, { outcome: "continue" }],
  ["echo other text", { content: "other text" }, { outcome: "modify" }],
  ['echo \'{"action":"modify","content":"new"}\'', { content: "new" }, { outcome: "modify" }],
  [
    'echo \'{"action":"block","reason":"no"}\'',
    { cancel: true, reply: "no" },
    { outcome: "block" },
  ],
  ["echo stop it >&2; exit 2", { cancel: true, reply: "stop it" }, { outcome: "block" }],
  ["exit 3", undefined, { outcome: "error", reason: /ended with 3/ }],
  [
    'echo \'{"action":"modi\'',
    undefined,
    { outcome: "error", reason: /begins with \{ and is not valid JSON/ },
  ],
  [
    'echo \'{"content":"x"}\'',
    undefined,
    { outcome: "error", reason: /expected continue, modify or block/ },
  ],
  [
    'echo \'{"action":"modify"}\'',
    undefined,
    { outcome: "error", reason: /without a string in content/ },
  ],
  ["yes | head -c 300000", undefined, { outcome: "error", reason: /more than 262144 bytes/ }],
  ["yes", undefined, { outcome: "error", reason: /more than 262144 bytes/ }],
  ["kill -9 $$", undefined, { outcome: "error", reason: /did not end by itself \(signal\)/ }],
  ["exec <&-; echo unread", { content: "unread" }, { outcome: "modify" }],
  ["printf '\\377\\376'", { content: "\ufffd\ufffd" }, { outcome: "modify" }],
];

describe("shell actions", () => {
  let outputs: HookHost;
  beforeAll(async () => {
    const hooks = OUTPUTS.map(([command], index) => ({
      ...{ name: `h${index}`, points: ["beforeInbound"], timeoutMs: 20_000 },
      ...{ filter: { sender: `sender-${index}` }, action: shell(command) },
    }));
    outputs = await openHost({ hooks });
  });
  afterAll(() => outputs.host.dispose());

  it("[DHOOK-021] get the event on standard input and in variables, and the safe environment only", async () => {
    vi.stubEnv("MY_API_TOKEN", "s3cret");
    onTestFinished(() => void vi.unstubAllEnvs());
    const code = `
      let input = "";
      process.stdin.on("data", (chunk) => { input += chunk; }).on("end", () => {
        const { HOOK_EVENT, HOOK_POINT, HOOK_CHANNEL, HOOK_SENDER, HOOK_TOOL, MY_API_TOKEN, PATH } = process.env;
        const content = JSON.stringify({ input: JSON.parse(input), same: HOOK_EVENT === input,
          HOOK_POINT, HOOK_CHANNEL, HOOK_SENDER, HOOK_TOOL, MY_API_TOKEN, hasPath: PATH !== undefined });
        console.log(JSON.stringify({ action: "modify", content }));
      });`;
    const text = "$(touch pwned) `touch pwned` '; touch pwned; \"";
    const { result, host } = await fire(node(code), {}, text);
    expect(JSON.parse(String(result?.content))).toEqual({
      input: {
        ...{ point: "beforeInbound", hook: "config::h", channel: "telegram", sender: "ada" },
        ...{ content: text, isGroup: false, session: "agent:main:main" },
      },
      ...{ same: true, HOOK_POINT: "beforeInbound", HOOK_CHANNEL: "telegram", HOOK_SENDER: "ada" },
      ...{ HOOK_TOOL: "", hasPath: true },
    });
    expect(existsSync(join(host.workspaceDir, "pwned"))).toBe(false);
  });

  it("[DHOOK-021] never are part of the command line, also with a hostile sender in a shell", async () => {
    const { host, set } = await hostWith({
      hooks: [
        {
          name: "h",
          points: ["beforeInbound"],
          action: shell('printf %s "$HOOK_SENDER" > sender'),
        },
      ],
    });
    await host.fire("message_receiving", inbound("x", '"; touch pwned; $(touch pwned)'));
    expect(readFileSync(join(host.workspaceDir, "sender"), "utf8")).toBe(
      '"; touch pwned; $(touch pwned)',
    );
    expect(existsSync(join(host.workspaceDir, "pwned"))).toBe(false);
    expect((await set.show("h"))?.runs[0]).toMatchObject({ outcome: "continue" });
  });

  it("[DHOOK-021] get a large event on standard input and in a file, and its facts in the variable", async () => {
    const code = `
      const { readFileSync, statSync } = require("node:fs");
      let input = "";
      process.stdin.on("data", (chunk) => { input += chunk; }).on("end", () => {
        const { truncated, point, file } = JSON.parse(process.env.HOOK_EVENT);
        const whole = readFileSync(file, "utf8");
        const mode = (statSync(file).mode & 0o777).toString(8);
        const isNamed = file === process.env.HOOK_EVENT_FILE;
        console.log([input.length > 200_000, truncated, point, whole === input, mode, isNamed, file].join());
      });`;
    const { result } = await fire(node(code), {}, "x".repeat(200_000));
    const [file, ...facts] = String((result as { readonly content?: string } | undefined)?.content)
      .split(",")
      .reverse();
    expect(facts.reverse().join()).toBe("true,true,beforeInbound,true,600,true");
    expect(existsSync(`${file}`)).toBe(false);
  });

  it.each(OUTPUTS)("[DHOOK-022] %s", async (command, expected, { outcome, reason }) => {
    const index = OUTPUTS.findIndex(([each]) => each === command);
    const result = await outputs.host.fire(
      "message_receiving",
      inbound("hello", `sender-${index}`),
    );
    if (expected === undefined) expect(result).toBeUndefined();
    else expect(result).toMatchObject(expected);
    const [run] = (await outputs.set.show(`h${index}`))?.runs ?? [];
    expect(run?.outcome).toBe(outcome);
    if (reason !== undefined) expect(run?.reason).toMatch(reason);
  });

  it("[DHOOK-022] change the parameters of a tool call with an object only", async () => {
    const tools = { points: ["beforeToolCall"] };
    const { host } = await hostWith({
      hooks: [
        {
          name: "object",
          ...tools,
          filter: { pattern: "one" },
          action: shell('echo \'{"action":"modify","params":{"message":"changed"}}\''),
        },
        { name: "text", ...tools, filter: { pattern: "two" }, action: shell("echo changed") },
      ],
    });
    expect((await host.callTool("echo", { message: "one" })).text).toContain("changed");
    const failed = await host.callTool("echo", { message: "two" });
    expect(failed.isError).toBe(true);
  });

  it("[DHOOK-018] [DHOOK-023] are killed with their process group at the deadline, although they ignore SIGTERM", async () => {
    const child = 'trap "" TERM; echo $$ > child; while :; do sleep 0.05; done';
    const command = `trap "" TERM; sh -c '${child}' & echo $$ > parent; while :; do sleep 0.05; done`;
    const { host, set } = await hostWith({
      hooks: [{ name: "h", points: ["beforeInbound"], action: shell(command), timeoutMs: 2000 }],
      rules: [{ name: "after", points: ["beforeInbound"], append: "!", priority: "low" }],
    });
    const fired = host.fire("message_receiving", inbound("x"));
    const pid = (name: string) => Number(readFileSync(join(host.workspaceDir, name), "utf8"));
    await vi.waitFor(
      () => expect([pid("parent"), pid("child")].every((each) => each > 0)).toBe(true),
      20_000,
    );
    await host.advance(2000);
    expect(await fired).toEqual({ content: "x!" });
    await vi.waitFor(
      () => expect([isRunning(pid("parent")), isRunning(pid("child"))]).toEqual([false, false]),
      {
        timeout: 20_000,
      },
    );
    await vi.waitFor(async () => expect((await set.show("h"))?.counts.failed).toBe(1));
  });

  it("do not wait for what they leave behind, also in a separate session", async () => {
    const { host } = await hostWith({
      hooks: ["sleep 600 & echo done", "setsid sleep 600 & echo $! > other; echo done"].map(
        (command, index) => ({
          ...{ name: `h${index}`, points: ["beforeInbound"], timeoutMs: 20_000 },
          ...{ filter: { sender: `sender-${index}` }, action: shell(command) },
        }),
      ),
    });
    for (const sender of ["sender-0", "sender-1"]) {
      const result = await host.fire("message_receiving", inbound("x", sender));
      expect(result).toEqual({ content: "done" });
    }
    // It is not ended, as documented; the number is that of the program in the other session.
    process.kill(Number(readFileSync(join(host.workspaceDir, "other"), "utf8")), "SIGKILL");
  });

  it("do not fail on a large event that they do not read", async () => {
    const { result } = await fire(shell("echo ok"), {}, "x".repeat(2_000_000));
    expect(result).toEqual({ content: "ok" });
  });
});

function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

interface Asked {
  readonly method: string | undefined;
  readonly body: string;
}

async function listen(respond: (response: ServerResponse, count: number) => void) {
  const asked: Asked[] = [];
  const http = createServer(async (request: IncomingMessage, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    asked.push({ method: request.method, body });
    respond(response, asked.length);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const host = `127.0.0.1:${address.port}`;
  const close = () => {
    http.closeAllConnections();
    http.close();
  };
  return { host, url: `http://${host}/`, asked, close };
}

async function server(respond: Parameters<typeof listen>[0]) {
  const listening = await listen(respond);
  onTestFinished(listening.close);
  return listening;
}

describe("http actions", () => {
  const ACTIONS = [
    { method: "POST" },
    { method: "PUT" },
    { method: "GET" },
    { method: "POST", idempotent: true },
  ];
  let respond: Parameters<typeof server>[0] = () => undefined;
  let open: Awaited<ReturnType<typeof listen>>;
  let shared: HookHost;
  beforeAll(async () => {
    open = await listen((response, count) => respond(response, count));
    const hooks = ACTIONS.map((action, index) => ({
      ...{ name: `h${index}`, points: ["beforeInbound"], filter: { sender: `sender-${index}` } },
      action: { type: "http", url: open.url, ...action },
    }));
    shared = await openHost({ hooks }, { allowHosts: [open.host] });
  });
  afterAll(async () => {
    await shared.host.dispose();
    open.close();
  });

  async function ask(answer: Parameters<typeof server>[0], action: object = {}) {
    const wanted = JSON.stringify({ method: "POST", ...action });
    const index = ACTIONS.findIndex((each) => JSON.stringify(each) === wanted);
    respond = answer;
    open.asked.length = 0;
    const result = await shared.host.fire("message_receiving", inbound("hello", `sender-${index}`));
    const [run] = (await shared.set.show(`h${index}`))?.runs ?? [];
    return { result, asked: [...open.asked], run };
  }

  it.each(["POST", "PUT"])(
    "[DHOOK-024] %s the event, and read the body as the output of a program",
    async (method) => {
      const { result, asked } = await ask(
        (response) => response.end('{"action":"block","reason":"no"}'),
        { method },
      );
      expect(result).toMatchObject({ cancel: true, reply: "no" });
      expect(asked[0]?.method).toBe(method);
      expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({
        point: "beforeInbound",
        content: "hello",
      });
    },
  );

  it("[DHOOK-024] GET without a body", async () => {
    const { result, asked } = await ask((response) => response.end("other"), { method: "GET" });
    expect(result).toEqual({ content: "other" });
    expect(asked).toEqual([{ method: "GET", body: "" }]);
  });

  it.each([
    ["POST", {}, 1],
    ["POST", { idempotent: true }, 2],
    ["PUT", {}, 2],
    ["GET", {}, 2],
  ])("[DHOOK-024] %s %j is sent %i times to a server that fails", async (method, more, count) => {
    const failing = await ask((response) => response.writeHead(503).end(), { method, ...more });
    expect(failing.asked).toHaveLength(count);
    expect(failing.run).toMatchObject({ outcome: "error", reason: expect.stringContaining("503") });
    const gone = await ask((response) => response.destroy(), { method, ...more });
    expect(gone.asked).toHaveLength(count);
    const refused = await ask((response) => response.writeHead(404).end(), { method, ...more });
    expect(refused.asked).toHaveLength(1);
  });

  it("[DHOOK-024] recover with the second try, and follow no redirect", async () => {
    const { result } = await ask(
      (response, count) => (count === 1 ? response.writeHead(500).end() : response.end("ok")),
      { method: "PUT" },
    );
    expect(result).toEqual({ content: "ok" });
    const target = await server((response) => response.end("internal"));
    const { run } = await ask((response) =>
      response.writeHead(302, { location: target.url }).end(),
    );
    expect(run).toMatchObject({ outcome: "error", reason: expect.stringContaining("302") });
    expect(target.asked).toEqual([]);
  });

  it.each([
    ["never respond", () => undefined],
    ["never end a response", (response: ServerResponse) => void response.write('{"action":')],
  ])("[DHOOK-018] [DHOOK-024] fail at the deadline when servers %s", async (_name, answer) => {
    let closed = false;
    const slow = await listen((response) => {
      response.once("close", () => {
        closed = true;
      });
      answer(response);
    });
    onTestFinished(slow.close);
    const action = { type: "http", url: slow.url, method: "PUT" };
    const { host, set } = await hostWith(
      {
        hooks: [{ name: "h", points: ["beforeInbound"], action, timeoutMs: 2000, mode: "closed" }],
      },
      { allowHosts: [slow.host] },
    );
    const fired = host.fire("message_receiving", inbound("x"));
    await vi.waitFor(() => expect(slow.asked).toHaveLength(1));
    await host.advance(3000);
    expect(await fired).toMatchObject({ cancel: true });
    await vi.waitFor(() => expect(closed).toBe(true));
    await vi.waitFor(async () => expect((await set.show("h"))?.counts.failed).toBe(1));
    expect(slow.asked).toHaveLength(1);
  });

  it("[DHOOK-024] reject half an answer, a large one, and a host that is not allowed", async () => {
    const half = await ask((response) => response.end('{"action":'));
    expect(half.run).toMatchObject({
      outcome: "error",
      reason: expect.stringContaining("not valid JSON"),
    });
    const large = await ask((response) => response.end("x".repeat(300_000)));
    expect(large.run).toMatchObject({
      outcome: "error",
      reason: expect.stringContaining("larger than"),
    });
    const url = "http://127.0.0.1:9/";
    const { set } = await hostWith({
      hooks: [{ name: "h", points: ["beforeInbound"], action: { type: "http", url } }],
    });
    const { hooks } = await set.list();
    expect(hooks[0]).toMatchObject({
      state: "invalid",
      reason: expect.stringContaining("InvalidWebhookScheme"),
    });
  });
});
