import type { TestServerAnswer } from "@openclaw/platform-fakes";
import type { ResolvedApproval } from "@openclaw/plugin-sdk/approvals";
import { describe, expect, it } from "vitest";
import { OpenElicitations } from "../src/elicitation/open-elicitations.js";
import { FakeServer, mcpHost, until } from "./support/fixture.js";
import { httpServer } from "./support/http-server.js";

const STATE = 'opaque "state" \u00e9\u{1f600} +/=';
const FORM = {
  method: "elicitation/create",
  params: {
    message: "Which project?",
    requestedSchema: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 2 },
        size: { type: "integer", default: 3 },
        isOpen: { type: "boolean" },
      },
      required: ["name"],
    },
  },
};
const PAGE = {
  method: "elicitation/create",
  params: { mode: "url", message: "Connect your account.", url: "https://example.com/connect" },
};

/** Requests for approval stay open. */
const WAITING = { answer: (): undefined => undefined };

type HostOptions = Parameters<typeof mcpHost>[1];
type Params = Record<string, unknown> & { readonly inputResponses?: object };

/** Starts a host with a server of the protocol of 2026 whose tool needs answers. */
async function askingHost(
  inputRequests: object,
  { isAsked = true, options = WAITING }: { isAsked?: boolean; options?: HostOptions } = {},
) {
  const calls: Params[] = [];
  const { url, config } = await httpServer({
    answer: (method, { id }, params): TestServerAnswer | undefined => {
      const reply = (result: object): TestServerAnswer => ({
        body: JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } }),
        // A person answers later than an idle connection lives.
        headers: { connection: "close" },
      });
      if (method === "server/discover") {
        return reply({ supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
      }
      if (method === "tools/list") {
        const annotations = { readOnlyHint: true };
        const tool = { name: "create", inputSchema: { type: "object" }, annotations };
        return reply({ tools: [tool], ttlMs: 0, cacheScope: "private" });
      }
      if (method !== "tools/call") return undefined;
      calls.push(params);
      if (params.inputResponses === undefined) {
        const requestState = calls.length === 1 ? STATE : `${STATE} ${calls.length}`;
        return reply({ resultType: "input_required", inputRequests, requestState });
      }
      return reply({ content: [{ type: "text", text: "created" }] });
    },
  });
  const host = await mcpHost({ asker: { url } }, { ...options, config });
  await until(async () => {
    const answer = await host.request("/api/v1/mcp.list", { method: "POST", body: "{}" });
    return (await answer.text()).includes('"ready"');
  });
  await host.turn("hello");
  const called = host.callTool("asker__create", {});
  // The call has no result before its answers.
  if (options === WAITING && isAsked) await until(() => host.questions.length > 0);
  return { host, calls, called };
}

describe("a call that waits for answers", () => {
  it("[EXT-912] asks the person, and makes the call once more with the answers and the state byte for byte", async () => {
    const { host, calls, called } = await askingHost({ project: FORM });
    const [question] = host.questions;
    expect(question).toMatchObject({
      sessionKey: "agent:main:main",
      tool: "asker__create",
      input: {
        name: "project",
        message: "MCP server asker asks: Which project?",
        schema: FORM.params.requestedSchema,
      },
    });
    expect(JSON.stringify(question)).not.toContain("opaque");
    const code = question?.code ?? "";
    const answer = async (text: string) => (await host.turn(`/approve ${code} ${text}`)).text;
    expect(await answer("name=x")).toContain("APPROVAL_INPUT_INVALID");
    expect(await answer("size=many name=openclaw")).toContain("type integer");
    expect(calls).toHaveLength(1);
    expect(await answer("name=openclaw isOpen=yes")).toContain("allowed once");
    expect((await called).text).toBe("created");
    expect(calls).toHaveLength(2);
    expect(calls[1]).toMatchObject({
      requestState: STATE,
      inputResponses: {
        project: { action: "accept", content: { name: "openclaw", size: 3, isOpen: true } },
      },
    });
    expect(await answer("name=openclaw")).toContain("APPROVAL_ALREADY_DECIDED");
  });

  it("[EXT-912] continues each of two equal calls with its own answers", async () => {
    const { host, calls, called } = await askingHost({ project: FORM });
    const other = host.callTool("asker__create", {});
    await until(() => host.questions.length === 2);
    for (const [index, name] of ["first", "second"].entries()) {
      await host.turn(`/approve ${host.questions[index]?.code} name=${name}`);
    }
    await Promise.all([called, other]);
    const repeated = calls.slice(2).map(({ requestState, inputResponses }) => ({
      requestState,
      inputResponses,
    }));
    const accepted = (name: string) => ({
      project: { action: "accept", content: { name, size: 3 } },
    });
    expect(repeated).toHaveLength(2);
    expect(repeated).toEqual(
      expect.arrayContaining([
        { requestState: STATE, inputResponses: accepted("first") },
        { requestState: `${STATE} 2`, inputResponses: accepted("second") },
      ]),
    );
  });

  it("[EXT-912] is continued once by two answers at the same time", async () => {
    const { host, calls, called } = await askingHost({ project: FORM });
    const command = `/approve ${host.questions[0]?.code} name=openclaw`;
    const answers = await Promise.all([host.turn(command), host.turn(command)]);
    await called;
    expect(calls).toHaveLength(2);
    expect(answers.filter(({ text }) => text.includes("ALREADY_DECIDED"))).toHaveLength(1);
  });

  it("[EXT-912] takes a decision as the answer to a page", async () => {
    const { host, calls, called } = await askingHost({ page: PAGE });
    expect(host.questions[0]?.input).toMatchObject({
      url: "https://example.com/connect",
      message: "MCP server asker asks: Connect your account.",
    });
    await host.approve();
    expect((await called).text).toBe("created");
    expect(calls[1]).toMatchObject({ inputResponses: { page: { action: "accept" } } });
  });

  it("[EXT-912] asks for one thing after the other, and declines those that are denied", async () => {
    const { host, calls, called } = await askingHost({ project: FORM, page: PAGE });
    await host.deny();
    await until(() => host.questions.length === 2);
    expect(calls).toHaveLength(1);
    await host.approve();
    await called;
    expect(calls[1]).toMatchObject({
      inputResponses: { project: { action: "decline" }, page: { action: "accept" } },
    });
  });

  it.each([
    ["no person can answer", { page: PAGE }, /no person gave it/, {}],
    [
      "the page is not on the web",
      { page: { ...PAGE, params: { ...PAGE.params, url: "file:///etc/passwd" } } },
      /not on the web/,
      WAITING,
    ],
    [
      "it asks for another thing",
      { roots: { method: "roots/list" } },
      /roots\/list, which is not supported/,
      WAITING,
    ],
    [
      "its schema cannot be used",
      { form: { ...FORM, params: { ...FORM.params, requestedSchema: { type: "string" } } } },
      /expected a schema of an object/,
      WAITING,
    ],
  ])("[EXT-912] fails when %s", async (_, requests, reason, options) => {
    const { called, host, calls } = await askingHost(requests, { isAsked: false, options });
    const { isError, text } = await called;
    expect([isError, text]).toEqual([true, expect.stringMatching(reason)]);
    expect([host.questions, calls.length]).toEqual([[], 1]);
  });
});

describe("a prompt or a resource that waits for answers", () => {
  const NAMES = { "prompts/get": "prompt", "resources/read": "resource" };

  async function offeringHost(isClosed = false) {
    const asked: Params[] = [];
    const { url, config } = await httpServer({
      answer: (method = "", { id }, params): TestServerAnswer | undefined => {
        const reply = (result: object): TestServerAnswer => ({
          body: JSON.stringify({
            ...{ jsonrpc: "2.0", id },
            result: { resultType: "complete", ttlMs: 0, cacheScope: "private", ...result },
          }),
          headers: { connection: "close" },
        });
        if (method === "server/discover") {
          const capabilities = { tools: {}, prompts: {}, resources: {} };
          return reply({ supportedVersions: ["2026-07-28"], capabilities });
        }
        if (method === "tools/list") return reply({ tools: [] });
        if (method === "prompts/list") return reply({ prompts: [{ name: "Triage Now" }] });
        if (!Object.hasOwn(NAMES, method)) return undefined;
        asked.push(params);
        if (params.inputResponses === undefined) {
          const inputRequests = { project: FORM };
          return reply({ resultType: "input_required", inputRequests, requestState: STATE });
        }
        const text = `about ${JSON.stringify(params.inputResponses)}`;
        return reply(
          method === "prompts/get"
            ? { messages: [{ role: "user", content: { type: "text", text } }] }
            : { contents: [{ uri: params.uri, text }] },
        );
      },
    });
    const host = await mcpHost(
      { asker: { url } },
      { ...(isClosed ? {} : WAITING), config, model: () => ({ text: "done" }) },
    );
    await until(async () => {
      const answer = await host.request("/api/v1/commands.list", { method: "POST", body: "{}" });
      return (await answer.text()).includes("asker:triage_now");
    });
    await host.turn("hello");
    return { host, asked };
  }

  const REPEATED = {
    requestState: STATE,
    inputResponses: {
      project: { action: "accept", content: { name: "openclaw", size: 3 } },
    },
  };

  it("[EXT-507] a prompt asks in the conversation, and its text goes to the agent", async () => {
    const { host, asked } = await offeringHost();
    const answer = host.runCommand("/asker:triage_now");
    await until(() => host.questions.length > 0);
    expect(host.questions[0]).toMatchObject({
      title: "/asker:triage_now asks for input",
      input: { name: "project", message: "MCP server asker asks: Which project?" },
    });
    expect(JSON.stringify(host.questions)).not.toContain("opaque");
    await host.turn(`/approve ${host.questions[0]?.code} name=openclaw`);
    await answer;
    expect(asked).toMatchObject([{ name: "Triage Now" }, { name: "Triage Now", ...REPEATED }]);
    const prompts = JSON.stringify(host.modelRequests.map(({ prompt }) => prompt));
    expect(prompts).toContain("openclaw");
    expect(prompts).not.toContain("opaque");
  });

  it("[EXT-507] a prompt has no text where no person can answer", async () => {
    const { host, asked } = await offeringHost(true);
    expect((await host.runCommand("/asker:triage_now")).text).toMatch(/no person gave it/);
    expect(asked).toHaveLength(1);
  });

  it("[EXT-507] a resource asks like a tool, and is named when it is mentioned", async () => {
    const { host, asked } = await offeringHost();
    const read = host.callTool("asker__read_resource", { uri: "doc://a" });
    await until(() => host.questions.length > 0);
    await host.turn(`/approve ${host.questions[0]?.code} name=openclaw`);
    expect((await read).text).toContain("about");
    expect(asked).toMatchObject([{ uri: "doc://a" }, { uri: "doc://a", ...REPEATED }]);
    await host.turn("See @asker:doc://b");
    const prompts = JSON.stringify(host.modelRequests.map(({ prompt }) => prompt));
    expect(prompts).toContain("could not be read: asker__read_resource asks for input");
  });
});

describe("a request for input within an open call", () => {
  const asking = async (options: Parameters<typeof mcpHost>[1], timeoutMs = 60_000) => {
    const server = new FakeServer();
    const host = await mcpHost({ fake: { ...server.entry, timeoutMs } }, options);
    await host.turn("hello");
    const called = host.callTool("fake__fault", { kind: "ask" });
    return { host, called };
  };

  it("[EXT-913] is asked in the session of the call, whose time does not pass meanwhile", async () => {
    const { host, called } = await asking(WAITING, 2000);
    await until(() => host.questions.length === 1);
    expect(host.questions).toMatchObject([{ sessionKey: "agent:main:main" }]);
    expect(host.questions[0]).toMatchObject({ pluginId: "mcp", input: { name: "input" } });
    await host.turn(`/approve ${host.questions[0]?.code} colour=blue`);
    expect((await called).text).toBe('{"action":"accept","content":{"colour":"blue"}}');
  });

  it("[EXT-913] is declined and cancelled as the person or the host answers", async () => {
    const denied = await asking({ answer: "deny" });
    expect((await denied.called).text).toBe('{"action":"decline"}');
    const unattended = await asking({});
    expect((await unattended.called).text).toBe('{"action":"cancel"}');
  });

  it("[EXT-913] tells the session that an answer came after the process with the call had ended", async () => {
    const told: string[] = [];
    const cancelled: string[] = [];
    const process = () =>
      new OpenElicitations({
        approvals: {
          submit: () => Promise.resolve({ status: "pending", id: "approval-1", code: "1" }),
          cancel: (id) => Promise.resolve(cancelled.push(id) > 0),
        },
        tell: (sessionKey, text) => Promise.resolve(void told.push(`${sessionKey}: ${text}`)),
      });
    const turn = { sessionKey: "agent:main:main" };
    const params = { ...FORM.params, mode: "form" } as Parameters<OpenElicitations["ask"]>[2];
    const ending = new AbortController();
    const first = process();
    const asked = first.ask("fake", turn, params, ending.signal);
    const decided: ResolvedApproval = {
      ...{ id: "approval-1", sessionKey: "agent:main:main", pluginId: "mcp" },
      ...{ decision: "allow-once", input: { name: "openclaw" } },
    };
    const next = process();
    expect(await next.resolved(decided)).toBe(false);
    await next.tellUnused(decided);
    expect(told).toEqual([expect.stringMatching(/^agent:main:main: .*outcome is unknown/)]);
    // Nobody waits for a request that was declined.
    const { input: _input, ...declined } = decided;
    await next.tellUnused({ ...declined, decision: "deny" });
    expect(told).toHaveLength(1);
    // The call ends without the answer, and withdraws its request.
    await first.resolved({ ...decided, id: "another" });
    ending.abort();
    expect(await asked).toEqual({ action: "cancel" });
    expect(cancelled).toEqual(["approval-1"]);
  });
});
