import { describe, expect, it } from "vitest";
import { startTestServer } from "../src/index.js";

describe("test server", () => {
  it("sends its response to every request, and records the requests", async () => {
    await using server = await startTestServer({ body: '{"ok":true}' });
    const first = await fetch(`${server.origin}/things?limit=2`);
    expect(first.headers.get("content-type")).toBe("application/json");
    expect(await first.json()).toEqual({ ok: true });
    const headers = { "x-key": "key-1" };
    await fetch(server.origin, { method: "POST", headers, body: '{"a":1}' });
    await fetch(server.origin, { method: "PUT", body: "plain" });
    expect(server.requests).toMatchObject([
      { method: "GET", path: "/things?limit=2", body: "" },
      { method: "POST", path: "/", headers, body: { a: 1 } },
      { method: "PUT", path: "/", body: "plain" },
    ]);
  });

  it("can choose the response by the request", async () => {
    await using server = await startTestServer(({ path }) =>
      path === "/stream"
        ? { body: "data: 1\n\n", contentType: "text/event-stream" }
        : { body: "gone", status: 410 },
    );
    const stream = await fetch(`${server.origin}/stream`);
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    expect(await stream.text()).toBe("data: 1\n\n");
    expect((await fetch(`${server.origin}/other`)).status).toBe(410);
  });

  it("closes its connections, also when stopped twice", async () => {
    const server = await startTestServer({ body: "" });
    await fetch(server.origin);
    await server.close();
    await server.close();
    await expect(fetch(server.origin)).rejects.toThrow();
  });
});
