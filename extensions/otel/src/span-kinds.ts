import { type Attributes, SpanKind } from "@opentelemetry/api";
import { ATTRIBUTE } from "./attributes.js";

/** Message of a tracing channel of the host: ids, and the outcome at the end. */
export type ChannelMessage = Readonly<Record<string, unknown>>;

/** Rules by which the messages of one tracing channel become spans. */
export interface SpanDefinition {
  /** Name of the tracing channel, for example `openclaw:turn`. */
  readonly channel: string;
  readonly kind: SpanKind;
  /** Returns the name of a span. */
  name(message: ChannelMessage): string;
  /** Fields of the message that become attributes. */
  readonly fields: Readonly<Record<string, string>>;
  /** Attributes that every span has. */
  readonly constant?: Attributes;
}

const run = { runId: ATTRIBUTE.runId, sessionKey: ATTRIBUTE.conversationId };
const outcome = { outcome: ATTRIBUTE.outcome };

/** Spans of the host, by tracing channel. */
export const SPAN_DEFINITIONS: readonly SpanDefinition[] = [
  {
    channel: "openclaw:channel",
    kind: SpanKind.INTERNAL,
    name: ({ direction, channel }) => `${text(direction)} ${text(channel)}`,
    fields: {
      direction: ATTRIBUTE.direction,
      channel: ATTRIBUTE.channel,
      messageId: ATTRIBUTE.messageId,
      ...outcome,
    },
  },
  {
    channel: "openclaw:turn",
    kind: SpanKind.INTERNAL,
    name: ({ agentId }) => `invoke_agent ${text(agentId)}`,
    fields: { ...run, agentId: ATTRIBUTE.agentId, trigger: ATTRIBUTE.trigger, ...outcome },
    constant: { [ATTRIBUTE.operation]: "invoke_agent" },
  },
  {
    channel: "openclaw:llm",
    kind: SpanKind.CLIENT,
    name: ({ model }) => `chat ${text(model)}`,
    fields: {
      ...run,
      provider: ATTRIBUTE.provider,
      model: ATTRIBUTE.requestModel,
      purpose: ATTRIBUTE.purpose,
      stopReason: ATTRIBUTE.finishReasons,
      inputTokens: ATTRIBUTE.inputTokens,
      outputTokens: ATTRIBUTE.outputTokens,
    },
    constant: { [ATTRIBUTE.operation]: "chat" },
  },
  {
    channel: "openclaw:tool",
    kind: SpanKind.INTERNAL,
    name: ({ toolName }) => `execute_tool ${text(toolName)}`,
    fields: {
      ...run,
      toolName: ATTRIBUTE.toolName,
      toolCallId: ATTRIBUTE.toolCallId,
      pluginId: ATTRIBUTE.pluginId,
      ...outcome,
    },
    constant: { [ATTRIBUTE.operation]: "execute_tool" },
  },
  {
    channel: "openclaw:approval",
    kind: SpanKind.INTERNAL,
    name: () => "approval",
    fields: { ...run, approvalId: ATTRIBUTE.approvalId, ...outcome },
  },
];

/** Spans of hooks, which an operator can leave out. */
export const HOOK_SPANS: SpanDefinition = {
  channel: "openclaw:hook",
  kind: SpanKind.INTERNAL,
  name: ({ hook }) => `hook ${text(hook)}`,
  fields: { hook: ATTRIBUTE.hook, owners: ATTRIBUTE.hookOwners, ...outcome },
};

/**
 * Returns the attributes of a message.
 * @param definition - fields that become attributes
 * @param message - message of the channel
 */
export function attributesOf(
  { fields, constant = {} }: SpanDefinition,
  message: ChannelMessage,
): Attributes {
  const attributes: Attributes = { ...constant };
  for (const [field, name] of Object.entries(fields)) {
    const value = message[field];
    if (name === ATTRIBUTE.finishReasons && typeof value === "string") attributes[name] = [value];
    else if (isAttribute(value)) attributes[name] = value;
  }
  return attributes;
}

function isAttribute(value: unknown): value is string | number | string[] {
  return (
    typeof value === "string" ||
    typeof value === "number" ||
    (Array.isArray(value) && value.every((each) => typeof each === "string"))
  );
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "unknown";
}
