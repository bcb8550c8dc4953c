import type { AgentMessage } from "@openclaw/plugin-sdk/tools";

type MessageRole = AgentMessage["role"];
type Fields = Readonly<Record<string, unknown>>;

/** Fields that engines of older plugins leave out, by role. */
const DEFAULTS: Readonly<Record<MessageRole, Fields>> = {
  user: {},
  assistant: { provider: "unknown", model: "unknown", stopReason: "stop" },
  toolResult: { toolName: "unknown", isError: false },
};

/** Type of each field that a message of a role has. */
const FIELDS: Readonly<Record<MessageRole, Readonly<Record<string, "string" | "boolean">>>> = {
  user: {},
  assistant: { provider: "string", model: "string", stopReason: "string" },
  toolResult: { toolCallId: "string", toolName: "string", isError: "boolean" },
};

/** Parts of a message by role, with the fields that are strings. */
const PARTS: Readonly<Record<MessageRole, Readonly<Record<string, readonly string[]>>>> = {
  user: { text: ["text"], image: ["data", "mimeType"], file: ["data", "mimeType"] },
  assistant: { text: ["text"], thinking: ["text"], toolCall: ["toolCallId", "toolName"] },
  toolResult: { text: ["text"], image: ["data", "mimeType"] },
};

/** Names that older plugins give to the fields of parts. */
const OLDER_NAMES: Readonly<Record<string, string>> = {
  thinking: "text",
  id: "toolCallId",
  name: "toolName",
  arguments: "params",
  input: "params",
};

/**
 * Reads a message that a context engine returned. Engines of older plugins write content as a string, and give other
 * names to the fields of tool calls and reasoning (PLUG-117).
 * @param value - as the engine returned it
 * @returns undefined when it is not a message
 */
export function readEngineMessage(value: unknown): AgentMessage | undefined {
  if (!isRecord(value) || !isRole(value.role)) return undefined;
  const { role, content } = value;
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(parts)) return undefined;
  const message = {
    timestamp: 0,
    ...DEFAULTS[role],
    ...value,
    content: parts.map((part) => renamed(part)),
  };
  return isMessage(message) ? message : undefined;
}

/** The fields of a part under their present names. */
function renamed(part: unknown): unknown {
  if (!isRecord(part) || (part.type !== "toolCall" && part.type !== "thinking")) return part;
  const fields = Object.entries(part).map(([name, value]) => {
    const present = Object.hasOwn(OLDER_NAMES, name) ? (OLDER_NAMES[name] ?? name) : name;
    return [Object.hasOwn(part, present) ? name : present, value] as const;
  });
  return { ...(part.type === "toolCall" ? { params: {} } : {}), ...Object.fromEntries(fields) };
}

function isMessage(value: unknown): value is AgentMessage {
  if (!isRecord(value) || !isRole(value.role) || typeof value.timestamp !== "number") return false;
  const { role, content } = value;
  const hasFields = Object.entries(FIELDS[role]).every(
    ([name, type]) => typeof value[name] === type,
  );
  return hasFields && Array.isArray(content) && content.every((part) => isPart(part, role));
}

function isPart(part: unknown, role: MessageRole): boolean {
  if (!isRecord(part) || typeof part.type !== "string") return false;
  const known = PARTS[role];
  const fields = Object.hasOwn(known, part.type) ? known[part.type] : undefined;
  return fields?.every((field) => typeof part[field] === "string") === true;
}

function isRole(role: unknown): role is MessageRole {
  return role === "user" || role === "assistant" || role === "toolResult";
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
