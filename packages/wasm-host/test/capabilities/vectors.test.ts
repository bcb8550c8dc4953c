import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkEndpoint, matchesHost } from "../../src/capabilities/endpoint.js";
import { readCapabilities } from "../../src/capabilities/file.js";
import { isSecretAllowed, isWorkspacePath } from "../../src/capabilities/names.js";
import { DEFAULT_LIMITS } from "../../src/limits.js";

interface Pattern {
  readonly host: string;
  readonly path_prefix: string | null;
  readonly methods: readonly string[];
}

const { vectors, wasm_limits: constants } = JSON.parse(
  readFileSync(new URL("../vectors/wasm.json", import.meta.url), "utf8"),
);

function casesOf<Input, Expected>(
  suite: string,
): { id: string; input: Input; expected: Expected }[] {
  return vectors.filter((vector: { suite: string }) => vector.suite === suite);
}

describe("open vectors", () => {
  it.each(
    casesOf<
      { url: string; method: string; patterns: Pattern[] },
      { allowed: boolean; reason?: string }
    >("endpoint_allowlist"),
  )("[WASM-028] decides $id", ({ input: { url, method, patterns }, expected }) => {
    const decision = checkEndpoint(
      url,
      method,
      patterns.map(({ host, path_prefix, methods }) => ({
        ...{ host, methods, pathPrefix: path_prefix ?? undefined },
      })),
    );
    expect(decision.isAllowed).toBe(expected.allowed);
    if (expected.reason !== undefined) expect(decision).toMatchObject({ reason: expected.reason });
  });

  it.each(casesOf<{ host: string; pattern: string }, { match: boolean }>("host_wildcard"))(
    "[WASM-028] matches $id",
    ({ input: { host, pattern }, expected }) => {
      expect(matchesHost(host, pattern)).toBe(expected.match);
    },
  );

  it.each(casesOf<string, { valid: boolean }>("wasm_workspace_path"))(
    "[WASM-024] checks $id",
    ({ input, expected }) => {
      expect(isWorkspacePath(input)).toBe(expected.valid);
    },
  );

  it.each(casesOf<{ allowed: string[]; name: string }, { allowed: boolean }>("secret_name_glob"))(
    "[WASM-011] checks $id",
    ({ input: { allowed, name }, expected }) => {
      expect(isSecretAllowed(name, allowed)).toBe(expected.allowed);
    },
  );

  it("[WASM-015] [WASM-009] [WASM-013] has the limits of the vectors", () => {
    expect(DEFAULT_LIMITS).toEqual({
      memoryBytes: constants.memory_bytes,
      fuel: constants.fuel,
      wallClockMs: constants.timeout_s * 1000,
      tables: constants.max_tables,
      tableElements: constants.table_elements,
      instances: constants.instances,
      logLines: constants.log_entries,
      logBytes: constants.log_bytes,
      httpRequests: constants.http_per_execution,
      toolInvocations: constants.tool_invokes_per_execution,
      emittedMessages: constants.channel_emit_per_execution,
    });
    const text = JSON.stringify({ http: { allowlist: [] }, channel: {} });
    const { http, channel } = readCapabilities("example", text).capabilities;
    const rate = (pair: readonly number[]) => ({ perMinute: pair[0], perHour: pair[1] });
    expect(http).toMatchObject({
      maxRequestBytes: constants.http_max_request,
      maxResponseBytes: constants.http_max_response,
      timeoutMs: constants.http_timeout_s * 1000,
      rateLimit: rate(constants.rate_default),
    });
    expect(channel).toMatchObject({
      maxMessageBytes: constants.channel_message_bytes,
      minPollIntervalMs: constants.min_poll_ms,
      callbackTimeoutMs: constants.channel_callback_timeout_s * 1000,
      emitRateLimit: rate(constants.channel_emit_rate),
    });
  });
});

describe("endpoints", () => {
  const one = [{ host: "api.example.com", pathPrefix: "/v1", methods: ["GET"] }];
  it.each([
    ["https://api.example.com/v1", "GET", undefined],
    ["https://api.example.com/v1/a?b=c", "get", undefined],
    ["https://API.example.com./v1/a", "GET", undefined],
    ["https://api.example.com/v10", "GET", "PathNotAllowed"],
    ["https://api.example.com/v1/..%2fadmin", "GET", "InvalidUrl"],
    ["https://api.example.com/v1/%5cadmin", "GET", "InvalidUrl"],
    ["https://api.example.com/v1/%zz", "GET", "InvalidUrl"],
    ["https://api.example.com\\@evil.example/v1", "GET", "InvalidUrl"],
    ["https://api.example.com/v1", "POST", "MethodNotAllowed"],
    ["https://notapi.example.com/v1", "GET", "HostNotAllowed"],
    ["ftp://api.example.com/v1", "GET", "InsecureScheme"],
    ["https://a@api.example.com/v1", "GET", "InvalidUrl"],
  ])("[WASM-028] decides %s with %s", (url, method, reason) => {
    const decision = checkEndpoint(url, method, one);
    expect(decision).toMatchObject(reason === undefined ? { isAllowed: true } : { reason });
  });

  it("[WASM-028] a wildcard matches neither the domain nor a longer name", () => {
    expect(matchesHost("example.com", "*.example.com")).toBe(false);
    expect(matchesHost("notexample.com", "*.example.com")).toBe(false);
    expect(matchesHost("a.b.example.com", "*.example.com")).toBe(true);
  });
});
