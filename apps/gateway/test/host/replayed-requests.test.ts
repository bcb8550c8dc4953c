import { createHmac } from "node:crypto";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { type Gateway, startGateway } from "@openclaw/gateway";
import httpChannel from "@openclaw/http-channel";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { loadOperatorConfiguration } from "../../src/configuration.js";

const HTTP_SECRET = "a-secret-of-the-channel-with-32-ch";
const HOOK_SECRET = "a-secret-of-the-webhook-with-32-ch";
const BODY = '{"content":"hi","text":"hi"}';
const NOW = Math.floor(Date.now() / 1000);

let folder: TemporaryFolder;
let gateway: Gateway;
let routine: { readonly routineId: string; readonly webhookSecret: string };

async function start(): Promise<Gateway> {
  const environment = { OPENCLAW_STATE_DIR: join(folder.path, "state") };
  return startGateway({
    version: "1.0.0",
    stateDir: environment.OPENCLAW_STATE_DIR,
    configuration: await loadOperatorConfiguration(environment),
    configurationFile: join(environment.OPENCLAW_STATE_DIR, "openclaw.json"),
    workspaceDir: join(folder.path, "workspace"),
    bundledExtensions: [],
    inlinePlugins: [httpChannel],
    environment,
    port: 0,
  });
}

/** Sends a request, and returns its status and the ID of its message or run. */
async function send(path: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(`${gateway.url}${path}`, { method: "POST", body: BODY, headers });
  const body = (await response.json()) as Record<string, unknown>;
  const { message_id: ofChannel, messageId = ofChannel, plannedAt = messageId } = body;
  return { status: response.status, id: plannedAt };
}

interface Kind {
  readonly path: () => string;
  readonly secret: () => string;
  /** True when the signature covers the ID of the request. */
  readonly coversId: boolean;
  /** Answers to a replay, to one with a changed ID, and to one without the ID. */
  readonly replayed: readonly [number, number, number];
}

const KINDS: readonly (readonly [string, Kind])[] = [
  [
    "the channel http",
    {
      path: () => "/webhook",
      secret: () => HTTP_SECRET,
      coversId: true,
      replayed: [200, 401, 401],
    },
  ],
  [
    "a webhook",
    {
      path: () => "/hooks/deploy",
      secret: () => HOOK_SECRET,
      coversId: false,
      replayed: [409, 409, 409],
    },
  ],
  [
    "the webhook of a routine",
    {
      path: () => `/hooks/routine/${routine.routineId}`,
      secret: () => routine.webhookSecret,
      coversId: false,
      replayed: [202, 409, 409],
    },
  ],
];

function signed({ secret, coversId }: Kind, id: string | undefined, seconds = NOW) {
  const covered = coversId && id !== undefined ? `${seconds}.${id}.${BODY}` : `${seconds}.${BODY}`;
  const signature = createHmac("sha256", secret()).update(covered).digest("hex");
  return {
    "x-openclaw-timestamp": String(seconds),
    "x-openclaw-signature": `sha256=${signature}`,
    ...(id === undefined ? {} : { "idempotency-key": id }),
  };
}

/** Number of messages and runs that requests have led to. */
async function accepted(): Promise<number> {
  const methods = await gateway.methods();
  const { sessions } = await methods.call("sessions.list", {});
  const counts = await Promise.all(
    sessions.map(async ({ sessionKey }) => {
      const { messages } = await methods.call("chat.history", { sessionKey });
      return messages.filter(({ role }) => role === "user").length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

beforeAll(async () => {
  folder = temporaryFolder();
  const configuration = {
    channels: { http: { webhookSecret: HTTP_SECRET } },
    webhooks: { deploy: { secret: HOOK_SECRET, text: "{{payload.text}}" } },
  };
  folder.write({ "state/openclaw.json": JSON.stringify(configuration) });
  gateway = await start();
  const methods = await gateway.methods();
  const added = await methods.call("cron.add", { name: "on-call", prompt: "look", webhook: true });
  routine = { routineId: added.routineId, webhookSecret: added.webhookSecret ?? "" };
});

afterAll(async () => {
  await gateway.stop("command");
  folder[Symbol.dispose]();
});

describe("a signed request that is replayed", () => {
  const first = new Map<string, Awaited<ReturnType<typeof send>>>();

  const replayAll = async () => {
    for (const [name, kind] of KINDS) {
      const { path, replayed } = kind;
      const [same, changed, without] = replayed;
      const headers = signed(kind, "order-1");
      const { "idempotency-key": _, ...noId } = headers;
      const again = await send(path(), headers);
      expect([name, again.status]).toEqual([name, same]);
      if (same < 300) expect(again).toEqual(first.get(name));
      expect([
        name,
        (await send(path(), { ...headers, "idempotency-key": "order-2" })).status,
      ]).toEqual([name, changed]);
      expect([name, (await send(path(), noId)).status]).toEqual([name, without]);
      const later = { ...headers, "x-openclaw-timestamp": String(NOW + 1) };
      expect([name, (await send(path(), later)).status]).toEqual([name, 401]);
      const old = signed(kind, "order-3", NOW - 400);
      expect([name, (await send(path(), old)).status]).toEqual([name, 401]);
    }
  };

  it("[CHAN-241] [GW-041] [JOB-024] is accepted once over HTTP, whatever its ID is, also after a restart", async () => {
    for (const [name, kind] of KINDS) {
      const answer = await send(kind.path(), signed(kind, "order-1"));
      expect([name, answer.status < 300]).toEqual([name, true]);
      first.set(name, answer);
    }
    await replayAll();
    await gateway.stop("command");
    gateway = await start();
    await replayAll();
    await vi.waitFor(async () => expect(await accepted()).toBe(KINDS.length), 60_000);
  });
});
