import { HOOK_CATALOG } from "@openclaw/plugin-runtime";
import type { CataloguedHookName, HookMap } from "@openclaw/plugin-sdk/hooks";

/** The names and ids shared by sample events and contexts. */
export const SAMPLE = Object.freeze({
  agentId: "main",
  sessionKey: "agent:main:main",
  sessionId: "session-1",
  runId: "run-1",
  messageId: "message-1",
  channel: "terminal",
  conversationId: "terminal",
  senderId: "operator",
  provider: "scripted",
  model: "model",
  toolName: "read",
  toolCallId: "call-1",
});

const { agentId, sessionKey, sessionId, runId, messageId, senderId } = SAMPLE;

const session = { callDepth: 0, agentId, sessionKey, sessionId };
const sender = {
  messageProvider: SAMPLE.channel,
  channelId: SAMPLE.conversationId,
  messageId,
  senderId,
  senderIsOwner: true,
};
const agent = { ...session, ...sender, runId, trigger: "user" };

/** A context of every kind, as the host would pass it for the operator's own conversation. */
const CONTEXTS = {
  none: { callDepth: 0, targetType: "plugin", requestKind: "plugin-dir" },
  host: { callDepth: 0 },
  session,
  message: { ...session, ...sender, runId, conversationId: SAMPLE.conversationId },
  agent,
  tool: {
    ...agent,
    channel: SAMPLE.channel,
    toolName: SAMPLE.toolName,
    toolCallId: SAMPLE.toolCallId,
  },
} as const;

/**
 * A context of a hook: the operator's own conversation, in the first turn of its session.
 * @param hook - a catalogued hook
 * @param overrides - fields that differ from the sample
 */
export function sampleContext<Name extends CataloguedHookName>(
  hook: Name,
  overrides: Partial<HookMap[Name]["context"]> = {},
): HookMap[Name]["context"] {
  // The catalog ties a hook to its group of contexts; a test compares the samples with the groups' fields.
  const context: object = CONTEXTS[HOOK_CATALOG[hook].contextGroup];
  return { ...context, ...overrides } as HookMap[Name]["context"];
}
