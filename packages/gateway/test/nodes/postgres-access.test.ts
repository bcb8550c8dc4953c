import { createGatewayClient } from "@openclaw/client";
import { describe, expect, it, vi } from "vitest";
import { eventually } from "../support/eventually.js";
import { openDatabase, startNode } from "../support/nodes.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const TOKEN = "one-token-of-every-node-of-the-test";
const LIMIT = 200;
const CALLS = 60;

describe("the access to nodes on one PostgreSQL", () => {
  it("[SCALE-513] [SCALE-018] has tickets that any node redeems once, and limits for all nodes together", async () => {
    const { url } = await openDatabase();
    const gateway = { auth: { token: TOKEN, requestsPerMinute: LIMIT } };
    const nodes = [await startNode(url, { gateway }), await startNode(url, { gateway })];
    const [one = "", two = ""] = nodes.map((node) => node.gateway.url);
    const request = async (base: string, path: string, token?: string) => {
      const headers = new Headers();
      if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
      const response = await fetch(`${base}${path}`, { headers });
      await response.body?.cancel();
      return response;
    };
    const ask = (base: string, token = TOKEN) => request(base, "/api/v1/plugins/list", token);

    const maker = createGatewayClient({ url: one, token: TOKEN });
    const { ticket } = await maker.call("auth.ticket", {});
    const used = (base: string) => request(base, `/api/v1/events?ticket=${ticket}`);
    const uses = await Promise.all([used(two), used(one), used(two)]);
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const [payload = "", signature = ""] = ticket.split(".");
    const forged = Buffer.from(payload, "base64url").toString().replace("nonce", "ecnon");
    const other = `${Buffer.from(forged).toString("base64url")}.${signature}`;
    expect((await request(two, `/api/v1/events?ticket=${other}`)).status).toBe(401);

    for (let call = 0; call < CALLS; call += 1) expect((await ask(one)).status).toBe(200);
    let asked = 0;
    await eventually(async () => {
      const { headers } = await ask(two);
      asked += 1;
      const left = Number(/r=(\d+)/u.exec(headers.get("RateLimit") ?? "")?.[1]);
      return left + asked <= LIMIT - CALLS ? true : undefined;
    });

    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await ask(one, "wrong")).status).toBe(401);
    }
    expect((await ask(one)).status).toBe(429);
    await eventually(async () => ((await ask(two)).status === 429 ? true : undefined));
  });
});
