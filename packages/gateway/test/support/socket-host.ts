import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createManualClock, type ManualClock } from "@openclaw/foundation";
import { METHOD_SCOPES, type MethodScope } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import { DeviceAccess, EventHub, EventLog, SocketServer } from "@openclaw/server";
import type { Store } from "@openclaw/store";
import { Type } from "typebox";
import { onTestFinished } from "vitest";
import { gate } from "./gate.js";
import { callsOf, openTestStore, testAccess } from "./host.js";
import { WireClient } from "./wire-client.js";

/** Token that every test client may use. */
export const TOKEN = "token-of-the-socket-host-in-tests";

const READ: MethodScope = "operator.read";

/** Methods of the host. */
const methods = {
  "test.echo": {
    ...{ name: "test.echo", summary: "Returns its text.", errors: [], scope: READ },
    params: Type.Object({ text: Type.String() }, { additionalProperties: false }),
    result: Type.Object({ text: Type.String() }),
    effect: "read",
  },
  "test.wait": {
    ...{ name: "test.wait", summary: "Waits.", errors: [], scope: READ },
    params: Type.Object({}, { additionalProperties: false }),
    result: Type.Object({}),
    effect: "read",
  },
  "test.subscribe": {
    ...{ name: "test.subscribe", summary: "Subscribes.", errors: [], scope: READ },
    params: Type.Object({ sessionKey: Type.String() }, { additionalProperties: false }),
    result: Type.Object({}),
    effect: "read",
  },
} as const;

/** Options of {@link socketHost}. */
export interface SocketHostOptions {
  readonly queueLimits?: { bytes: number; events: number; drainMs: number };
  readonly logLimits?: { events: number; size: number; ageMs: number };
  readonly scopes?: readonly MethodScope[];
  /** Store of an earlier host; a new one when absent. */
  readonly store?: Store;
  /** Waits between the look-up of a device and the end of its handshake. */
  readonly afterAdmission?: () => Promise<void>;
}

/** WebSocket server with its own methods, a clock that only tests move, and a real port. */
export interface SocketHost {
  readonly url: string;
  readonly hub: EventHub;
  readonly sockets: SocketServer;
  readonly store: Store;
  readonly clock: ManualClock;
  /** Calls of `test.wait` whose signals have aborted. */
  readonly aborted: { count: number };
  /** Lets the calls of `test.wait` return. */
  release(): void;
  /** Sets the time of day, in milliseconds since the epoch. */
  setTime(now: number): void;
  /** Opens a connection. */
  client(options?: ConstructorParameters<typeof WireClient>[1]): WireClient;
  /** Opens a connection that has completed the handshake. */
  connected(subscribe?: readonly string[], cursor?: string): Promise<WireClient>;
}

/** Starts a host that stops at the end of the test. */
export async function socketHost({
  queueLimits,
  logLimits,
  scopes = METHOD_SCOPES,
  ...options
}: SocketHostOptions = {}): Promise<SocketHost> {
  const clock = createManualClock();
  let now = 1_700_000_000_000;
  const hub = new EventHub(new EventLog(() => now, logLimits));
  const waiting = gate();
  const aborted = { count: 0 };
  const registry = MethodRegistry.of(methods, {
    "test.echo": async (parameters) => parameters,
    "test.wait": async (_, { signal }) => {
      const count = () => {
        aborted.count += 1;
      };
      if (signal.aborted) count();
      else signal.addEventListener("abort", count);
      await waiting.passed;
      return {};
    },
    "test.subscribe": async ({ sessionKey }, { connection }) => {
      connection?.subscribe(sessionKey);
      return {};
    },
  });
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const access = testAccess({ token: TOKEN, clock });
  // Times of rows follow the time of day, and challenges the clock.
  const store = options.store ?? (await openTestStore(() => now));
  const { failures } = access;
  const sockets = new SocketServer({
    hub,
    calls: callsOf(async () => registry, { store, logger }),
    devices: new DeviceAccess({
      store: {
        devices: {
          async admit(...contact) {
            const admission = await store.devices.admit(...contact);
            await options.afterAdmission?.();
            return admission;
          },
        },
      },
      ...{ failures, clock, logger },
    }),
    access: {
      limits: access.limits,
      admitUpgrade: (request) => access.admitUpgrade(request),
      authenticate: async (token, client) => ({
        ...(await access.authenticate(token, client)),
        scopes,
      }),
    },
    approvers: { attend: () => ({ skips: () => false, end: () => undefined }) },
    ...{ logger, timers: clock, version: "1.0.0", queueLimits },
    now: () => now,
    snapshot: () => ({ generation: 1, ready: true }),
    fullKey: (sessionKey) => (sessionKey === "main" ? "agent:main:main" : sessionKey),
  });
  const server = createServer();
  sockets.attach(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: WireClient[] = [];
  const client = (options = {}) => {
    const opened = new WireClient(url, options);
    clients.push(opened);
    return opened;
  };
  onTestFinished(async () => {
    waiting.pass();
    for (const each of clients) each.socket.terminate();
    await sockets.close("command");
    server.close();
  });
  return {
    ...{ url, hub, sockets, store, clock, aborted, client },
    release: () => waiting.pass(),
    setTime(time) {
      now = time;
    },
    async connected(subscribe = [], cursor) {
      const opened = client();
      await opened.connect(TOKEN, {
        subscribe: [...subscribe],
        ...(cursor === undefined ? {} : { resume: { cursor } }),
      });
      return opened;
    },
  };
}

/** Payload of a preview of a reply. */
export function delta(sessionKey: string, text: string) {
  return { sessionKey, runId: `run of ${sessionKey}`, delta: text };
}

/** Payload of a durable event of a session. */
export function paused(sessionKey: string, approvalId: string) {
  return { sessionKey, runId: `run of ${sessionKey}`, approvalId };
}
