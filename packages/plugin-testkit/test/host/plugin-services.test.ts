import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { expect, it, onTestFinished } from "vitest";
import { createTestHost } from "../../src/index.js";

/** Opens a host with a plugin, and returns its `api`. */
async function withApi(options: Partial<Parameters<typeof createTestHost>[0]> = {}) {
  let api: OpenClawPluginApi | undefined;
  const resolved: unknown[] = [];
  const host = await createTestHost({
    model: [{ text: "hello" }],
    ...options,
    plugin: {
      id: "tested",
      register(given: OpenClawPluginApi) {
        api = given;
        given.approvals.onResolved((approval) => void resolved.push(approval));
      },
    },
  });
  onTestFinished(() => host.dispose());
  await host.turn("hi");
  if (api === undefined) throw new Error("the plugin was not registered");
  return { host, api, resolved };
}

const SESSION = "agent:main:main";
const request = { title: "Go on?", description: "A step", sessionKey: SESSION };

it("[APPR-065] submits approval requests, and receives their decisions in the handler", async () => {
  const { host, api, resolved } = await withApi({ answer: () => undefined });
  const first = await api.approvals.submit(request);
  if (first.status !== "pending") throw new Error(first.reason);
  await host.approve(first.code);
  await expect
    .poll(() => resolved)
    .toMatchObject([{ id: first.id, decision: "allow-once", decidedBy: "terminal:operator" }]);
  expect(await api.approvals.cancel(first.id)).toBe(false);
  const second = await api.approvals.submit(request);
  if (second.status !== "pending") throw new Error(second.reason);
  expect(await api.approvals.cancel(second.id)).toBe(true);
  expect(await api.approvals.get(second.id)).toMatchObject({ decision: "cancelled" });
  expect(await api.approvals.cancel("unknown")).toBe(false);
  await expect(api.approvals.submit({ ...request, sessionKey: "nobody" })).rejects.toMatchObject({
    code: "SESSION_NOT_FOUND",
  });
});

it("[APPR-065] says at once that no approver can be reached", async () => {
  const { api } = await withApi();
  expect(await api.approvals.submit(request)).toMatchObject({
    status: "denied",
    reason: expect.stringContaining("no approver"),
  });
});

it("[PLUG-130] calls a tool in a session with the rights of the requester", async () => {
  const { api } = await withApi({
    config: { tools: { deny: ["time"] } } as never,
    answer: "allow-once",
  });
  const { callTool } = api.runtime.agent;
  const requester = {
    channel: "terminal",
    channelId: "terminal",
    senderId: "operator",
    senderIsOwner: true,
  };
  const call = (tool: string, params = {}) =>
    callTool?.({ sessionKey: SESSION, tool, params, requester });
  expect(await call("echo", { message: "hello" })).toMatchObject({
    status: "ok",
    content: [{ type: "text", text: "hello" }],
  });
  expect(await call("time")).toMatchObject({ status: "denied", decisionId: expect.any(String) });
  expect(await call("exec", { command: "echo approved" })).toMatchObject({ status: "ok" });
  await expect(
    callTool?.({ sessionKey: "nobody", tool: "echo", params: {}, requester }),
  ).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(
    callTool?.({ sessionKey: SESSION, tool: "echo", params: {}, requester: {} as never }),
  ).rejects.toThrow("requester.channel");
});

it("[SDK-060] has secrets in the store of the plugin", async () => {
  const { api } = await withApi();
  await api.store.secrets?.set("key", "sk-value");
  expect(await api.store.secrets?.get("key")).toBe("sk-value");
});

it("[HOST-505] repeats work of a service when the clock of the host advances", async () => {
  let runs = 0;
  const plugin = {
    id: "tested",
    register(api: OpenClawPluginApi) {
      api.registerService({
        id: "watcher",
        start({ repeat }) {
          repeat({
            ...{ name: "look", intervalMs: 60_000 },
            run() {
              runs += 1;
            },
          });
        },
      });
    },
  };
  const host = await createTestHost({ plugin });
  onTestFinished(() => host.dispose());
  await host.advance(59_999);
  expect(runs).toBe(0);
  await host.advance(1);
  await host.advance(60_000);
  expect(runs).toBe(2);
});
