import { request } from "node:http";
import { createManualClock, type ManualClock } from "@openclaw/foundation";
import { createPluginRuntime, type PluginRuntime } from "@openclaw/plugin-runtime";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { GatewayMethodCall } from "@openclaw/plugin-sdk/http";
import { type MethodCaller, OPERATOR_CALL } from "@openclaw/protocol";
import { MethodNotFoundError } from "@openclaw/protocol/registry";
import { type CallOutcome, type MethodSource, PluginGatewayMethods } from "@openclaw/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { callsOf, createTestHost, gate, serve } from "../../support/host.js";

const OFF = { plugins: { entries: { guard: { enabled: false } } } };

/** Methods of the host: only `sessions.list`. */
const hostMethods: MethodSource = {
  definitions: {},
  definition: (name) =>
    name === "sessions.list"
      ? {
          name,
          summary: "",
          params: {},
          result: {},
          errors: [],
          scope: "operator.read",
          effect: "read",
        }
      : undefined,
  dispatch: async (name) => {
    if (name === "sessions.list") return "of the host";
    throw new MethodNotFoundError(name, undefined);
  },
};

interface Site {
  readonly plugins: PluginRuntime;
  readonly clock: ManualClock;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly methods: PluginGatewayMethods;
  /** Errors in the log, with their fields. */
  readonly errors: readonly unknown[];
  /** Calls a method as a client. */
  call(method: string, params?: unknown, caller?: Partial<MethodCaller>): Promise<CallOutcome>;
  /** Posts parameters to a path below `/api/v1/`. */
  post(path: string, params: unknown): Promise<Response>;
}

/** Creates a host that serves the methods of a plugin `guard` until the end of the test. */
async function site(register: (api: OpenClawPluginApi) => void): Promise<Site> {
  const host = await createTestHost();
  const errors: unknown[] = [];
  const logger = {
    ...host.logger,
    error: (_: string, fields: unknown) => void errors.push(fields),
  };
  const plugins = createPluginRuntime({
    config: {},
    logger,
    inline: [
      { id: "guard", register },
      {
        id: "other",
        register: (api) => api.registerGatewayMethod("guard.ping", () => "of the other plugin"),
      },
    ],
    hostServices: { hosts: ["gatewayMethods"], names: { gatewayMethods: ["sessions.list"] } },
  });
  await plugins.load();
  onTestFinished(() => plugins.dispose());
  const clock = createManualClock();
  const methods = new PluginGatewayMethods(hostMethods, { plugins, logger, timers: clock });
  const calls = callsOf(async () => methods, { store: host.store, logger });
  const { url, headers } = await serve(host, { calls, logger });
  const { signal } = OPERATOR_CALL;
  return {
    ...{ plugins, clock, url, headers, methods, errors },
    call: (method, params, caller) =>
      calls.execute({ method, params, signal, caller: { ...OPERATOR_CALL.caller, ...caller } }),
    post: (path, params) =>
      fetch(`${url}/api/v1/${path}`, { method: "POST", headers, body: JSON.stringify(params) }),
  };
}

/** Registers a method that waits until its signal aborts. */
function waiting(started: { pass(call: GatewayMethodCall): void }) {
  return (api: OpenClawPluginApi) =>
    api.registerGatewayMethod("guard.wait", (call) => {
      started.pass(call);
      return new Promise(() => {});
    });
}

describe("gateway method of a plugin", () => {
  it("[GW-030, PLUG-035] is called with the parameters, the caller and no idempotency key", async () => {
    const { post, call } = await site((api) => {
      api.registerGatewayMethod("guard.echo", ({ req, params, client }) => ({
        method: req.method,
        params,
        client,
      }));
    });
    const response = await post("guard/echo", { a: 1 });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      method: "guard.echo",
      params: { a: 1 },
      client: { id: "gateway", scopes: expect.arrayContaining(["operator.admin"]) },
    });
    expect(await call("guard.echo", [])).toMatchObject({
      ok: false,
      error: { code: "INVALID_REQUEST" },
    });
  });

  it("[GW-030] runs once for calls with the same idempotency key, which stays a parameter", async () => {
    let count = 0;
    const { call } = await site((api) => {
      api.registerGatewayMethod("guard.count", ({ params }) => {
        count += 1;
        return { count, key: params.idempotencyKey ?? "none" };
      });
    });
    const first = { ok: true, payload: { count: 1, key: "a" } };
    expect(await call("guard.count", { idempotencyKey: "a" })).toEqual(first);
    expect(await call("guard.count", { idempotencyKey: "a" })).toEqual(first);
    expect(await call("guard.count", {})).toEqual({ ok: true, payload: { count: 2, key: "none" } });
  });

  it("[GW-030] is reached over HTTP below its whole name, with any number of dots", async () => {
    const { post } = await site((api) => {
      for (const name of ["ping", "guard.echo", "guard.a.b"]) {
        api.registerGatewayMethod(name, () => name);
      }
    });
    for (const [path, name] of [
      ["ping", "ping"],
      ["guard.echo", "guard.echo"],
      ["guard/echo", "guard.echo"],
      ["guard.a.b", "guard.a.b"],
    ] as const) {
      expect(await (await post(path, {})).json()).toBe(name);
    }
  });

  it.each([
    ["returns", () => ({ fine: true }), { fine: true }],
    ["responds", ({ respond }: GatewayMethodCall) => respond(true, { fine: true }), { fine: true }],
    [
      "responds later",
      ({ respond }: GatewayMethodCall) => void setImmediate(() => respond(true, { fine: true })),
      { fine: true },
    ],
    ["responds without a payload", ({ respond }: GatewayMethodCall) => respond(true), null],
    [
      "responds twice",
      ({ respond }: GatewayMethodCall) => {
        respond(true, "first");
        respond(false, undefined, { code: "CONFLICT", message: "second" });
        return "third";
      },
      "first",
    ],
    [
      "throws after the response",
      ({ respond }: GatewayMethodCall) => {
        respond(true, "first");
        throw new Error("too late");
      },
      "first",
    ],
  ])("[GW-030] sends one response when it %s", async (_, handler, payload) => {
    const { call } = await site((api) => api.registerGatewayMethod("guard.go", handler));
    expect(await call("guard.go")).toEqual({ ok: true, payload });
  });

  it("[GW-030] responds to a failure with its code, details and time to retry", async () => {
    const { post, call } = await site((api) => {
      api.registerGatewayMethod("guard.busy", ({ respond }) =>
        respond(false, undefined, {
          code: "RATE_LIMITED",
          message: "slow down",
          details: { left: 0 },
          retryAfterMs: 1500,
        }),
      );
      api.registerGatewayMethod("guard.own", ({ respond }) =>
        respond(false, undefined, { code: "NOT_PAIRED", message: "pair first" }),
      );
      api.registerGatewayMethod("guard.old", ({ respond }) => respond(false, { error: "no call" }));
    });
    const busy = await post("guard/busy", {});
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([429, "2"]);
    expect(await busy.json()).toEqual({
      error: {
        ...{ code: "RATE_LIMITED", reason: "RATE_LIMITED", kind: "rate-limited" },
        ...{ message: "slow down", details: { pluginId: "guard", left: 0 } },
        ...{ retryable: true, retryAfterMs: 1500 },
      },
    });
    expect(await call("guard.own")).toMatchObject({
      error: { code: "UNAVAILABLE", reason: "NOT_PAIRED", message: "pair first", retryable: false },
    });
    expect(await call("guard.old")).toMatchObject({
      error: { code: "UNAVAILABLE", reason: "PLUGIN_METHOD_FAILED", message: "no call" },
    });
  });

  it.each([
    ["throws", () => Promise.reject(new Error("secret path"))],
    ["returns a value without a JSON form", () => 1n],
    ["returns a function", () => () => {}],
    [
      "reports an internal failure",
      ({ respond }: GatewayMethodCall) =>
        respond(false, undefined, { code: "INTERNAL", message: "secret path" }),
    ],
  ])("[GW-030] responds with the ID of a log entry when it %s", async (_, handler) => {
    const { call, errors } = await site((api) => api.registerGatewayMethod("guard.go", handler));
    const outcome = await call("guard.go");
    expect(outcome).toMatchObject({ ok: false, error: { code: "INTERNAL" } });
    expect(JSON.stringify(outcome)).not.toContain("secret path");
    expect(errors).toEqual([
      expect.objectContaining({
        pluginId: "guard",
        method: "guard.go",
        errorId: expect.any(String),
      }),
    ]);
  });

  it("[GW-030] fails after its time and aborts the handler", async () => {
    const started = gate<GatewayMethodCall>();
    const { call, clock } = await site((api) => {
      api.registerGatewayMethod(
        "guard.wait",
        (each) => {
          started.pass(each);
          return new Promise(() => {});
        },
        { timeoutMs: 200 },
      );
    });
    const outcome = call("guard.wait");
    const { signal, respond } = await started.passed;
    clock.advance(199);
    expect(signal.aborted).toBe(false);
    clock.advance(1);
    expect(await outcome).toMatchObject({
      error: { code: "TIMEOUT", reason: "PLUGIN_METHOD_TIMEOUT", retryable: true },
    });
    expect(signal.aborted).toBe(true);
    respond(true, "too late");
    expect(clock.activeTimers).toBe(0);
  });

  it("[GW-030] has 60 seconds unless it sets another time", async () => {
    const started = gate<GatewayMethodCall>();
    const { call, clock, plugins } = await site(waiting(started));
    const outcome = call("guard.wait");
    const { signal } = await started.passed;
    clock.advance(59_999);
    expect(signal.aborted).toBe(false);
    clock.advance(1);
    expect(await outcome).toMatchObject({ error: { code: "TIMEOUT" } });
    const { retired } = await plugins.reload("guard", { config: OFF });
    await retired;
  });

  it("[GW-030] aborts when the client disconnects", async () => {
    const started = gate<GatewayMethodCall>();
    const { url, headers, plugins } = await site(waiting(started));
    const outgoing = request(`${url}/api/v1/guard/wait`, { method: "POST", headers })
      .on("error", () => {})
      .end("{}");
    const { signal } = await started.passed;
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    outgoing.destroy();
    await aborted;
    await (await plugins.reload("guard", { config: OFF })).retired;
  });

  it("[GW-030] is not found after its plugin was unloaded, and an open call ends within 5 seconds", async () => {
    const started = gate<GatewayMethodCall>();
    const { call, clock, plugins, methods } = await site(waiting(started));
    const open = call("guard.wait");
    const { signal } = await started.passed;
    const { retired } = await plugins.reload("guard", { config: OFF });
    expect(methods.definitions).not.toHaveProperty(["guard.wait"]);
    expect(await call("guard.wait")).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
    clock.advance(4_999);
    expect(signal.aborted).toBe(false);
    clock.advance(1);
    expect(await open).toMatchObject({
      error: {
        ...{ code: "UNAVAILABLE", reason: "PLUGIN_METHOD_ABORTED" },
        message: expect.stringContaining("the plugin was unloaded"),
      },
    });
    expect(signal.aborted).toBe(true);
    await retired;
  });

  it("[GW-030] completes an open call after its plugin was unloaded", async () => {
    const started = gate<GatewayMethodCall>();
    const { call, plugins } = await site(waiting(started));
    const open = call("guard.wait");
    const { respond } = await started.passed;
    const { retired } = await plugins.reload("guard", { config: OFF });
    respond(true, "done");
    expect(await open).toEqual({ ok: true, payload: "done" });
    await retired;
  });

  it("[GW-030, PLUG-050] completes an open call on the generation that it began with", async () => {
    const started = gate<GatewayMethodCall>();
    const { call, plugins, clock } = await site(waiting(started));
    const open = call("guard.wait");
    const { signal, respond } = await started.passed;
    const { retired } = await plugins.reload("guard");
    clock.advance(20_000);
    expect(signal.aborted).toBe(false);
    respond(true, "done");
    expect(await open).toEqual({ ok: true, payload: "done" });
    await retired;
  });

  it("[GW-030, GW-014] requires its scope, by default the administrator's", async () => {
    const { call } = await site((api) => {
      api.registerGatewayMethod("guard.read", () => "read", { scope: "operator.read" });
      api.registerGatewayMethod("guard.admin", () => "admin");
    });
    const reader = { id: "viewer", scopes: ["operator.read"] } as const;
    expect(await call("guard.read", {}, reader)).toEqual({ ok: true, payload: "read" });
    expect(await call("guard.admin", {}, reader)).toMatchObject({
      error: { code: "FORBIDDEN", details: { missingScope: "operator.admin" } },
    });
  });

  it("[PLUG-035] requires the administrator's scope in a family of the host", async () => {
    const { plugins } = await site((api) => {
      const options = { scope: "operator.read" } as const;
      for (const name of ["config.peek", "exec.approvals.peek", "sessions.peek", "guard.peek"]) {
        api.registerGatewayMethod(name, () => null, options);
      }
    });
    const { gatewayHandlers, diagnostics } = plugins.current;
    const scopes = gatewayHandlers.map(({ method, scope }) => [method, scope]);
    expect(Object.fromEntries(scopes)).toMatchObject({
      "config.peek": "operator.admin",
      "exec.approvals.peek": "operator.admin",
      "sessions.peek": "operator.admin",
      "guard.peek": "operator.read",
    });
    expect(diagnostics.filter(({ code }) => code === "scope-raised")).toHaveLength(3);
  });

  it("[GW-030, PLUG-035] is left out with a diagnostic when the host or another plugin has the name", async () => {
    const { call, plugins } = await site((api) => {
      api.registerGatewayMethod("guard.ping", () => "of the guard");
      api.registerGatewayMethod("Sessions.list", () => "of the guard");
      api.registerGatewayMethod("sessions.list", () => "of the guard");
    });
    expect(await call("guard.ping")).toEqual({ ok: true, payload: "of the guard" });
    expect(await call("sessions.list")).toEqual({ ok: true, payload: "of the host" });
    expect(await call("Sessions.list")).toMatchObject({ error: { code: "NOT_FOUND" } });
    const taken = plugins.current.diagnostics.filter(({ code }) => code === "name-taken");
    expect(taken.map(({ pluginId, level }) => [pluginId, level])).toEqual([
      ["guard", "error"],
      ["guard", "error"],
      ["other", "error"],
    ]);
  });

  it("[PLUG-035] rejects a time that is not from 1 ms to 10 minutes", async () => {
    const { plugins } = await site((api) => {
      api.registerGatewayMethod("guard.go", () => null, { timeoutMs: 0 });
    });
    expect(plugins.current.plugins.find(({ id }) => id === "guard")).toMatchObject({
      status: "loaded",
      gatewayMethods: [],
    });
    const [told] = plugins.current.diagnostics.filter(
      ({ code }) => code === "registration-invalid",
    );
    expect(told?.message).toContain("from 1 to 600000");
  });
});
