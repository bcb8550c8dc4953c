import { existsSync } from "node:fs";
import { join } from "node:path";
import { createGatewayClient } from "@openclaw/client";
import type { Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import { describe, expect, it, vi } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { eventually } from "../support/eventually.js";
import { message, OWNER } from "../support/host.js";
import { openDatabase, startNode } from "../support/nodes.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Lets a person see the requests of a node; resolves when the other nodes can know it. */
async function attend(gateway: Gateway, store: Store): Promise<{ next(): Promise<Approval> }> {
  const shown: string[] = [];
  gateway.attend({
    channel: "terminal",
    show: ({ id, state }) => {
      if (state === "pending") shown.push(id);
    },
  });
  await eventually(async () => {
    const nodes = await store.nodes.list();
    return nodes.some(({ facts }) => JSON.stringify(facts).includes('"all":true')) || undefined;
  });
  return {
    next: () =>
      eventually(async () => {
        const id = shown.shift();
        return id === undefined ? undefined : await store.decisions.approvals.get(id);
      }),
  };
}

/** Names of the events of approval requests that a node's clients receive. */
function approvalEvents(gateway: Gateway): readonly string[] {
  const events: string[] = [];
  gateway.onEvent(({ event }) => {
    if (event.startsWith("approval.")) events.push(event);
  });
  return events;
}

const allow = { decision: "allow-once", via: "test" } as const;

const TOKEN = "one-token-of-every-node-of-the-test";
const LIMIT = 200;
const CALLS = 60;
/** Each look is a call too, and there are as many as the other node left. */
const PAUSE_MS = 100;

describe("nodes on one PostgreSQL", () => {
  it("[SCALE-645] start at the same moment on a new database, with the key that one of them creates", async () => {
    const { url, store } = await openDatabase();
    const nodes = await Promise.all([startNode(url), startNode(url), startNode(url)]);
    expect(await store.nodes.list()).toHaveLength(3);
    const sent = nodes.map(({ gateway }, number) => gateway.receive(message(`message ${number}`)));
    for (const outcome of await Promise.all(sent))
      expect(outcome).toMatchObject({ status: "replied" });
  });

  it("[SCALE-006] [SCALE-010] work in one session one after another, in the order of its messages", async () => {
    const { url, store } = await openDatabase();
    const nodes = [await startNode(url), await startNode(url)];
    expect(await store.nodes.list()).toHaveLength(2);

    const texts = Array.from({ length: 12 }, (_, number) => `message ${number}`);
    const sent = texts.map((text, number) => nodes[number % 2]?.gateway.receive(message(text)));
    for (const outcome of await Promise.all(sent))
      expect(outcome).toMatchObject({ status: "replied" });

    const [session] = await store.sessions.list({ limit: 10 });
    const entries = await store.messages.transcript.load(session?.sessionId ?? "");
    const roles = entries.map(({ message: { role } }) => role);
    expect(roles).toEqual(texts.flatMap(() => ["user", "assistant"]));
    const inbox = await store.messages.inbox.inState("queued");
    const asked = entries.flatMap(({ message: { role, content } }) =>
      role === "user" ? content.map((part) => ("text" in part ? part.text : "")) : [],
    );
    expect(asked).toEqual(inbox.map(({ content }) => content));
    expect(await store.turns.unfinished()).toEqual([]);
  });

  it("[APPR-530] [APPR-531] [SCALE-012] [SCALE-021] [APPR-032] show, decide and resume an approval request on different nodes", async () => {
    const { url, store } = await openDatabase();
    const shows = await startNode(url);
    // Before the other node starts, so that it knows the approver when it asks.
    const person = await attend(shows.gateway, store);
    const runs = await startNode(url);
    const events = [approvalEvents(shows.gateway), approvalEvents(runs.gateway)];

    const first = runs.gateway.receive(message("write first.txt"));
    const asked = await person.next();
    // The turn that waits needs no lease: its node gives the session to another one that asks for it.
    store.topics.publish("session-wanted", asked.sessionKey);
    const key = `session:${asked.sessionKey}`;
    const lease = await eventually(() => store.leases.acquire(key, "test", { ttlMs: 60_000 }));
    await store.leases.release(lease);
    // Both nodes decide at the same time: one decision counts, and the call runs once.
    const nodes = [shows.gateway, runs.gateway];
    const decided = await Promise.allSettled(
      nodes.map(({ approvals }) => approvals.decide(asked.id, allow, OWNER)),
    );
    expect(decided.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const each of decided) {
      if (each.status === "fulfilled") continue;
      expect(each.reason).toMatchObject({ code: "APPROVAL_ALREADY_DECIDED" });
    }
    expect(await first).toMatchObject({ status: "replied" });
    expect(existsSync(join(runs.folder.path, "workspace", "first.txt"))).toBe(true);
    const log = await store.decisions.auditLog.list({ approvalId: asked.id });
    expect(log.filter(({ event }) => event === "consumed")).toHaveLength(1);
    for (const seen of events) {
      await eventually(async () => (seen.length === 2 ? true : undefined));
      expect(seen).toEqual(["approval.requested", "approval.resolved"]);
    }

    // The node of the turn stops while the request is pending; the other one continues the turn.
    const second = runs.gateway.receive(message("write second.txt"));
    const pending = await person.next();
    await runs.gateway.stop("command");
    expect(await second).toMatchObject({ status: "interrupted" });
    await shows.gateway.approvals.decide(pending.id, allow, OWNER);
    const written = join(shows.folder.path, "workspace", "second.txt");
    await eventually(async () => (existsSync(written) ? true : undefined));
    await eventually(async () =>
      (await store.turns.unfinished()).length === 0 ? true : undefined,
    );
    const calls = (await store.decisions.approvals.list()).map(({ toolCallId }) => toolCallId);
    expect(calls).toEqual([pending.toolCallId, asked.toolCallId]);
  });
});

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
    }, PAUSE_MS);

    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await ask(one, "wrong")).status).toBe(401);
    }
    expect((await ask(one)).status).toBe(429);
    await eventually(async () => ((await ask(two)).status === 429 ? true : undefined), PAUSE_MS);
  });
});
