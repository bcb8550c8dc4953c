import {
  checkConfiguration,
  formatProblem,
  parseConfigurationDocument,
} from "@openclaw/configuration";
import { createMessageRouter } from "@openclaw/messaging";
import { describe, expect, it } from "vitest";
import { createTestHost, message } from "../../support/host.js";

const DEFAULTS = { model: "scripted/script", workspaceDir: (agentId: string) => `/at/${agentId}` };
const FROM_BOB = {
  channel: "telegram",
  conversationId: "chat-9",
  senderId: "Bob",
  senderIsOwner: false,
  text: "hello",
};

function problemsOf(text: string): string[] {
  const document = parseConfigurationDocument(text, "openclaw.json");
  return checkConfiguration(document).errors.map(formatProblem);
}

describe("createMessageRouter", () => {
  it("[TURN-008] returns agent, session, model, policy input, workspace and reply target", () => {
    const { route } = createMessageRouter({}, DEFAULTS);
    expect(route({ ...FROM_BOB, accountId: "work", threadId: "7", userName: "Bobby" })).toEqual({
      agentId: "main",
      sessionKey: "agent:main:telegram:direct:Bob",
      modelRef: "scripted/script",
      toolPolicyInput: {
        agentId: "main",
        channel: "telegram",
        accountId: "work",
        senderId: "Bob",
        senderName: "Bobby",
        senderIsOwner: false,
        sandboxed: false,
        subagentDepth: 0,
      },
      workspaceDir: "/at/main",
      sandboxed: false,
      deliveryContext: { channel: "telegram", to: "chat-9", accountId: "work", threadId: "7" },
    });
  });

  it("[GW-480] gives the key main the main session of the default agent, whatever the bindings are", () => {
    const configuration = {
      agents: { home: { default: true }, work: {} },
      bindings: [{ agentId: "work", match: { channel: "telegram" } }],
    };
    const router = createMessageRouter(configuration, DEFAULTS);
    expect(router.route({ ...FROM_BOB, sessionKey: "main" })).toMatchObject({
      agentId: "home",
      sessionKey: "agent:home:main",
    });
    expect(router.route({ ...FROM_BOB, sessionKey: "main", agentId: "work" })).toMatchObject({
      agentId: "work",
      sessionKey: "agent:work:main",
    });
  });

  it("[TURN-008] selects the agent of the first matching binding, else the default, else main", () => {
    const agents = { home: { default: true, model: "scripted/home" }, work: {}, club: {} };
    const { route, agentIds, defaultAgent } = createMessageRouter(
      {
        agents: agents as object,
        bindings: [
          { agentId: "club", match: { channel: "telegram", group: "chess" } },
          { agentId: "work", match: { channel: "telegram", accountId: "work" } },
          { agentId: "main", match: { peer: "bob" } },
          { agentId: "club", match: { channel: "telegram" } },
        ],
      },
      DEFAULTS,
    );
    expect(agentIds).toEqual(["main", "home", "work", "club"]);
    expect(defaultAgent).toBe("home");
    const agentOf = (rest: object) => route({ ...FROM_BOB, ...rest }).agentId;
    expect(agentOf({ room: { kind: "group", id: "Chess" }, accountId: "work" })).toBe("club");
    expect(agentOf({ accountId: "work" })).toBe("work");
    expect(agentOf({})).toBe("main");
    expect(agentOf({ senderId: "eve" })).toBe("club");
    expect(agentOf({ senderId: "eve", channel: "signal" })).toBe("home");
    expect(route({ ...FROM_BOB, senderId: "eve", channel: "signal" }).modelRef).toBe(
      "scripted/home",
    );
    const { route: plain } = createMessageRouter({ agents: { work: {} } as object }, DEFAULTS);
    expect(plain(FROM_BOB).agentId).toBe("main");
  });

  it("[TURN-008] rejects a configuration with two defaults or an unknown agent", () => {
    const problems = problemsOf(`{
      agents: { home: { default: true }, work: { default: true } },
      bindings: [{ agentId: "home", match: {} }, { agentId: "wrok", match: {} }],
    }`);
    expect(problems).toEqual([
      'openclaw.json:2:50 agents.work.default: "home" is already marked as the default agent; mark only one agent',
      'openclaw.json:3:52 bindings[1].agentId: agent "wrok" not found; add agents.wrok, or use one of: main, home, work',
    ]);
  });

  it("routes a message without a session key to the session of its route", async () => {
    const host = await createTestHost({
      configuration: {
        session: { dmScope: "main" },
        agents: { home: { default: true } } as object,
      },
    });
    const outcome = await host.flow.receive(FROM_BOB, {});
    const row = await host.store.messages.inbox.get(outcome.messageId);
    expect(row?.sessionKey).toBe("agent:home:main");
  });

  it("keeps the session of a message that names one, and uses its agent", () => {
    const { route } = createMessageRouter({}, DEFAULTS);
    const { sessionKey } = message("hello");
    expect(route({ ...FROM_BOB, sessionKey: sessionKey ?? "" })).toMatchObject({
      agentId: "main",
      sessionKey,
    });
    const other = { ...FROM_BOB, sessionKey: "agent:work:main" };
    expect(route(other)).toMatchObject({ agentId: "work", sessionKey: "agent:work:main" });
    expect(route({ ...FROM_BOB, sessionKey: "signal:user:Eve" }).sessionKey).toBe(
      "agent:main:signal:direct:Eve",
    );
  });
});
