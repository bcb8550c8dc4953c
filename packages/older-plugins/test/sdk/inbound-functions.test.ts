import type {
  OlderAgentRoute,
  OlderInboundContext,
  OlderReplyOptions,
} from "@openclaw/plugin-sdk/channel-core";
import { describe, expect, it } from "vitest";
import {
  resolveSenderCommandAuthorization,
  resolveSenderCommandAuthorizationWithRuntime,
} from "../../src/sdk/access/command-auth.js";
import {
  createChannelInboundDebouncer,
  dispatchInboundDirectDmWithRuntime,
  resolveInboundMentionDecision,
  resolveInboundSessionEnvelopeContext,
  shouldDebounceTextInbound,
} from "../../src/sdk/delivery/channel-inbound.js";
import { createChannelReplyPipeline } from "../../src/sdk/delivery/channel-reply-pipeline.js";
import { resolveSendableOutboundReplyParts } from "../../src/sdk/delivery/reply-payload.js";
import { isAbortRequestText, isBtwRequestText } from "../../src/sdk/delivery/reply-runtime.js";
import { extractToolSend } from "../../src/sdk/delivery/tool-send.js";
import { runPluginCommandWithTimeout } from "../../src/sdk/run-command.js";
import { patchTopLevelChannelConfigSection } from "../../src/sdk/setup/setup.js";

const GROUP = {
  isGroup: true,
  requireMention: true,
  allowTextCommands: true,
  hasControlCommand: false,
  commandAuthorized: false,
};
const SILENT = { canDetectMention: true, wasMentioned: false };

describe("functions of the inbound path of older channel plugins", () => {
  it("[PLUG-521] decide whether a sender may use commands, by the list of the place or of direct messages", async () => {
    const request = {
      cfg: {},
      rawBody: "/status",
      isGroup: true,
      dmPolicy: "pairing",
      configuredAllowFrom: ["ann"],
      configuredGroupAllowFrom: ["bob"],
      isSenderAllowed: (senderId: string, list: string[]) => list.includes(senderId),
      readAllowFromStore: async () => ["eve"],
    };
    const decide = (senderId: string, changes: object = {}) =>
      resolveSenderCommandAuthorization({ ...request, senderId, ...changes });
    expect(await decide("bob")).toMatchObject({
      senderAllowedForCommands: true,
      commandAuthorized: true,
    });
    expect(await decide("ann")).toMatchObject({
      senderAllowedForCommands: false,
      commandAuthorized: true,
    });
    expect(await decide("eve")).toMatchObject({ commandAuthorized: false });
    expect(await decide("eve", { isGroup: false })).toMatchObject({
      effectiveAllowFrom: ["ann", "eve"],
      senderAllowedForCommands: true,
      commandAuthorized: true,
    });
    expect(await decide("bob", { rawBody: "hi" })).toMatchObject({
      shouldComputeAuth: false,
      commandAuthorized: undefined,
    });
    const runtime = { shouldComputeCommandAuthorized: () => true };
    expect(
      await resolveSenderCommandAuthorizationWithRuntime({
        ...{ ...request, rawBody: "hi", senderId: "bob", runtime },
      }),
    ).toMatchObject({ shouldComputeAuth: true, commandAuthorized: true });
  });

  it("[PLUG-521] decide whether a message of a group is meant for the bot", () => {
    const decide = (facts: object, policy: object = {}) =>
      resolveInboundMentionDecision({ ...SILENT, ...facts, ...GROUP, ...policy });
    expect(decide({})).toMatchObject({ effectiveWasMentioned: false, shouldSkip: true });
    expect(decide({ wasMentioned: true }).shouldSkip).toBe(false);
    expect(decide({ canDetectMention: false }).shouldSkip).toBe(false);
    const reply = { implicitMentionKinds: ["reply_to_bot", "reply_to_bot", "native"] } as const;
    expect(decide(reply)).toMatchObject({
      implicitMention: true,
      matchedImplicitMentionKinds: ["reply_to_bot", "native"],
      shouldSkip: false,
    });
    expect(decide(reply, { allowedImplicitMentionKinds: ["quoted_bot"] }).shouldSkip).toBe(true);
    const command = { hasControlCommand: true, commandAuthorized: true };
    expect(decide({}, command)).toMatchObject({ shouldBypassMention: true, shouldSkip: false });
    expect(decide({ hasAnyMention: true }, command).shouldSkip).toBe(true);
    expect(
      resolveInboundMentionDecision({ facts: SILENT, policy: { ...GROUP, requireMention: false } }),
    ).toMatchObject({ shouldSkip: false });
  });

  it("[PLUG-521] merge messages within the time in the configuration, and neither commands nor files", async () => {
    const cfg = { messages: { inbound: { byChannel: { lines: 0 }, debounceMs: 900 } } };
    const flushed: string[][] = [];
    const options = {
      cfg,
      buildKey: () => "ann",
      onFlush: (items: string[]) => void flushed.push(items),
    };
    expect(createChannelInboundDebouncer({ ...options, channel: "other" }).debounceMs).toBe(900);
    const { debounceMs, debouncer } = createChannelInboundDebouncer({
      ...options,
      channel: "lines",
    });
    expect(debounceMs).toBe(0);
    await debouncer.enqueue("hi");
    expect(flushed).toEqual([["hi"]]);
    expect(shouldDebounceTextInbound({ text: "hi", cfg })).toBe(true);
    expect(shouldDebounceTextInbound({ text: "/stop", cfg })).toBe(false);
    expect(shouldDebounceTextInbound({ text: "hi", cfg, hasMedia: true })).toBe(false);
    expect(shouldDebounceTextInbound({ text: " ", cfg })).toBe(false);
    expect(resolveInboundSessionEnvelopeContext({ cfg, agentId: "main", sessionKey: "x" })).toEqual(
      {
        storePath: expect.stringMatching(/agents.main.sessions$/),
        envelopeOptions: {},
        previousTimestamp: undefined,
      },
    );
  });

  it("[PLUG-521] hand a direct message over, and its replies to the plugin", async () => {
    const dispatched: { ctx: OlderInboundContext; dispatcherOptions: OlderReplyOptions }[] = [];
    const route: OlderAgentRoute = {
      ...{ agentId: "main", channel: "lines", accountId: "default", sessionKey: "agent:main:ann" },
      ...{ mainSessionKey: "agent:main:main", lastRoutePolicy: "session", matchedBy: "default" },
    };
    const delivered: unknown[] = [];
    const channel = {
      routing: { resolveAgentRoute: () => route },
      session: { resolveStorePath: () => "/sessions" },
      reply: {
        finalizeInboundContext: <Context extends OlderInboundContext>(context: Context) => context,
        async dispatchReplyWithBufferedBlockDispatcher(request: (typeof dispatched)[number]) {
          dispatched.push(request);
          await request.dispatcherOptions.deliver({ text: "hello" }, { kind: "final" });
          return { queuedFinal: true, counts: { tool: 0, block: 0, final: 1 } };
        },
      },
    };
    const result = await dispatchInboundDirectDmWithRuntime({
      ...{ cfg: {}, runtime: { channel }, channel: "lines", channelLabel: "Lines" },
      ...{ accountId: "default", peer: { kind: "direct", id: "ann" }, senderId: "ann" },
      ...{ senderAddress: "lines:ann", recipientAddress: "lines:bot", conversationLabel: "Ann" },
      ...{ rawBody: "hi", messageId: "7", extraContext: { Topic: "x" } },
      deliver: async (reply) => void delivered.push(reply),
      onDispatchError: () => expect.unreachable(),
    });
    expect(result).toMatchObject({ route, storePath: "/sessions" });
    expect(delivered).toEqual([{ text: "hello" }]);
    expect(dispatched[0]?.ctx).toMatchObject({
      ...{ Body: "hi", CommandBody: "hi", From: "lines:ann", To: "lines:bot", SenderId: "ann" },
      ...{ OriginatingChannel: "lines", OriginatingTo: "lines:ann", MessageSid: "7" },
      ...{ ChatType: "direct", CommandAuthorized: false, Topic: "x" },
    });
  });

  it("[PLUG-521] read replies, commands and targets of tools, and change settings", () => {
    const reply = { text: " hi ", mediaUrl: "a.png", mediaUrls: ["a.png", " "] };
    expect(resolveSendableOutboundReplyParts(reply)).toEqual({
      ...{ text: " hi ", trimmedText: "hi", mediaUrls: ["a.png"], mediaCount: 1 },
      ...{ hasText: true, hasMedia: true, hasContent: true },
    });
    expect(resolveSendableOutboundReplyParts({}, { text: " " }).hasContent).toBe(false);
    expect(["/stop", "/interrupt@bot", "stop it", undefined].map(isAbortRequestText)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(["/btw what?", "/btwx", "btw"].map(isBtwRequestText)).toEqual([true, false, false]);
    const args = { action: "sendMessage", to: " ann ", threadId: 4, accountId: "" };
    expect(extractToolSend(args)).toEqual({ to: "ann", threadId: "4" });
    expect(extractToolSend({ ...args, threadId: null })).toEqual({
      to: "ann",
      threadSuppressed: true,
    });
    expect(extractToolSend(args, "send")).toBeNull();
    expect(extractToolSend({ action: "sendMessage" })).toBeNull();
    const cfg = { agents: {}, channels: { other: {}, lines: { port: 1, host: "x" } } };
    const change = {
      cfg,
      channel: "lines",
      enabled: true,
      clearFields: ["host"],
      patch: { port: 2 },
    };
    expect(patchTopLevelChannelConfigSection(change)).toEqual({
      agents: {},
      channels: { other: {}, lines: { port: 2, enabled: true } },
    });
    const pipeline = createChannelReplyPipeline({
      ...{ cfg: { messages: { responsePrefix: "[bot]" } }, agentId: "main", channel: "lines" },
      typing: { start: async () => {}, onStartError: () => {} },
    });
    expect(pipeline).toMatchObject({
      responsePrefix: "[bot]",
      typingCallbacks: { onReplyStart: expect.any(Function) },
    });
  });

  it("[PLUG-521] run a program, and report one that fails or does not start", async () => {
    const run = (...args: string[]) =>
      runPluginCommandWithTimeout({ argv: [process.execPath, "-e", ...args], timeoutMs: 60_000 });
    expect(await run("process.stdout.write('out')")).toEqual({
      code: 0,
      stdout: "out",
      stderr: "",
    });
    expect(await run("process.stderr.write('bad'); process.exit(3)")).toMatchObject({
      code: 3,
      stderr: "bad",
    });
    expect(
      await runPluginCommandWithTimeout({ argv: ["/absent/program"], timeoutMs: 60_000 }),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining("ENOENT") });
    const endless = { argv: [process.execPath, "-e", "setInterval(() => {}, 1000)"], timeoutMs: 1 };
    expect(await runPluginCommandWithTimeout(endless)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("did not end within 1 ms"),
    });
  });
});
