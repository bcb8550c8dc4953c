import type { HostServices } from "@openclaw/plugin-sdk/services";
import { describe, expect, it } from "vitest";
import { withFullSessionKeys } from "../../src/api/full-session-keys.js";

const CALLER = "guard";
const full = (key: string) => (key === "main" ? "agent:clerk:main" : key);

/** Calls every service that takes a session key, with the key at its place. */
const CALLS: readonly (readonly [
  name: string,
  call: (services: Required<HostServices>, sessionKey: string) => unknown,
])[] = [
  [
    "approvals.request",
    ({ approvals }, sessionKey) => approvals.request(CALLER, { ...REQUEST, sessionKey }),
  ],
  [
    "approvals.submit",
    ({ approvals }, sessionKey) => approvals.submit(CALLER, { ...REQUEST, sessionKey }),
  ],
  ["approvals.reach", ({ approvals }, sessionKey) => approvals.reach?.(CALLER, sessionKey)],
  ["sessionState.get", ({ sessionState }, key) => sessionState.get(CALLER, key, "notes")],
  ["sessionState.patch", ({ sessionState }, key) => sessionState.patch(CALLER, key, "notes", {})],
  ["sessionState.peek", ({ sessionState }, key) => sessionState.peek?.(CALLER, key, "notes")],
  [
    "enqueueInjection",
    (services, sessionKey) => services.enqueueInjection(CALLER, { sessionKey, text: "a" }),
  ],
  ["complete", (services, sessionKey) => services.complete(CALLER, { ...QUESTION, sessionKey })],
  ["runAgent", (services, sessionKey) => services.runAgent(CALLER, { ...TURN, sessionKey })],
  ["invokeTool", (services, sessionKey) => services.invokeTool(CALLER, { ...CALL, sessionKey })],
  ["sessionMessages", (services, key) => services.sessionMessages(CALLER, key, 3)],
  ["deleteSession", (services, key) => services.deleteSession(CALLER, key)],
  [
    "requestCredential",
    (services, sessionKey) => services.requestCredential(CALLER, { sessionKey, name: "KEY" }),
  ],
  [
    "memoryTools.search",
    ({ memoryTools }, agentSessionKey) => memoryTools.search(CALLER, { agentSessionKey }),
  ],
  [
    "memoryTools.get",
    ({ memoryTools }, agentSessionKey) => memoryTools.get(CALLER, { agentSessionKey }),
  ],
];

const { signal } = new AbortController();
const REQUEST = { title: "Go on?", description: "" };
const QUESTION = { messages: [{ role: "user" as const, content: "hi" }], signal };
const TURN = { prompt: "hi", signal };
const CALL = {
  ...{ tool: "read", params: {}, signal },
  requester: { channel: "cli", channelId: "cli", senderId: "operator", senderIsOwner: true },
};

/** Services that record what they were called with. */
function recordingServices(parts: Partial<HostServices> = {}) {
  const calls: unknown[] = [];
  const record = (...args: readonly unknown[]): never => {
    calls.push(args);
    return undefined as never;
  };
  const services: HostServices = {
    approvals: { request: record, submit: record, cancel: record, get: record, reach: record },
    sessionState: { get: record, patch: record, peek: record },
    memoryTools: { search: record, get: record },
    ...{ complete: record, runAgent: record, invokeTool: record, sessionMessages: record },
    ...{ deleteSession: record, requestCredential: record, enqueueInjection: record },
    ...parts,
  };
  return { services, calls };
}

describe("session keys that plugins name", () => {
  it.each(CALLS)("[GW-480] are full keys for the host in %s", async (_name, call) => {
    const { services, calls } = recordingServices({ fullSessionKey: full });
    const wrapped = withFullSessionKeys(services) as Required<HostServices>;
    await call(wrapped, "main");
    await call(wrapped, "agent:main:main");
    const [short, other] = calls.map((args) => JSON.stringify(args));
    expect(short).toContain('"agent:clerk:main"');
    expect(short?.replace("agent:clerk:main", "agent:main:main")).toBe(other);
  });

  it("[GW-480] are passed on unchanged by a host without short keys", () => {
    const { services } = recordingServices();
    expect(withFullSessionKeys(services)).toBe(services);
  });

  it("[GW-480] leaves out what the host does not have", () => {
    const wrapped = withFullSessionKeys({
      fullSessionKey: full,
      sessionState: { get: async () => 1, patch: async () => 1 },
    });
    expect(Object.keys(wrapped)).toEqual(["fullSessionKey", "sessionState"]);
    expect(wrapped.sessionState?.peek).toBeUndefined();
  });
});
