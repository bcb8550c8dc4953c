import { createFakeChannel } from "@openclaw/plugin-testkit";
import { expect } from "vitest";
import { type HookScenario, inHost } from "./scenario.js";

const channel = "telegram";
const [conversationId, senderId] = ["room", "ada"];
const trace = {
  trace: { traceId: expect.stringMatching(/^[0-9a-f]{32}$/), spanId: expect.any(String) },
  traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
};
const sender = {
  ...trace,
  callDepth: 0,
  messageProvider: channel,
  channelId: conversationId,
  conversationId,
  messageId: expect.any(String),
  senderId,
  senderIsOwner: false,
};
const routed = {
  ...sender,
  agentId: "main",
  sessionKey: "agent:main:telegram:direct:ada",
  sessionId: expect.any(String),
  runId: expect.any(String),
};
const exchange = inHost({ model: [{ text: "Hello, Ada." }] }, (host) =>
  host.receive({ text: "hello", channel, conversationId, senderId }),
);

const voice = createFakeChannel({ name: "voice" });
const voiceMessage = inHost(
  {
    neighbours: [voice.asPlugin()],
    config: { channels: { voice: { dmPolicy: "open" } } },
    model: [{ text: "I cannot listen to it." }],
  },
  async () => {
    const recording = { name: "memo.ogg", mimeType: "audio/ogg", bytes: 2048 };
    await voice.say("", { userId: senderId, attachments: [recording] });
    await voice.delivery(1);
  },
);

/** The hooks on a message's way in, and on its reply's way out. */
export const messageScenarios = {
  transcribe_audio: {
    play: voiceMessage,
    event: {
      audio: { mimeType: "audio/ogg", bytes: 2048, read: expect.any(Function) },
      channel: "voice",
      attachmentIndex: 0,
    },
    context: { ...trace, messageProvider: "voice", senderId, messageId: expect.any(String) },
  },
  message_receiving: {
    play: exchange,
    event: {
      content: "hello",
      from: senderId,
      channel,
      senderId,
      messageId: expect.any(String),
      timestamp: expect.any(Number),
      isGroup: false,
    },
    context: sender,
  },
  message_received: {
    play: exchange,
    event: {
      from: senderId,
      content: "hello",
      senderId,
      messageId: expect.any(String),
      timestamp: expect.any(Number),
    },
    context: sender,
  },
  inbound_claim: {
    play: exchange,
    event: { content: "hello", channel, senderId, messageId: expect.any(String), isGroup: false },
    context: sender,
  },
  request_post: {
    play: exchange,
    event: {
      outcome: "queued",
      messageId: expect.any(String),
      sessionKey: routed.sessionKey,
      sessionId: expect.any(String),
      runId: expect.any(String),
      durationMs: expect.any(Number),
    },
    context: sender,
  },
  message_sending: {
    play: exchange,
    event: { to: conversationId, content: "Hello, Ada.", channel },
    context: routed,
  },
  message_sent: {
    play: exchange,
    event: { to: conversationId, content: "Hello, Ada.", channel, success: true, attempts: 1 },
    context: routed,
  },
  reply_dispatch: {
    play: exchange,
    event: {
      ctx: {
        channel,
        from: senderId,
        senderId,
        isGroup: false,
        body: "hello",
        messageId: expect.any(String),
      },
      payloads: [{ text: "Hello, Ada." }],
      sendPolicy: "allow",
      shouldRouteToOriginating: true,
      originatingChannel: channel,
      originatingTo: conversationId,
      inboundAudio: false,
    },
    context: {
      ...routed,
      dispatcher: {
        sendFinal: expect.any(Function),
        sendBlock: expect.any(Function),
        sendTool: expect.any(Function),
      },
      abortSignal: expect.any(AbortSignal),
    },
  },
  before_dispatch: {
    play: exchange,
    event: {
      content: "Hello, Ada.",
      kind: "final",
      body: "hello",
      channel,
      to: conversationId,
      sessionKey: routed.sessionKey,
      senderId,
      isGroup: false,
      payload: { text: "Hello, Ada." },
      timestamp: expect.any(Number),
    },
    context: routed,
  },
  response_error: {
    play: inHost(
      {
        model: [{ text: "Hello, Ada." }],
        surface: { send: () => Promise.reject(new Error("the line is dead")) },
      },
      (host) => host.receive({ text: "hello", channel, conversationId, senderId }),
    ),
    event: {
      to: conversationId,
      channel,
      content: "Hello, Ada.",
      error: { code: "SEND_FAILED", message: "the line is dead" },
      attempts: 1,
    },
    context: routed,
  },
} satisfies Record<string, HookScenario>;
