import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";
import type { HostCommand, HostServices } from "@openclaw/plugin-sdk/services";
import { describe, expect, it, onTestFinished } from "vitest";
import type { PluginRuntimeOptions } from "../../src/index.js";
import { createFileHost, type FilePlugin } from "../support/file-host.js";
import { createTestHost, plugin } from "../support/host.js";

const tool = { name: "memory_search", description: "", parameters: {}, execute: () => "" };

async function apiOf(
  hostServices: HostServices = {},
  options: Partial<PluginRuntimeOptions> = {},
  permissions: NonNullable<FilePlugin["permissions"]> = {},
) {
  let api: OpenClawPluginApi | undefined;
  const register = (given: OpenClawPluginApi) => {
    api = given;
  };
  const host = createFileHost(
    [{ id: "guard", permissions, register }],
    {},
    { hostServices, ...options },
  );
  await host.runtime.load();
  if (api === undefined) throw new Error("the plugin was not loaded");
  return { api, ...host };
}

describe("api.runtime", () => {
  it("[PLUG-041] calls the host in the plugin's name", async () => {
    const asked: unknown[] = [];
    const note =
      <Answer>(answer: Answer) =>
      async (...given: unknown[]) => {
        asked.push(given);
        return answer;
      };
    const { api, stateDir } = await apiOf(
      {
        configFile: { change: note(undefined) },
        memoryTools: {
          search: (...given) => {
            asked.push(given);
            return tool;
          },
          get: () => null,
        },
        complete: note({ text: "four", model: "local/m" }),
        runAgent: note({ status: "completed" as const, text: "done" }),
        sessionMessages: note([]),
        deleteSession: async () => {},
        isVerbose: () => true,
      },
      { hostVersion: "1.2.3", workspaceDir: "/workspace" },
    );
    const { runtime } = api;
    expect(runtime.version).toBe("1.2.3");
    expect(runtime.config.current()).toEqual({ plugins: {} });
    expect(runtime.config.loadConfig()).toBe(runtime.config.current());
    const change = (draft: Record<string, unknown>) => {
      draft.c = 3;
    };
    await runtime.config.writeConfigFile?.({ plugins: {}, a: 1 });
    await runtime.config.replaceConfigFile?.({ nextConfig: { plugins: {}, b: 2 } });
    await runtime.config.mutateConfigFile?.(change);
    await runtime.config.mutateConfigFile?.({ mutate: change });
    expect(runtime.config.current()).toEqual({ plugins: {}, b: 2, c: 3 });
    expect(runtime.state.resolveStateDir?.()).toBe(stateDir);
    const request = { agentSessionKey: "agent:main:main" };
    expect(runtime.tools?.createMemorySearchTool(request)).toBe(tool);
    expect(runtime.tools?.createMemoryGetTool(request)).toBeNull();
    expect(await runtime.llm?.complete({ prompt: "2+2" })).toMatchObject({ text: "four" });
    expect(await runtime.subagent?.run({ task: "t", sessionKey: "s" })).toMatchObject({
      status: "completed",
      text: "done",
    });
    expect(runtime.agent.resolveAgentDir?.()).toBe(join(stateDir, "agents", "main"));
    expect(runtime.agent.resolveAgentDir?.({}, "other")).toBe(join(stateDir, "agents", "other"));
    expect(runtime.agent.resolveAgentWorkspaceDir?.({}, "main")).toBe("/workspace");
    expect(runtime.logging.shouldLogVerbose()).toBe(true);
    expect(asked).toEqual([
      ["guard", [{ path: ["a"], value: 1 }]],
      // What was written before is what the plugin reads, although the host has not taken it up.
      [
        "guard",
        [
          { path: ["a"], value: undefined },
          { path: ["b"], value: 2 },
        ],
      ],
      ["guard", [{ path: ["c"], value: 3 }]],
      ["guard", request],
      ["guard", { messages: [{ role: "user", content: "2+2" }], signal: expect.any(AbortSignal) }],
      ["guard", { prompt: "t", sessionKey: "s", signal: expect.any(AbortSignal) }],
    ]);
  });

  it("[PLUG-041] leaves out what the host lacks, so that plugins can detect it, and lists what they looked for", async () => {
    let given: OpenClawPluginApi | undefined;
    const { runtime: host } = createTestHost([
      plugin((api) => {
        given = api;
      }),
    ]);
    await host.load();
    const api = given as OpenClawPluginApi;
    const { runtime } = api;
    const absent: readonly (readonly [string, unknown])[] = [
      ["runtime.config.writeConfigFile", runtime.config.writeConfigFile],
      ["runtime.config.replaceConfigFile", runtime.config.replaceConfigFile],
      ["runtime.config.mutateConfigFile", runtime.config.mutateConfigFile],
      ["runtime.state.resolveStateDir", runtime.state.resolveStateDir],
      ["runtime.state.openKeyedStore", runtime.state.openKeyedStore],
      ["runtime.system.runCommandWithTimeout", runtime.system.runCommandWithTimeout],
      ["runtime.system.enqueueSystemEvent", runtime.system.enqueueSystemEvent],
      ["runtime.tools", runtime.tools],
      ["runtime.llm", runtime.llm],
      ["runtime.agent.resolveAgentDir", runtime.agent.resolveAgentDir],
      ["runtime.agent.resolveAgentWorkspaceDir", runtime.agent.resolveAgentWorkspaceDir],
      ["runtime.agent.runEmbeddedPiAgent", runtime.agent.runEmbeddedPiAgent],
      ["runtime.subagent", runtime.subagent],
      ["runtime.channel", "channel" in runtime ? runtime.channel : Reflect.get(runtime, "channel")],
    ];
    for (const [capability, value] of absent) expect(value, capability).toBeUndefined();
    const told = host.current.diagnostics.filter(({ code }) => code === "capability-absent");
    expect(told.map(({ message }) => /api\.([\w.]+),/.exec(message)?.[1])).toEqual(
      absent.map(([capability]) => capability),
    );
    for (const [capability, call] of [
      ["store.kv.get", () => api.store.kv.get("a")],
      ["store.database", () => api.store.database({ name: "a", migrations: [] })],
    ] as const) {
      const error = thrownBy(call);
      expect(RuntimeCapabilityError.isInstance(error), capability).toBe(true);
      expect(error).toMatchObject({ pluginId: "guard", capability });
    }
    for (const [capability, call] of [
      ["session.state.get", () => api.session.state.get("s", "n")],
      ["session.state.patch", () => api.session.state.patch("s", "n", null)],
      [
        "session.workflow.enqueueNextTurnInjection",
        () => api.enqueueNextTurnInjection({ sessionKey: "s", text: "t" }),
      ],
      [
        "approvals.request",
        () => api.approvals.request({ title: "t", description: "d", sessionKey: "s" }),
      ],
      ["approvals.get", () => api.approvals.get("id")],
    ] as const) {
      await expect(call()).rejects.toMatchObject({
        code: "RUNTIME_CAPABILITY_MISSING",
        capability,
      });
    }
    expect(await Promise.resolve(api.runtime)).toBe(api.runtime);
    expect(JSON.stringify(api.runtime)).toContain('"version"');
    expect("channel" in api.runtime).toBe(false);
    expect(api.runtime.logging.shouldLogVerbose()).toBe(false);
    expect(api.runtime.config.current()).toEqual(api.config);
  });

  it("passes sessions, approvals and injections on to a host that supports them", async () => {
    const { api } = await apiOf({
      sessionState: {
        get: async (...given) => given.join(" "),
        patch: async (_id, _session, _namespace, patch) => patch,
      },
      enqueueInjection: async (id, { sessionKey }) => ({ enqueued: true, id, sessionKey }),
      approvals: {
        request: async (id) => (id === "guard" ? "allow-once" : "deny"),
        get: async (_plugin, id) => ({ id, sessionKey: "s" }),
      },
    });
    api.session.state.registerSessionExtension({ namespace: "mood", description: "How it goes." });
    expect(await api.session.state.get("s", "mood")).toBe("guard s mood");
    expect(await api.session.state.patch("s", "mood", { a: 1 })).toEqual({ a: 1 });
    expect(await api.enqueueNextTurnInjection({ sessionKey: "s", text: "t" })).toEqual({
      enqueued: true,
      id: "guard",
      sessionKey: "s",
    });
    const request = { title: "t", description: "d", sessionKey: "s" };
    expect(await api.approvals.request(request)).toBe("allow-once");
    expect(await api.approvals.get("apr_1")).toEqual({ id: "apr_1", sessionKey: "s" });
  });

  it("creates loggers whose lines carry further fields", async () => {
    const { api, lines } = await apiOf();
    const logger = api.runtime.logging.getChildLogger({ part: "sync" });
    logger.debug("d");
    logger.info("i", { count: 1 });
    logger.warn("w", { part: "other" });
    logger.error("e");
    expect(lines.map(({ level, fields }) => [level, fields])).toEqual([
      ["debug", { part: "sync", pluginId: "guard" }],
      ["info", { part: "sync", count: 1, pluginId: "guard" }],
      ["warn", { part: "other", pluginId: "guard" }],
      ["error", { part: "sync", pluginId: "guard" }],
    ]);
  });

  it("is unusable after the plugin was disposed", async () => {
    const { api, runtime } = await apiOf({ runCommand: () => Promise.reject(new Error("ran")) });
    await runtime.dispose();
    await expect(api.runtime.fetch("http://127.0.0.1:9/")).rejects.toMatchObject({
      code: "PLUGIN_DISPOSED",
    });
    await expect(api.runtime.system.runCommandWithTimeout?.(["ls"], 1)).rejects.toMatchObject({
      code: "PLUGIN_DISPOSED",
    });
  });
});

describe("api.runtime.system.runCommandWithTimeout", () => {
  async function run(command: unknown, options: unknown) {
    const asked: HostCommand[] = [];
    const { api, folder, runtime } = await apiOf(
      {
        runCommand: (_id, given) => {
          asked.push(given);
          return Promise.reject(new Error("not run"));
        },
      },
      {},
      { exec: ["*"] },
    );
    const { runCommandWithTimeout } = api.runtime.system;
    const failure = await runCommandWithTimeout?.(command as never, options as never).catch(
      (error: Error) => error.message,
    );
    return { asked: asked[0], failure, folder: folder("guard"), runtime };
  }

  it("normalises the options before the host is called", async () => {
    const plain = await run(["git", "log"], 500);
    expect(plain.asked).toEqual({
      command: ["git", "log"],
      timeoutMs: 500,
      cwd: plain.folder,
      signal: expect.any(AbortSignal),
    });
    const full = await run(["cat"], { timeoutMs: 5, cwd: "sub", env: { A: "1" }, input: "hello" });
    expect(full.asked).toMatchObject({
      cwd: join(full.folder, "sub"),
      env: { A: "1" },
      input: "hello",
    });
  });

  it("stops the command when the plugin is disposed or the caller aborts", async () => {
    const { asked, runtime } = await run(["sleep"], 500);
    expect(asked?.signal.aborted).toBe(false);
    await runtime.dispose();
    expect(asked?.signal.aborted).toBe(true);
    const controller = new AbortController();
    const other = await run(["sleep"], { timeoutMs: 500, signal: controller.signal });
    controller.abort();
    expect(other.asked?.signal.aborted).toBe(true);
  });

  it.each([
    ["git log", 1, "command: expected a list of strings"],
    [[], 1, "command: expected a program, got an empty list"],
    [["ls"], 0, "timeoutMs: expected a time in milliseconds, got 0"],
    [["ls"], { timeoutMs: Number.NaN }, "timeoutMs: expected a time in milliseconds, got NaN"],
    [["ls"], {}, "timeoutMs: expected a time in milliseconds, got undefined"],
  ])("rejects %j with %j", async (command, options, problem) => {
    const { failure, asked } = await run(command, options);
    expect(failure).toContain(`runCommandWithTimeout with a wrong ${problem}`);
    expect(asked).toBeUndefined();
  });
});

describe("api.runtime.fetch", () => {
  it("[PLUG-041] fetches like the global function", async () => {
    const url = await serve((request) => ({ body: `${request.method} ${request.url}` }));
    const { api } = await apiOf({}, allowing(url));
    const { fetch } = api.runtime;
    expect(await (await fetch(`${url}/a`)).text()).toBe("GET /a");
    expect(await (await fetch(new URL(`${url}/b`), { method: "PUT" })).text()).toBe("PUT /b");
    expect(await (await fetch(new Request(`${url}/c`, { method: "POST" }))).text()).toBe("POST /c");
  });

  it("follows redirects only to hosts that the manifest declares", async () => {
    const foreign = await serve(() => ({ body: "foreign" }));
    const own = await serve(({ url }) =>
      url === "/end"
        ? { body: "end" }
        : { status: 302, location: url === "/out" ? foreign : "/end" },
    );
    const { api } = await apiOf({}, allowing(own, foreign), {
      network: { hosts: [new URL(own).host] },
    });
    expect(await (await api.runtime.fetch(`${own}/in`)).text()).toBe("end");
    await expect(api.runtime.fetch(`${own}/out`)).rejects.toMatchObject({
      code: "PLUGIN_PERMISSION_MISSING",
      value: new URL(foreign).host,
    });
    const manual = await api.runtime.fetch(`${own}/out`, { redirect: "manual" });
    expect(manual.headers.get("location")).toBe(foreign);
    await expect(api.runtime.fetch(`${own}/in`, { redirect: "error" })).rejects.toThrow(
      /redirects/,
    );
  });

  it.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [301, "PUT", "PUT", "body"],
    [307, "POST", "POST", "body"],
    [308, "POST", "POST", "body"],
  ])(
    "rewrites a redirected request as the standard requires: %d of %s becomes %s",
    async (status, method, becomes, body) => {
      const seen: string[] = [];
      const url = await serve(async (request) => {
        const text = await textOf(request);
        const { "content-type": type = "", authorization = "" } = request.headers;
        seen.push([request.method, text, type, authorization].join(" "));
        return request.url === "/from" ? { status, location: "/to" } : { body: "done" };
      });
      const { api } = await apiOf({}, allowing(url), { network: { hosts: ["127.0.0.1"] } });
      const headers = { "content-type": "text/plain", authorization: "Bearer t" };
      const answer = await api.runtime.fetch(`${url}/from`, { method, body: "body", headers });
      expect(await answer.text()).toBe("done");
      const type = body === "" ? "" : "text/plain";
      expect(seen).toEqual([
        `${method} body text/plain Bearer t`,
        `${becomes} ${body} ${type} Bearer t`,
      ]);
    },
  );

  it("drops credentials for another origin, and stops after 3 redirects", async () => {
    const seen: (string | undefined)[] = [];
    const target = await serve(({ headers }) => {
      seen.push(headers.authorization, headers.cookie);
      return { status: 302, location: "/again" };
    });
    const origin = await serve(() => ({ status: 302, location: target }));
    const { api } = await apiOf({}, allowing(origin, target), {
      network: { hosts: ["127.0.0.1"] },
    });
    const headers = { authorization: "Bearer t", cookie: "a=b" };
    await expect(api.runtime.fetch(origin, { headers })).rejects.toThrow(/more than 3 times/);
    expect(new Set(seen)).toEqual(new Set([undefined]));
    expect(seen).toHaveLength(2 * 3);
  });

  it.each([
    ["example.com", "https://example.com/x", true],
    ["example.com", "http://example.com:8080/", true],
    ["Example.com", "https://EXAMPLE.com/", true],
    ["example.com", "https://api.example.com/", false],
    ["*.example.com", "https://api.example.com/", true],
    ["*.example.com", "https://a.b.example.com/", true],
    ["*.example.com", "https://example.com/", false],
    ["*.example.com", "https://badexample.com/", false],
    ["example.com:443", "https://example.com/", true],
    ["example.com:443", "http://example.com/", false],
    ["example.com:8080", "http://example.com:8080/", true],
    ["example.com:8080", "http://example.com/", false],
    ["[::1]:9000", "http://[::1]:9000/", true],
    ["*", "https://anything.org/", true],
    ["", "https://example.com/", false],
  ])("resolves the host %j for %s: %s", async (host, url, allowed) => {
    const fetch: HostServices["fetch"] = async (_id, request) => new Response(request.url);
    const allowHosts = ["example.com:80", "example.com:8080", "[::1]:9000"];
    const { api } = await apiOf({ fetch }, { allowHosts }, { network: { hosts: [host] } });
    const answer = await api.runtime.fetch(url).then(
      () => true,
      () => false,
    );
    expect(answer).toBe(allowed);
  });

  it.each([
    ["insecure-scheme", "http://example.com/"],
    ["credentials-in-url", "https://user:secret@example.com/"],
    ["forbidden-host", "https://localhost/"],
    ["forbidden-address", "https://127.0.0.1/"],
    ["forbidden-address", "https://169.254.169.254/latest/"],
    ["forbidden-address", "https://[::ffff:8.8.8.8]/"],
  ])(
    "[SAFE-050] is denied with %s for %s, and for a redirect to it, regardless of the manifest",
    async (reason, url) => {
      const server = await serve(() => ({ status: 302, location: url }));
      const asked: string[] = [];
      const fetch: HostServices["fetch"] = async (_id, request) => {
        asked.push(request.url);
        return new Response();
      };
      const permissions = { network: { hosts: ["*"] } };
      const direct = await apiOf({ fetch }, {}, permissions);
      const denied = { code: "NETWORK_DENIED", reason };
      await expect(direct.api.runtime.fetch(url)).rejects.toMatchObject(denied);
      expect(asked).toEqual([]);
      const { api } = await apiOf({}, allowing(server), permissions);
      await expect(api.runtime.fetch(server)).rejects.toMatchObject(denied);
    },
  );

  it("[SAFE-050] reads at most 5 MB", async () => {
    const url = await serve(() => ({ body: "x".repeat(5_000_001) }));
    const { api } = await apiOf({}, allowing(url));
    const response = await api.runtime.fetch(url);
    await expect(response.text()).rejects.toMatchObject({
      code: "NETWORK_DENIED",
      reason: "too-large",
    });
  });

  it("stops when the caller aborts, by the request or by its options", async () => {
    const url = await serve(() => new Promise(() => {}));
    const { api } = await apiOf({}, allowing(url));
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(api.runtime.fetch(url, { signal })).rejects.toThrow("enough");
    await expect(api.runtime.fetch(new Request(url, { signal }))).rejects.toThrow("enough");
  });

  it("stops requests in flight when the plugin is disposed", async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const url = await serve(async () => {
      arrived();
      await new Promise(() => {});
      return {};
    });
    const { api, runtime } = await apiOf({}, allowing(url));
    const answer = api.runtime.fetch(url);
    const settled = expect(answer).rejects.toThrow('plugin "guard" was unloaded');
    await arrival;
    await runtime.dispose();
    await settled;
  });
});

/** Options of a runtime whose plugins may fetch from servers of the test. */
function allowing(...urls: string[]): Partial<PluginRuntimeOptions> {
  return { allowHosts: urls.map((url) => new URL(url).host) };
}

interface Answer {
  readonly status?: number;
  readonly location?: string;
  readonly body?: string;
}

/** A server on loopback that answers until the end of the test. */
async function serve(answer: (request: IncomingMessage) => Answer | Promise<Answer>) {
  const server: Server = createServer(async (request, response) => {
    const { status = 200, location, body } = await answer(request);
    response.writeHead(status, location === undefined ? {} : { location });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}
