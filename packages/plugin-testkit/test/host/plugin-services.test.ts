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

it("[EXT-502] asks for input outside a call, which the author of the message gives", async () => {
  const { host, api, resolved } = await withApi({ answer: () => undefined });
  const schema = {
    type: "object" as const,
    properties: {
      colour: { type: "string", enum: ["red", "blue"] },
      count: { type: "integer", default: 2 },
    },
    required: ["colour"],
  };
  const input = { message: "Which colour?", schema, url: "https://example.com/colours" };
  const requester = { channel: "telegram", senderId: "ann" };
  const submitted = await api.approvals.submit({ ...request, input, requester });
  if (submitted.status !== "pending") throw new Error(submitted.reason);
  await expect.poll(() => host.questions).toHaveLength(1);
  expect(host.questions[0]).toMatchObject({
    pluginId: "tested",
    input: { ...input, name: "input" },
    requester: { channel: "telegram", accountId: "default", senderId: "ann" },
    allowedDecisions: ["allow-once", "deny"],
  });
  const says = async (senderId: string, text: string) => {
    const sender = { channel: "telegram", senderId, senderIsOwner: false };
    return (await host.receive({ ...sender, text: `/approve ${submitted.code} ${text}` })).text;
  };
  expect(await says("bob", "colour=red")).toContain("NOT_AUTHORIZED_TO_APPROVE");
  expect(await says("ann", "colour=green")).toContain("APPROVAL_INPUT_INVALID");
  expect(await says("ann", "colour=blue")).toContain("allowed once");
  await expect
    .poll(() => resolved)
    .toMatchObject([
      { id: submitted.id, decision: "allow-once", input: { colour: "blue", count: 2 } },
    ]);
});

it.each([
  ["a schema of another type", { message: "?", schema: { type: "string" } }, "expected a schema"],
  ["no message", { schema: { type: "object", properties: {} } }, "expected a message"],
  [
    "a page that is not on the web",
    { message: "?", schema: { type: "object", properties: {} }, url: "file:///etc/passwd" },
    "expected an http or https URL",
  ],
])("[EXT-502] rejects a request for input with %s", async (_case, input, problem) => {
  const { api } = await withApi({ answer: () => undefined });
  await expect(api.approvals.submit({ ...request, input: input as never })).rejects.toMatchObject({
    code: "PLUGIN_REGISTRATION_INVALID",
    message: expect.stringContaining(problem),
  });
});

it("[EXT-502] names a person only with a request for input", async () => {
  const { api } = await withApi({ answer: () => undefined });
  const requester = { channel: "telegram", senderId: "ann" };
  await expect(api.approvals.submit({ ...request, requester })).rejects.toThrow("only with input");
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
