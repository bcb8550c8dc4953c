import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { createTestHost, plugin } from "../support/host.js";

const noop = () => {};

/** Invalid arguments of a plugin without types, and the expected messages. */
const WRONG: readonly (readonly [string, (api: OpenClawPluginApi) => void, string])[] = [
  [
    "no command",
    (api) => api.registerCommand(null as never),
    "command: expected an object, got null",
  ],
  [
    "a command's slash",
    (api) => api.registerCommand(command("/ping")),
    "name: expected a lower-case letter",
  ],
  [
    "a command's missing text",
    (api) => api.registerCommand({ ...command("ping"), description: " " }),
    'description of command "ping"',
  ],
  [
    "a command's missing handler",
    (api) => api.registerCommand({ ...command("ping"), handler: 1 as never }),
    'handler of command "ping": expected a function, got 1',
  ],
  ["no route", (api) => api.registerHttpRoute(undefined as never), "route: expected an object"],
  ["a route without a slash", (api) => api.registerHttpRoute("x", noop), "path: expected a slash"],
  [
    "a route that climbs",
    (api) => api.registerHttpRoute("/a/../b", noop),
    "path: expected a slash",
  ],
  ["a route with a query", (api) => api.registerHttpRoute("/a?b", noop), "path: expected a slash"],
  [
    "a route with an escape",
    (api) => api.registerHttpRoute("/a%2fb", noop),
    "path: expected a slash",
  ],
  ["an empty step", (api) => api.registerHttpRoute("/a//b", noop), "path: expected a slash"],
  [
    "a route without a handler",
    (api) => api.registerHttpRoute("/a", 1 as never),
    'handler of route "/a"',
  ],
  [
    "a fetch that is none",
    (api) => api.registerHttpRoute({ path: "/a", fetch: 1 as never }),
    'fetch of route "/a"',
  ],
  [
    "another auth",
    (api) => api.registerHttpRoute({ path: "/a", handler: noop, auth: "none" as never }),
    'auth of route "/a": expected "gateway" or "plugin", got "none"',
  ],
  [
    "another match",
    (api) => api.registerHttpRoute({ path: "/a", handler: noop, match: "glob" as never }),
    'match of route "/a"',
  ],
  [
    "methods in a text",
    (api) => api.registerHttpRoute({ path: "/a", handler: noop, methods: "GET" as never }),
    'methods of route "/a": expected a list of strings, got "GET"',
  ],
  ["no handler", (api) => api.registerHttpHandler(1 as never), "handler: expected a function"],
  ["no channel", (api) => api.registerChannel(1 as never), "channel: expected an object, got 1"],
  [
    "an empty wrapper",
    (api) => api.registerChannel({ plugin: 1 as never }),
    "channel: expected an object, got 1",
  ],
  [
    "a channel without start",
    (api) => api.registerChannel({ name: "chat" } as never),
    'start of channel "chat"',
  ],
  [
    "a channel without respond",
    (api) => api.registerChannel({ name: "chat", start: noop } as never),
    'respond of channel "chat"',
  ],
  [
    "a channel's capital",
    (api) => api.registerChannel({ name: "Chat" } as never),
    "name: expected a lower-case letter",
  ],
  [
    "an adapter's id",
    (api) => api.registerChannel({ id: 1 as never }),
    "id: expected a lower-case letter",
  ],
  [
    "a method's name",
    (api) => api.registerGatewayMethod(" a b", noop),
    "method: expected 1 to 200",
  ],
  [
    "a method's handler",
    (api) => api.registerGatewayMethod("a", 1 as never),
    'handler of method "a"',
  ],
  [
    "another scope",
    (api) => api.registerGatewayMethod("a", noop, { scope: "root" as never }),
    'scope of method "a": expected "operator.read" or',
  ],
  ["no registrar", (api) => api.registerCli(1 as never), "registrar: expected a function"],
  [
    "commands in a text",
    (api) => api.registerCli(noop, { commands: "a" as never }),
    "commands: expected a list of strings",
  ],
  [
    "no service",
    (api) => api.registerService([] as never),
    "id: expected a non-empty string, got undefined",
  ],
  [
    "a service without start",
    (api) => api.registerService({ id: "s" } as never),
    'start of service "s"',
  ],
  [
    "a service's stop",
    (api) => api.registerService({ id: "s", start: noop, stop: 1 as never }),
    'stop of service "s"',
  ],
  ["no policy", (api) => api.registerTrustedToolPolicy(1 as never), "policy: expected an object"],
  [
    "a policy without text",
    (api) => api.registerTrustedToolPolicy({ id: "p" } as never),
    'description of policy "p"',
  ],
  [
    "a policy without evaluate",
    (api) => api.registerTrustedToolPolicy({ id: "p", description: "d" } as never),
    'evaluate of policy "p"',
  ],
  [
    "no extension",
    (api) => api.registerSessionExtension(1 as never),
    "extension: expected an object",
  ],
  [
    "a namespace",
    (api) => api.registerSessionExtension({ namespace: "A/b", description: "d" }),
    "namespace: expected 1 to 64 of",
  ],
  [
    "an extension's project",
    (api) =>
      api.registerSessionExtension({ namespace: "a", description: "d", project: 1 as never }),
    'project of extension "a"',
  ],
  [
    "an extension's cleanup",
    (api) =>
      api.registerSessionExtension({ namespace: "a", description: "d", cleanup: 1 as never }),
    'cleanup of extension "a"',
  ],
  [
    "no approval handler",
    (api) => api.approvals.onResolved(1 as never),
    "handler: expected a function",
  ],
  [
    "an engine's id",
    (api) => api.registerContextEngine("", () => ({}) as never),
    "id: expected a non-empty string",
  ],
  [
    "an engine's factory",
    (api) => api.registerContextEngine("e", 1 as never),
    "factory: expected a function",
  ],
  [
    "a harness with the name of the loop of the host",
    (api) => api.registerAgentHarness({ id: "openclaw" } as never),
    'id: "openclaw" names another runtime in configurations',
  ],
  [
    "a harness that runs nothing",
    (api) => api.registerAgentHarness({ id: "native", supports: noop } as never),
    "runAttempt: expected a function, got undefined",
  ],
  [
    "a compaction provider",
    (api) => api.registerCompactionProvider({} as never),
    "id: expected a non-empty string",
  ],
  [
    "a middleware",
    (api) => api.registerAgentToolResultMiddleware({} as never),
    "middleware: expected a function, got an object",
  ],
  [
    "metadata of no tool",
    (api) => api.registerToolMetadata({} as never),
    "toolName: expected a non-empty string",
  ],
  [
    "reload rules",
    (api) => api.registerReload({ hotPrefixes: [1] as never }),
    "hotPrefixes: expected a list of strings, got a list",
  ],
  [
    "an interactive handler",
    (api) => api.registerInteractiveHandler({ channel: "c", namespace: "n", handler: 1 as never }),
    "handler: expected a function",
  ],
  [
    "a lifecycle without id",
    (api) => api.lifecycle.registerRuntimeLifecycle({} as never),
    "id: expected a non-empty string",
  ],
  [
    "a lifecycle's dispose",
    (api) => api.lifecycle.registerRuntimeLifecycle({ id: "l", dispose: 1 as never }),
    'dispose of lifecycle "l"',
  ],
  [
    "a lifecycle's cleanup",
    (api) => api.lifecycle.registerRuntimeLifecycle({ id: "l", cleanup: 1 as never }),
    'cleanup of lifecycle "l"',
  ],
];

describe("invalid registration", () => {
  const answering = (api: OpenClawPluginApi) => api.registerTool(tool("kept"));

  it.each(WRONG.filter(([what]) => !what.includes("policy")))(
    "[PLUG-101] is left out alone and named in the diagnostics: %s",
    async (_what, register, problem) => {
      const { runtime } = createTestHost([
        plugin((api) => {
          register(api);
          answering(api);
        }),
      ]);
      const generation = await runtime.load();
      expect(generation.plugins[0]).toMatchObject({ status: "loaded", toolNames: ["kept"] });
      const [told] = generation.diagnostics.filter(({ code }) => code === "registration-invalid");
      expect(told).toMatchObject({ level: "error", pluginId: "guard" });
      expect(told?.message).toMatch(/^plugin "guard" called api\.[\w.]+ with a wrong /);
      expect(told?.message).toContain(`with a wrong ${problem}`);
    },
  );

  it.each(WRONG.filter(([what]) => what.includes("policy")))(
    "[PLUG-101] fails the plugin of a guard: %s",
    async (_what, register) => {
      const { runtime } = createTestHost([plugin(register)]);
      expect((await runtime.load()).plugins[0]?.status).toBe("error");
    },
  );

  it.each(WRONG)(
    "[PLUG-101] fails the plugin of a strict host: %s",
    async (_what, register, problem) => {
      const { runtime } = createTestHost([plugin(register)], { strict: true });
      const generation = await runtime.load();
      expect(generation.plugins[0]?.status).toBe("error");
      expect(generation.diagnostics.at(-1)?.message).toContain(`with a wrong ${problem}`);
    },
  );
});

function tool(name: string) {
  return { name, description: "Answers.", parameters: {}, execute: () => "" };
}

function command(name: string) {
  return { name, description: "Answers.", handler: () => ({}) };
}
