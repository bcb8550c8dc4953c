import { temporaryFolder } from "@openclaw/foundation/testing";
import { compilePolicy, type PolicyContext, type PolicyTool } from "@openclaw/tool-policy";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { NO_CLIENTS } from "../../src/host/host.js";
import { createPolicyMethods } from "../../src/methods/policy.js";
import { startTestGateway } from "../support/gateway.js";
import { message, openTestStore } from "../support/host.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

async function host(configuration: string) {
  const folder = temporaryFolder();
  folder.write({ "openclaw.json": configuration });
  const gateway = await startTestGateway(folder);
  onTestFinished(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  const methods = await gateway.methods();
  return { gateway, methods };
}

describe("policy.explain", () => {
  it("names the rule that denies, its location, and the change that would allow", async () => {
    const { methods } = await host('{\n  tools: { deny: ["exec"] },\n}');
    expect(await methods.call("policy.explain", { tool: "Exec" })).toMatchObject({
      tool: "exec",
      allowed: false,
      decidedBy: {
        kind: "layer",
        layer: "global",
        verdict: "deny",
        rule: "exec",
        source: { file: expect.stringMatching(/openclaw\.json$/), key: "tools.deny", line: 2 },
      },
      flip: { kind: "edit", op: "remove", value: "exec" },
    });
    expect(await methods.call("policy.explain", { tool: "read" })).toMatchObject({ allowed: true });
  });

  it("suggests the nearest tool for one that does not exist", async () => {
    const { methods } = await host("{}");
    await expect(methods.call("policy.explain", { tool: "exce" })).rejects.toMatchObject({
      code: "TOOL_NOT_FOUND",
      tool: "exce",
      message: 'tool "exce" not found; did you mean "exec"?',
    });
    await expect(methods.call("policy.explain", { tool: "elephants" })).rejects.toThrow(
      /tool "elephants" not found; use the name of a core tool or of a tool of an enabled plugin/,
    );
  });

  it("evaluates with the model of the host, or the given one", async () => {
    const { methods } = await host('{ tools: { byProvider: { demo: { deny: ["exec"] } } } }');
    const allowed = async (more: object) =>
      (await methods.call("policy.explain", { tool: "exec", ...more })).allowed;
    expect(await allowed({})).toBe(false);
    expect(await allowed({ model: "demo/other" })).toBe(false);
    expect(await allowed({ model: "openai/gpt-5" })).toBe(true);
    expect(await allowed({ model: "openai/gpt-5", provider: "demo" })).toBe(false);
    expect(await allowed({ model: "gpt-5" })).toBe(true);
  });

  it("suggests the nearest session for one that does not exist", async () => {
    const { gateway, methods } = await host("{}");
    await gateway.receive(message("hello"));
    const explain = (sessionKey: string) =>
      methods.call("policy.explain", { tool: "exec", sessionKey });
    await expect(explain("agent:main:mian")).rejects.toMatchObject({
      code: "SESSION_NOT_FOUND",
      message: 'session "agent:main:mian" not found; did you mean "agent:main:main"?',
    });
    await expect(explain("somewhere:else:entirely")).rejects.toThrow(
      /session .* not found; the operator's main session is agent:main:main/,
    );
  });
});

describe("circumstances of a policy query", () => {
  async function asked() {
    const store = await openTestStore();
    const policy = compilePolicy([], {
      tools: [{ name: "exec", origin: "core", optional: false, aliases: [] }],
    });
    const contexts: PolicyContext[] = [];
    const recording: typeof policy = Object.assign(Object.create(policy), {
      explain(tool: PolicyTool, context: PolicyContext) {
        contexts.push(context);
        return policy.explain(tool, context);
      },
    });
    const services = { policy: recording };
    const methods = createPolicyMethods({
      ...{ services, store, model: "demo/echo" },
      agents: { agentIds: ["main"], modelOf: () => "demo/echo" },
      events: NO_CLIENTS,
      componentTools: async () => [],
    });
    const contextOf = async (question: object) => {
      await methods.call("policy.explain", { tool: "exec", ...question });
      return contexts.at(-1);
    };
    return { store, contextOf };
  }

  it("[POL-014] of a subagent's session are limited to its parent's tools at the spawn", async () => {
    const { store, contextOf } = await asked();
    const sessionKey = "agent:main:subagent:1";
    await store.transaction(async (unit) => {
      await unit.sessions.open(sessionKey, { agentId: "main" });
      await unit.sessions.subagents.add({
        runId: "run",
        sessionKey,
        parentSessionKey: "agent:main:main",
        parentRunId: "parent",
        depth: 1,
        parentTools: ["read"],
        tools: ["read", "list"],
        requester: {},
      });
    });
    expect(await contextOf({ sessionKey })).toMatchObject({
      subagentDepth: 1,
      parentPolicy: ["read"],
      runAllow: ["read", "list"],
    });
    await store.sessions.open("agent:main:subagent:gone", { agentId: "main" });
    expect(await contextOf({ sessionKey: "agent:main:subagent:gone" })).toMatchObject({
      subagentDepth: 1,
      parentPolicy: [],
    });
  });

  it("are those of the operator by default", async () => {
    const { contextOf } = await asked();
    const plain = {
      agentId: "main",
      provider: "demo",
      model: "echo",
      senderIsOwner: true,
      sandboxed: false,
      subagentDepth: 0,
    };
    expect(await contextOf({})).toEqual(plain);
    const stranger = { ...plain, senderId: "ada", senderIsOwner: false };
    expect(await contextOf({ senderId: "ada" })).toEqual(stranger);
    expect(await contextOf({ senderId: "ada", senderIsOwner: true })).toMatchObject({
      senderIsOwner: true,
    });
    expect(await contextOf({ sandboxed: true, subagentDepth: 2, agentId: "work" })).toMatchObject({
      sandboxed: true,
      subagentDepth: 2,
      agentId: "work",
    });
  });

  it("are those of the session and its latest message when a session is given", async () => {
    const { store, contextOf } = await asked();
    const sessionKey = "agent:work:telegram:dm:ada";
    await store.sessions.open(sessionKey, { agentId: "work" });
    expect(await contextOf({ sessionKey })).toMatchObject({ agentId: "work", senderIsOwner: true });
    expect(await contextOf({ sessionKey })).not.toHaveProperty("channel");
    const other = { sessionKey: "agent:work:slack:dm:bob" };
    await store.sessions.open(other.sessionKey, { agentId: "work", channel: "slack" });
    await store.sessions.touch(other.sessionKey, { model: "openai/gpt-5" });
    expect(await contextOf(other)).toMatchObject({
      agentId: "work",
      channel: "slack",
      provider: "openai",
      model: "gpt-5",
    });
    expect(await contextOf({ ...other, model: "demo/echo" })).toMatchObject({ provider: "demo" });
    const { row } = await store.messages.inbox.accept({
      id: "message-1",
      channel: "telegram",
      accountId: "default",
      conversationId: "ada",
      senderId: "ada",
      content: "hello",
      attachments: [],
      metadata: { senderIsOwner: true },
      receivedAt: 1,
    });
    await store.messages.inbox.settle(row.id, { state: "queued", sessionKey, runId: "run-1" });
    const own = { agentId: "work", channel: "telegram", senderId: "ada", senderIsOwner: true };
    expect(await contextOf({ sessionKey })).toMatchObject(own);
    // The circumstances of the session's owner do not apply to other senders in it.
    expect(await contextOf({ sessionKey, senderId: "eve" })).toMatchObject({
      ...own,
      senderId: "eve",
      senderIsOwner: false,
    });
    expect(await contextOf({ sessionKey, channel: "slack" })).toMatchObject({ channel: "slack" });
  });
});

describe("policy.test", () => {
  it("returns the result of every case, and whether all passed", async () => {
    const { methods } = await host('{ tools: { deny: ["exec"] } }');
    const cases = (expectation: string) => ({
      cases: [
        { name: "no programs", tool: "exec", expect: expectation },
        { name: "reading", tool: "read", expect: "allow" },
      ],
    });
    const passed = await methods.call("policy.test", {
      files: [{ file: "a", document: cases("deny") }],
    });
    expect(passed).toMatchObject({
      passed: true,
      cases: [
        { file: "a", name: "no programs", passed: true },
        { file: "a", name: "reading", passed: true },
      ],
    });
    const files = [
      { file: "a", document: cases("deny") },
      { file: "b", document: cases("allow") },
    ];
    const failed = await methods.call("policy.test", { files });
    expect(failed.passed).toBe(false);
    expect(failed.cases.filter((each) => !each.passed)).toMatchObject([
      { file: "b", name: "no programs", expected: "allow", explanation: { allowed: false } },
    ]);
  });

  it("rejects a document with another structure", async () => {
    const { methods } = await host("{}");
    const files = [{ file: "a", document: { cases: [{ tool: "exec" }] } }];
    await expect(methods.call("policy.test", { files })).rejects.toMatchObject({
      code: "POLICY_CASES_INVALID",
    });
  });
});
