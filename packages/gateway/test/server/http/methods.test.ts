import { randomUUID } from "node:crypto";
import { createSessionMethods } from "@openclaw/messaging";
import { beforeEach, describe, expect, it } from "vitest";
import { callsOf, createTestHost, type ServedHost, serve } from "../../support/host.js";

const agents = { agentIds: ["main"], defaultAgent: "main" };
let server: ServedHost;

beforeEach(async () => {
  const host = await createTestHost();
  const registry = createSessionMethods({
    ...{ administration: host.administration, agents },
    forks: host.forks.conversations,
  });
  server = await serve(host, { calls: callsOf(async () => registry, host) });
  const { url, headers } = server;
  const create = (label: string) =>
    fetch(`${url}/api/v1/sessions/create`, {
      method: "POST",
      headers: { ...headers, "idempotency-key": randomUUID() },
      body: JSON.stringify({ sessionKey: `agent:main:${label}`, label }),
    });
  for (const label of ["one", "two", "3"]) await create(label);
});

function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, { headers: server.headers, ...init });
}

async function labels(response: Response): Promise<unknown> {
  const { sessions } = (await response.json()) as { sessions: { label: string }[] };
  return sessions.map(({ label }) => label).toSorted();
}

describe("GET /api/v1/<family>/<method>", () => {
  it("[GW-033] serves methods that only read, with parameters in the query", async () => {
    expect(await labels(await get("/api/v1/sessions/list"))).toEqual(["3", "one", "two"]);
    const filter = encodeURIComponent('{"label":"one"}');
    expect(await labels(await get(`/api/v1/sessions/list?filter=${filter}`))).toEqual(["one"]);
    const page = await get("/api/v1/sessions/list?limit=2");
    expect(await labels(page)).toHaveLength(2);
    const one = await get("/api/v1/sessions/get?sessionKey=agent%3Amain%3Aone");
    expect(await one.json()).toMatchObject({ label: "one" });
    const head = await get("/api/v1/sessions/list", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it.each([
    ["limit=many", "/limit"],
    ["limit=0", "/limit"],
    ["limit=1&limit=2", "/limit"],
    ["other=1", "/other"],
    ["filter=%7B", "/filter"],
  ])("[GW-033] rejects ?%s with 400", async (query, path) => {
    const response = await get(`/api/v1/sessions/list?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "INVALID_REQUEST", details: { issues: [{ path }] } },
    });
  });

  it("[GW-033] answers with the same error as POST", async () => {
    const read = await get("/api/v1/sessions/get?sessionKey=agent%3Amain%3Anone");
    const posted = await get("/api/v1/sessions/get", {
      method: "POST",
      body: JSON.stringify({ sessionKey: "agent:main:none" }),
    });
    expect([read.status, posted.status]).toEqual([404, 404]);
    const body = await read.json();
    expect(body).toMatchObject({ error: { code: "NOT_FOUND", reason: "SESSION_NOT_FOUND" } });
    expect(await posted.json()).toEqual(body);
  });

  it.each([
    ["GET", "sessions/reset", "POST"],
    ["PUT", "sessions/reset", "POST"],
    ["DELETE", "sessions/list", "GET, HEAD, POST"],
  ])("[GW-033] answers %s %s with 405 and Allow", async (method, path, allow) => {
    const response = await get(`/api/v1/${path}`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    expect(await response.json()).toMatchObject({
      error: { code: "INVALID_REQUEST", reason: "HTTP_METHOD_NOT_ALLOWED" },
    });
  });

  it("[GW-033] answers an unknown method with 404", async () => {
    const response = await get("/api/v1/sessions/lst");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
  });
});
