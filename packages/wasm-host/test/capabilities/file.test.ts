import { describe, expect, it } from "vitest";
import { NO_CAPABILITIES } from "../../src/capabilities/capabilities.js";
import { readCapabilities } from "../../src/capabilities/file.js";
import { isComponentName, isUnderPrefix } from "../../src/capabilities/names.js";
import { capabilityLines, widenedLines } from "../../src/capabilities/summary.js";
import { WasmCapabilitiesError } from "../../src/errors.js";

const read = (value: unknown) => readCapabilities("example", JSON.stringify(value));
const credential = (location: unknown) => ({
  http: {
    allowlist: [],
    credentials: { key: { secret_name: "key", location, host_patterns: ["a.example"] } },
  },
});

describe("capabilities files", () => {
  it("[WASM-008] allow nothing when there is none", () => {
    expect(readCapabilities("example", undefined)).toEqual({
      capabilities: NO_CAPABILITIES,
      warnings: [],
    });
    expect(capabilityLines(NO_CAPABILITIES)).toEqual([]);
  });

  it("[WASM-008] warn about unknown keys", () => {
    const { warnings } = read({ htp: {}, http: { allowlist: [{ host: "a.example", port: 1 }] } });
    expect(warnings).toEqual([
      "htp: the key has no effect",
      "http.allowlist[0].port: the key has no effect",
    ]);
  });

  it.each([
    ["http.allowlist", { http: { allowlist: {} } }],
    ["http.allowlist[0].host", { http: { allowlist: [{ host: 7 }] } }],
    ["http.allowlist[0].host", { http: { allowlist: [{}] } }],
    ["secrets.allowed_names[1]", { secrets: { allowed_names: ["a", 2] } }],
    ["http.timeout_secs", { http: { allowlist: [], timeout_secs: 0.5 } }],
    ["http.credentials.key.location.type", credential({ type: "cookie" })],
    ["http.credentials.key.location.name", credential({ type: "header" })],
    ["http.credentials.key.location.username", credential({ type: "basic" })],
    ["channel.min_poll_interval_ms", { channel: { min_poll_interval_ms: 29_999 } }],
    ["channel.workspace_prefix", { channel: { workspace_prefix: "channels/other/" } }],
    ["tool_invoke.aliases.find", { tool_invoke: { aliases: { find: 1 } } }],
  ])("[WASM-008] reject a wrong value with its path %s", (path, value) => {
    expect(() => read(value)).toThrow(expect.objectContaining({ path }));
    expect(() => read(value)).toThrow(WasmCapabilitiesError);
  });

  it("[WASM-008] reject a text that is not JSON", () => {
    expect(() => readCapabilities("example", "{")).toThrow(/the document is not JSON/);
  });

  it("[WASM-009] [WASM-010] [WASM-011] [WASM-012] are read with all locations of credentials", () => {
    const at = (location: unknown) => ({
      ...{ secret_name: "key", location, host_patterns: ["API.example"] },
    });
    const { capabilities, warnings } = read({
      http: {
        allowlist: [{ host: "API.example", path_prefix: "/v1/", methods: ["get"] }],
        credentials: {
          a: at({ type: "bearer" }),
          b: at({ type: "basic", username: "me" }),
          c: at({ type: "header", name: "X-Key", prefix: "Key " }),
          d: at({ type: "query_param", name: "key" }),
          e: at({ type: "url_path", placeholder: "{KEY}" }),
        },
        rate_limit: { requests_per_minute: 5, requests_per_hour: 50 },
        max_request_bytes: 10,
        max_response_bytes: 20,
        timeout_secs: 5,
      },
      secrets: { allowed_names: ["key_*"] },
      tool_invoke: { aliases: { find: "web_search" } },
      workspace: { allowed_prefixes: ["context/"] },
      auth: { secret_name: "key", display_name: "Example", setup_url: "https://a.example" },
    });
    expect(warnings).toEqual([]);
    expect(capabilities.http).toMatchObject({
      allowlist: [{ host: "api.example", pathPrefix: "/v1/", methods: ["GET"] }],
      credentials: [
        { secretName: "key", location: { type: "bearer" }, hostPatterns: ["api.example"] },
        { location: { type: "basic", username: "me" } },
        { location: { type: "header", name: "X-Key", prefix: "Key " } },
        { location: { type: "query_param", name: "key" } },
        { location: { type: "url_path", placeholder: "{KEY}" } },
      ],
      ...{ maxRequestBytes: 10, maxResponseBytes: 20, timeoutMs: 5000 },
      rateLimit: { perMinute: 5, perHour: 50 },
    });
    expect(capabilities).toMatchObject({
      secretNames: ["key_*"],
      toolInvoke: { aliases: { find: "web_search" } },
      workspacePrefixes: ["context/"],
      auth: { secretName: "key", displayName: "Example" },
    });
  });

  it("[WASM-013] of a channel are read from the object capabilities", () => {
    const { capabilities } = read({
      ...{ type: "channel", name: "example", config: { room: "a" } },
      setup: {
        required_secrets: [{ name: "token", prompt: "Token", auto_generate: {} }],
      },
      capabilities: {
        http: { allowlist: [{ host: "a.example" }] },
        channel: {
          ...{
            allowed_paths: ["/webhook/example"],
            allow_polling: true,
            min_poll_interval_ms: 60_000,
          },
          webhook: { secret_header: "X-Token", secret_name: "token" },
        },
      },
    });
    expect(capabilities).toMatchObject({
      config: { room: "a" },
      http: { allowlist: [{ host: "a.example" }] },
      requiredSecrets: [{ name: "token", prompt: "Token", isOptional: false, generatedLength: 32 }],
      channel: {
        ...{ allowedPaths: ["/webhook/example"], allowPolling: true, minPollIntervalMs: 60_000 },
        workspacePrefix: "channels/example/",
        webhook: { secretHeader: "X-Token", secretName: "token" },
      },
    });
  });

  it("[WASM-014] list what is new in a wider version", () => {
    const before = read({ http: { allowlist: [{ host: "a.example", methods: ["GET"] }] } });
    const after = read({
      http: { allowlist: [{ host: "a.example", methods: ["GET"] }, { host: "b.example" }] },
      workspace: { allowed_prefixes: ["context/"] },
    });
    expect(widenedLines(after.capabilities, capabilityLines(before.capabilities))).toEqual([
      "requests: any method https://b.example/",
      "files of the workspace: may read context/",
    ]);
    expect(widenedLines(before.capabilities, capabilityLines(after.capabilities))).toEqual([]);
  });

  it("[WASM-041] names have 1 to 64 characters of a-z 0-9 _ -", () => {
    expect(["a", "weather-2", "0_a", "a".repeat(64)].every(isComponentName)).toBe(true);
    expect(["", "-a", "A", "a.b", "../a", "a".repeat(65), "ä"].some(isComponentName)).toBe(false);
  });

  it("[WASM-024] a prefix covers its folder and not its namesakes", () => {
    expect(isUnderPrefix("context/a.md", ["context"])).toBe(true);
    expect(isUnderPrefix("context/a.md", ["context/"])).toBe(true);
    expect(isUnderPrefix("context-2/a.md", ["context"])).toBe(false);
    expect(isUnderPrefix("a.md", [])).toBe(false);
  });
});
