import { createGatewayClient } from "@openclaw/client";
import { ERROR_KINDS, exitCodeOf, httpStatusOf, wireCodeOf } from "@openclaw/foundation";
import { gatewayMethods } from "@openclaw/protocol";
import type { MethodSource } from "@openclaw/server";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  documentedErrors,
  documentedKinds,
  errorClasses,
  FAMILIES,
  sampleOf,
} from "../support/error-samples.js";
import { callsOf, createTestHost, serve, TOKEN } from "../support/host.js";

// Every package is loaded for its error classes.
vi.setConfig({ hookTimeout: 60_000 });

const documented = documentedErrors();
const thrown = documented.filter(({ code }) => !FAMILIES.has(code));
let classes: Awaited<ReturnType<typeof errorClasses>>;

beforeAll(async () => {
  classes = await errorClasses();
});

/** Returns a registry in which every method fails. */
function failing(error: () => unknown): () => Promise<MethodSource> {
  const definition = () => undefined;
  return async () => ({ definitions: {}, definition, dispatch: () => Promise.reject(error()) });
}

/** Codes that only the client throws or replaces by its own, and codes of a connection before its first call. */
const OF_THE_CLIENT = [
  "GATEWAY_UNREACHABLE",
  "GATEWAY_UNAUTHORIZED",
  "HANDSHAKE_FAILED",
  "DEVICE_PROOF_INVALID",
  "WEBHOOK_UNAUTHORIZED",
  "UNAUTHORIZED",
];

describe("documented errors", () => {
  it("are the error classes of the repository, each once", () => {
    const codes = documented.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)]);
    const named = new Set(documented.map(({ className }) => className));
    const missing = [...classes.keys()].filter((name) => !named.has(name));
    expect(missing).toEqual([]);
    expect(documented.filter(({ className }) => !classes.has(className))).toEqual([]);
  });

  it("have the kinds of the table, with its status and exit code", () => {
    const table = Object.entries(ERROR_KINDS).map(([kind, { httpStatus, exitCode }]) => [
      ...[kind, httpStatus, exitCode],
    ]);
    expect(documentedKinds()).toEqual(table);
  });

  it.each(thrown)("$code has its code and kind", (row) => {
    const sample = sampleOf(row, classes);
    expect({ code: sample.code, kind: sample.kind, name: sample.name }).toEqual({
      code: row.code,
      kind: row.kind,
      name: row.className,
    });
  });
});

describe("errors that a method declares", () => {
  it.each(Object.values(gatewayMethods))("are documented: $name", ({ errors }) => {
    const codes = documented.map(({ code }) => code);
    expect(errors.filter((code) => !codes.includes(code))).toEqual([]);
  });
});

describe("method that fails with a documented error", () => {
  it("responds with its status, code and kind, with the same exit code in process and over HTTP", async () => {
    let sample: unknown;
    const methods = failing(() => sample);
    const host = await createTestHost();
    const { url, headers } = await serve(host, { calls: callsOf(methods, host) });
    const client = createGatewayClient({ url, token: TOKEN });
    for (const row of thrown.filter(({ code }) => !OF_THE_CLIENT.includes(code))) {
      const error = sampleOf(row, classes);
      sample = error;
      const response = await fetch(`${url}/api/v1/plugins/list`, { method: "POST", headers });
      expect([row.code, response.status]).toEqual([row.code, httpStatusOf(error)]);
      const { code, kind, message } = error;
      expect(await response.json()).toMatchObject({
        error: { code: wireCodeOf(error), reason: code, kind, message },
      });
      const failure: unknown = await client.call("plugins.list", {}).catch((reason) => reason);
      expect(failure).toMatchObject({ code, kind, message });
      expect([code, exitCodeOf(failure)]).toEqual([code, exitCodeOf(error)]);
    }
  });

  it("responds with INTERNAL and a log ID to any other error, without stack or path", async () => {
    const host = await createTestHost();
    const lines: unknown[] = [];
    const logger = { ...host.logger, error: (...line: unknown[]) => void lines.push(line) };
    const methods = failing(() => new Error("ENOENT: no such file /secret/place"));
    const { url, headers } = await serve(host, {
      logger,
      calls: callsOf(methods, { store: host.store, logger }),
    });
    const response = await fetch(`${url}/api/v1/plugins/list`, { method: "POST", headers });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: "INTERNAL", kind: "internal" } });
    expect(text).not.toMatch(/secret|ENOENT|\bat /);
    const [id = "none"] = /[0-9a-f]{8}-[0-9a-f-]+/.exec(text) ?? [];
    expect(lines).toEqual([["a request failed", { errorId: id, error: expect.any(Error) }]]);
  });
});
