import type { ToolFactoryContext } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { plugin, tool, turnHost } from "../support/turn-host.js";

const origin = {
  channel: "telegram",
  channelId: "telegram:42",
  messageId: "message-1",
  senderId: "42",
  senderIsOwner: false,
};

describe("context of a tool factory", () => {
  async function contextFor(accountId?: string) {
    const contexts: ToolFactoryContext[] = [];
    const host = await turnHost({
      plugins: [
        plugin("factory", (api) =>
          api.registerTool((context) => {
            contexts.push(context);
            return null;
          }),
        ),
      ],
    });
    await host.run({ origin: accountId === undefined ? origin : { ...origin, accountId } });
    return { context: contexts[0], sessionId: host.sessionId };
  }

  it("contains session, sender and model of the turn", async () => {
    const { context, sessionId } = await contextFor();
    expect(context).toEqual({
      sessionKey: "agent:main:main",
      sessionId,
      agentId: "main",
      workspaceDir: "/workspace",
      messageChannel: "telegram",
      requesterSenderId: "42",
      senderIsOwner: false,
      sandboxed: false,
      activeModel: "scripted/script",
      deliveryContext: { channel: "telegram", to: "telegram:42" },
      config: {},
      recall: expect.any(Function),
      callTool: expect.any(Function),
      requester: {
        channel: "telegram",
        channelId: "telegram:42",
        senderId: "42",
        senderIsOwner: false,
      },
    });
  });

  it("contains the account if there is one", async () => {
    const { context } = await contextFor("work");
    expect(context).toMatchObject({ agentAccountId: "work" });
  });
});

describe("policy context of a turn's tools", () => {
  it.each([
    { channel: "telegram" },
    { agentId: "main" },
    { provider: "scripted" },
    { provider: "scripted", model: "script" },
  ])("contains %j", async (when) => {
    const host = await turnHost({
      layers: [{ layer: "global", when, deny: ["exec"] }],
      coreTools: [tool("exec"), tool("read")],
    });
    await host.run({ origin });
    expect(host.requests[0]?.tools?.map(({ name }) => name)).toEqual(["read"]);
  });
});
