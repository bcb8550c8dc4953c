import { describe, expect, it } from "vitest";
import { readCapabilities } from "../../src/capabilities/file.js";
import { toolHost } from "../../src/host/tool-host.js";
import { DEFAULT_LIMITS } from "../../src/limits.js";

function open(capabilities: object, limits: object = {}) {
  const calls: string[] = [];
  const host = toolHost(
    { kind: "tool", version: undefined, errors: "text" },
    readCapabilities("example", JSON.stringify(capabilities)).capabilities,
    {
      log: () => {},
      readWorkspace: async (path) => `content of ${path}`,
      secretExists: async (name) => name === "api_key",
      async invokeTool(tool, params) {
        calls.push(`${tool} ${params}`);
        return "{}";
      },
      http: undefined,
      mayInvoke: () => true,
    },
    { ...DEFAULT_LIMITS, ...limits },
  );
  return { calls, call: (name: string, ...args: unknown[]) => host.call(name, args) };
}

describe("functions of the host", () => {
  it("[WASM-024] read files under the prefixes only", async () => {
    const { call } = open({ workspace: { allowed_prefixes: ["context/"] } });
    expect(await call("workspaceRead", "context/a.md")).toEqual({
      value: "content of context/a.md",
    });
    for (const path of [
      "a.md",
      "/context/a",
      "context/../a",
      "C:\\a",
      "context\\a",
      "context/a\0",
    ]) {
      expect(await call("workspaceRead", path), path).toEqual({ value: undefined });
    }
    expect(await open({}).call("workspaceRead", "context/a.md")).toEqual({ value: undefined });
  });

  it("[WASM-023] [WASM-011] answer that a secret does not exist unless its name is allowed", async () => {
    const { call } = open({ secrets: { allowed_names: ["api_*"] } });
    expect(await call("secretExists", "api_key")).toEqual({ value: true });
    expect(await call("secretExists", "api_other")).toEqual({ value: false });
    expect(await open({}).call("secretExists", "api_key")).toEqual({ value: false });
  });

  it("[WASM-025] call tools by their alias, up to the limit", async () => {
    const { call, calls } = open(
      { tool_invoke: { aliases: { find: "web_search" } } },
      { toolInvocations: 1 },
    );
    expect(await call("toolInvoke", "web_search", "{}")).toEqual({
      error: "unknown alias web_search",
    });
    expect(await call("toolInvoke", "constructor", "{}")).toEqual({
      error: "unknown alias constructor",
    });
    expect(await call("toolInvoke", "find", '{"q":1}')).toEqual({ value: "{}" });
    expect(await call("toolInvoke", "find", "{}")).toEqual({
      error: "more than 1 tool invocations in one call",
    });
    expect(calls).toEqual(['web_search {"q":1}']);
  });

  it("[WASM-026] deny requests without a capability, and functions that tools do not have", async () => {
    const { call } = open({});
    expect(
      await call("httpRequest", "GET", "https://a.example", "{}", undefined, undefined),
    ).toEqual({
      error: "EmptyAllowlist: the component has no capability for requests",
    });
    expect(await call("emitMessage", {})).toEqual({ error: "emitMessage is not offered to tools" });
  });
});
