import { describe, expect, it } from "vitest";
import { finalizeInboundContext, incomingOf } from "../../src/channels/inbound-context.js";
import { buildInboundContext } from "../../src/channels/runtime/inbound-facts.js";

const OPTIONS = {
  channel: { id: "lines" },
  accountId: "work",
  decidesMentions: false,
  attachments: [],
};

describe("messages of older channel plugins", () => {
  it("[PLUG-150] get their missing fields from others", () => {
    expect(finalizeInboundContext({ Body: "hi", ChatType: "dm" })).toEqual({
      ...{
        Body: "hi",
        RawBody: "hi",
        CommandBody: "hi",
        BodyForCommands: "hi",
        BodyForAgent: "hi",
      },
      ...{ ChatType: "direct", CommandAuthorized: false },
    });
  });

  it("[PLUG-150] name sender, conversation and room in the form of every channel", () => {
    const context = {
      Body: "[Lines #ops] hi",
      CommandBody: "hi",
      SenderId: "lines:Ann",
      SenderName: "Ann",
      ChatType: "group",
      To: "lines:group:ops",
      MessageSid: "m1",
      MessageThreadId: 7,
      WasMentioned: false,
      ReplyToBody: "earlier",
      ReplyToSender: "Bob",
    };
    expect(incomingOf(context, OPTIONS)).toMatchObject({
      ...{ channel: "lines", accountId: "work", userId: "Ann", userName: "Ann" },
      content: "[Lines #ops] hi\n\n[In reply to Bob: earlier]",
      ...{ conversationId: "lines:group:ops", room: { kind: "group", id: "ops" } },
      ...{ threadId: "7", externalId: "m1", isMention: true },
    });
    const decided = incomingOf(context, { ...OPTIONS, decidesMentions: true });
    expect(decided.isMention).toBe(false);
    expect(incomingOf({ ...context, CommandBody: "/status" }, OPTIONS).content).toBe("/status");
  });

  it("[PLUG-150] are built from the facts of newer plugins", () => {
    const context = buildInboundContext({
      channel: "lines",
      from: "lines:7",
      messageId: "m1",
      sender: { id: "7", name: "Ann" },
      conversation: { kind: "direct", id: "7" },
      route: { agentId: "main", routeSessionKey: "s" },
      reply: { to: "lines:7" },
      message: { rawBody: "hi", bodyForAgent: "hi there" },
      media: [{ path: "/tmp/a.png", contentType: "image/png" }],
      extra: { CommandAuthorized: true },
    });
    expect(context).toMatchObject({
      ...{ SenderId: "7", To: "lines:7", SessionKey: "s", MessageSid: "m1" },
      ...{ BodyForAgent: "hi there", RawBody: "hi", ChatType: "direct", CommandAuthorized: true },
      ...{ MediaPaths: ["/tmp/a.png"], MediaTypes: ["image/png"], OriginatingChannel: "lines" },
    });
  });
});
