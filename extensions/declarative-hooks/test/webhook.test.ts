import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { hostWith, inbound } from "./support/host.js";

vi.setConfig({ testTimeout: 30_000 });

async function receiver(respond: (response: ServerResponse, count: number) => void) {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push({ headers: request.headers, body });
    respond(response, received.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const host = `127.0.0.1:${address.port}`;
  return { host, url: `http://${host}/hook`, received };
}

describe("webhooks", () => {
  it("[DHOOK-027] [DHOOK-029] send events without waiting, signed, and never change one", async () => {
    const {
      url,
      host: allowed,
      received,
    } = await receiver((response, count) => {
      if (count > 1) response.end('{"action":"block","reason":"not mine to decide"}');
    });
    const { host, set } = await hostWith(
      {
        outbound_webhooks: [
          {
            name: "all",
            points: ["*"],
            url,
            secret: "of the receiver",
            include_content: true,
            durable: true,
          },
        ],
        hooks: [
          {
            name: "one",
            points: ["beforeInbound"],
            action: { type: "webhook", url },
            filter: { sender: "ada" },
          },
        ],
      },
      { allowHosts: [allowed], model: [{ text: "hello" }] },
    );
    expect(
      await host.fire("message_receiving", inbound("key AKIAIOSFODNN7EXAMPLE")),
    ).toBeUndefined();
    await vi.waitFor(() => expect(received).toHaveLength(2));
    const events = received.map(({ body }) => JSON.parse(body));
    const signed = received.find(({ headers }) => "x-webhook-signature" in headers);
    const digest = execFileSync("openssl", ["dgst", "-sha256", "-hmac", "of the receiver"], {
      ...{ input: signed?.body ?? "", encoding: "utf8" },
    });
    expect(signed?.headers["x-webhook-signature"]).toBe(
      `sha256=${digest.trim().replace(/^.* /, "")}`,
    );
    const full = events.find(({ hook }) => hook.name === "all");
    expect(full).toMatchObject({
      event: "beforeInbound",
      hook: { name: "all", point: "beforeInbound", id: "config::all" },
      data: { channel: "telegram", sender: "ada", session: "agent:main:main" },
    });
    expect(full.content).toMatch(/^key /);
    expect(full.content).not.toContain("AKIAIOSFODNN7EXAMPLE");
    expect(events.find(({ hook }) => hook.name === "one")).not.toHaveProperty("content");

    expect((await host.turn("hi")).text).toBe("hello");
    const points = () => received.map(({ headers }) => headers["x-webhook-event"]);
    await vi.waitFor(() =>
      expect(new Set(points())).toEqual(
        new Set(["beforeInbound", "onSessionStart", "transformResponse", "beforeOutbound"]),
      ),
    );
    expect((await set.show("one"))?.runs.every(({ outcome }) => outcome === "continue")).toBe(true);
  });

  it("[DHOOK-030] show the outcome of each delivery, and keep it in the store", async () => {
    const { url, host: allowed } = await receiver((response, count) =>
      response.writeHead(count === 1 ? 404 : 200).end(),
    );
    const { host, set } = await hostWith(
      { outbound_webhooks: [{ name: "w", points: ["beforeInbound"], url }] },
      { allowHosts: [allowed] },
    );
    await host.fire("message_receiving", inbound("x"));
    const deliveries = async () => (await set.show("w"))?.deliveries ?? [];
    await vi.waitFor(async () => expect(await deliveries()).toHaveLength(1));
    await host.fire("message_receiving", inbound("x"));
    await vi.waitFor(async () => expect(await deliveries()).toHaveLength(2));
    expect((await deliveries()).map(({ state, tries }) => [state, tries])).toEqual(
      expect.arrayContaining([
        ["failed", [expect.objectContaining({ status: 404 })]],
        ["delivered", [expect.objectContaining({ status: 200 })]],
      ]),
    );
  });
});
