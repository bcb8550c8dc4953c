import type { InputRequests } from "@modelcontextprotocol/client";
import type { TestServerAnswer } from "@openclaw/platform-fakes";
import { describe, expect, it } from "vitest";
import { ServerElicitations } from "../src/elicitation/server-elicitations.js";
import { promptCommand } from "../src/prompts/commands.js";
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

type Params = Record<string, unknown> & { readonly inputResponses?: object };

/** Starts a host with a server of the protocol of 2026 whose tool needs answers. */
async function askingHost(inputRequests: object, options: Parameters<typeof mcpHost>[1] = WAITING) {
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
  const called = await host.callTool("asker__create", {});
  // A request opens after the call has its result.
  if (options === WAITING && !called.isError) await until(() => host.questions.length > 0);
  return { host, calls, called };
}

function codeOf(elicitations: unknown): string {
  return /answer ([a-z0-9]{6}) /.exec(JSON.stringify(elicitations))?.[1] ?? "";
}

describe("the command that answers", () => {
  it.each([
    ["and continues with the agent", "the server says hello"],
    ["of a wrong code", undefined],
  ])("[PLUG-960] leaves nothing of the input with the host, %s", async (_case, agentText) => {
    const servers = { current: () => new Map(), overview: async () => [] };
    const given: string[] = [];
    const command = promptCommand(servers, {
      async answer(_sessionKey, text) {
        given.push(text);
        return { text: "done", ...(agentText === undefined ? {} : { agentText }) };
      },
    });
    const asked = {
      channel: "terminal",
      senderIsOwner: true,
      isAuthorizedSender: true,
      config: {},
    };
    const run = (args: string) => command.handler({ ...asked, commandBody: `/mcp ${args}`, args });
    expect(await run("answer abcdef name=Ann")).toMatchObject({ forgetsMessage: true });
    expect(given).toEqual(["abcdef name=Ann"]);
    expect(await run("")).not.toHaveProperty("forgetsMessage");
  });
});

describe("a call that waits for answers", () => {
  it("[EXT-912] asks the person, and makes the call once more with the answers and the state byte for byte", async () => {
    const { host, calls, called } = await askingHost({ project: FORM });
    expect([called.isError, called.text]).toEqual([false, expect.stringContaining("continues")]);
    expect(host.questions).toMatchObject([{ sessionKey: "agent:main:main" }]);
    expect(JSON.stringify(host.questions)).toContain(
      "Which project? Fields: name (string), size (integer, optional), isOpen (boolean, optional)",
    );
    const code = codeOf(host.questions);
    const invalid = await host.runCommand(`/mcp answer ${code} name=x`);
    expect(JSON.stringify(invalid)).toMatch(/Not answered/);
    const wrong = await host.runCommand("/mcp answer aaaaaa name=openclaw");
    expect(JSON.stringify(wrong)).toContain("No MCP server waits for input with the code aaaaaa");
    const answered = await host.runCommand(`/mcp answer ${code} name=openclaw isOpen=yes`);
    expect(JSON.stringify(answered)).toContain("created");
    expect(calls).toHaveLength(2);
    expect(calls[1]).toMatchObject({
      requestState: STATE,
      inputResponses: {
        project: { action: "accept", content: { name: "openclaw", size: 3, isOpen: true } },
      },
    });
    const again = await host.runCommand(`/mcp answer ${code} name=openclaw`);
    expect(JSON.stringify(again)).toContain("No MCP server waits for input");
  });

  it("[EXT-912] continues each of two equal calls with its own answers", async () => {
    const { host, calls } = await askingHost({ project: FORM });
    await host.callTool("asker__create", {});
    await until(() => host.questions.length === 2);
    const codes = host.questions.map(codeOf);
    await Promise.all(
      ["first", "second"].map((name, index) =>
        host.runCommand(`/mcp answer ${codes[index]} name=${name}`),
      ),
    );
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
    const { host, calls } = await askingHost({ project: FORM });
    const command = `/mcp answer ${codeOf(host.questions)} name=openclaw`;
    const answers = await Promise.all([host.runCommand(command), host.runCommand(command)]);
    expect(calls).toHaveLength(2);
    expect(answers.map((each) => JSON.stringify(each).includes("No MCP server waits"))).toEqual(
      expect.arrayContaining([true, false]),
    );
  });

  it("[EXT-912] takes a decision as the answer to a page, and tells the session the result", async () => {
    const { host, calls } = await askingHost({ page: PAGE });
    expect(JSON.stringify(host.questions)).toContain("Page: https://example.com/connect");
    await host.approve();
    await until(() => calls.length === 2);
    expect(calls[1]).toMatchObject({ inputResponses: { page: { action: "accept" } } });
    await until(async () => /created/.test(JSON.stringify(await host.turn("and?"))));
  });

  it("[EXT-912] asks for one thing after the other, and declines those that are denied", async () => {
    const { host, calls } = await askingHost({ project: FORM, page: PAGE });
    await host.deny();
    await until(() => host.questions.length === 2);
    expect(calls).toHaveLength(1);
    await host.approve();
    await until(() => calls.length === 2);
    expect(calls[1]).toMatchObject({
      inputResponses: { project: { action: "decline" }, page: { action: "accept" } },
    });
  });

  it.each([
    ["no person can answer", { page: PAGE }, /no person can answer/, {}],
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
  ])("[EXT-912] fails when %s", async (_, requests, reason, options) => {
    const { called, host, calls } = await askingHost(requests, options);
    expect([called.isError, called.text]).toEqual([true, expect.stringMatching(reason)]);
    expect([host.questions, calls.length]).toEqual([[], 1]);
  });
});

describe("a restart", () => {
  it("[EXT-363] continues no call whose stored state was changed, and tells the person and the session", async () => {
    const stored = new Map<string, string>();
    const told: string[] = [];
    const elicitations: ServerElicitations = new ServerElicitations({
      secrets: () => ({
        // The host decrypts a row that was changed no more (HOST-014).
        get: (name) =>
          stored.has(name)
            ? Promise.reject(new Error(`the secret "${name}" cannot be decrypted`))
            : Promise.resolve(undefined),
        set: (name, value) => Promise.resolve(void stored.set(name, value)),
        delete: (name) => Promise.resolve(stored.delete(name)),
      }),
      approvals: {
        submit: () => Promise.resolve({ status: "pending", id: "approval-1", code: "1" }),
        cancel: () => Promise.reject(new Error("the request remains")),
      },
      callTool: () => () => Promise.reject(new Error("no call is to be made")),
      tell: (sessionKey, text) => Promise.resolve(void told.push(`${sessionKey}: ${text}`)),
    });
    const requester = { channel: "a", channelId: "b", senderId: "c", senderIsOwner: true };
    const sessionKey = "agent:main:main";
    const requests = { project: FORM } as object as InputRequests;
    await elicitations.calls.park(
      {
        server: "asker",
        tool: "asker__create",
        params: {},
        requests,
        round: 0,
        requestState: STATE,
      },
      { sessionKey, requester },
    );
    const [, code] = [...stored.values()];
    const answered = await elicitations.answer(sessionKey, `${code} name=openclaw`);
    expect(answered).toEqual({ text: expect.stringMatching(/^Not answered.*not made again/) });
    const decided = { id: "approval-1", sessionKey, decision: "allow-once" } as const;
    expect(await elicitations.resolved(decided)).toBe(true);
    expect(told).toEqual([expect.stringMatching(/^agent:main:main: .*cannot be decrypted/)]);
    // Nothing is told twice.
    expect(await elicitations.resolved(decided)).toBe(false);
  });

  it("[EXT-912] loses neither the request for input nor the call, and repeats the call in the new process", async () => {
    const stored = new Map<string, string>();
    const secrets = {
      get: (name: string) => Promise.resolve(stored.get(name)),
      set: (name: string, value: string) => Promise.resolve(void stored.set(name, value)),
      delete: (name: string) => Promise.resolve(stored.delete(name)),
    };
    const repeated: object[] = [];
    const told: string[] = [];
    const process = () => {
      const elicitations: ServerElicitations = new ServerElicitations({
        secrets: () => secrets,
        approvals: {
          submit: () => Promise.resolve({ status: "pending", id: "approval-1", code: "1" }),
          cancel: () => Promise.resolve(true),
        },
        callTool: () => (call) => {
          const answers = elicitations.calls.take(call.sessionKey, call.tool);
          repeated.push({ ...call, answers });
          const content = [{ type: "text" as const, text: "created" }];
          return Promise.resolve({ status: "ok", toolCallId: "call-2", content });
        },
        tell: (_, text) => Promise.resolve(void told.push(text)),
      });
      return elicitations;
    };
    const requester = { channel: "a", channelId: "b", senderId: "c", senderIsOwner: true };
    const call = { server: "asker", tool: "asker__create", params: { id: 7 } };
    const requests = { page: { ...PAGE, method: "elicitation/create" as const } };
    const turn = { sessionKey: "agent:main:main", requester };
    // The types of the library do not have a page without an ID, which servers send.
    const open = { ...call, requests: requests as object as InputRequests, round: 0 };
    await process().calls.park({ ...open, requestState: STATE }, turn);

    const next = process();
    const decided = {
      ...{ id: "approval-1", sessionKey: "agent:main:main" },
      decision: "allow-once" as const,
    };
    expect(await next.resolved({ ...decided, id: "another" })).toBe(false);
    expect(await next.resolved(decided)).toBe(true);
    expect(repeated).toEqual([
      {
        ...{ sessionKey: "agent:main:main", tool: "asker__create", params: { id: 7 }, requester },
        answers: {
          inputResponses: { page: { action: "accept" } },
          ...{ requestState: STATE, round: 1 },
        },
      },
    ]);
    expect(told).toEqual([expect.stringContaining("created")]);
    expect(await next.resolved(decided)).toBe(false);
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
    const code = codeOf(host.questions);
    await host.runCommand(`/mcp answer ${code} blue`);
    expect((await called).text).toBe('{"action":"accept","content":{"colour":"blue"}}');
  });

  it("[EXT-913] is declined and cancelled as the person or the host answers", async () => {
    const denied = await asking({ answer: "deny" });
    expect((await denied.called).text).toBe('{"action":"decline"}');
    const unattended = await asking({});
    expect((await unattended.called).text).toBe('{"action":"cancel"}');
  });
});
