import { defined, nearestNames, withSuggestion } from "@openclaw/foundation";
import { jsonResult } from "@openclaw/plugin-sdk/tool-results";
import {
  type AgentMessage,
  defineTool,
  messageText,
  type ToolSessionContext,
} from "@openclaw/plugin-sdk/tools";
import type { Session, Store, TranscriptEntry } from "@openclaw/store";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MINUTE_MS = 60_000;
/** Maximum length of one message; longer ones are truncated so that all the newest messages fit. */
const MAX_MESSAGE_CHARACTERS = 2000;
const MAX_HISTORY_CHARACTERS = 60_000;

type SessionStore = Pick<Store, "sessions" | "messages">;

const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: "Most entries. Default 50." }),
);
const listParameters = Type.Object(
  {
    limit,
    activeMinutes: Type.Optional(
      Type.Integer({ minimum: 1, description: "Only sessions used in the last so many minutes." }),
    ),
  },
  { additionalProperties: false },
);
const historyParameters = Type.Object(
  {
    sessionKey: Type.String({ minLength: 1, description: "Key from sessions_list." }),
    limit,
    includeTools: Type.Optional(
      Type.Boolean({ description: "Show tool calls and their results too. Default false." }),
    ),
  },
  { additionalProperties: false },
);
const statusParameters = Type.Object(
  {
    sessionKey: Type.Optional(
      Type.String({ minLength: 1, description: "Key from sessions_list. Default: this session." }),
    ),
  },
  { additionalProperties: false },
);

/**
 * The tools `sessions_list`, `sessions_history` and `session_status`, which look into the sessions of the
 * agent that has them and into no other's (TURN-064).
 * @param store - where sessions are
 * @param now - the clock, in milliseconds since 1970
 */
export function createSessionTools(store: SessionStore, now: () => number = Date.now) {
  return (session: Pick<ToolSessionContext, "agentId" | "sessionKey">) => [
    createListTool(store, session.agentId, now),
    createHistoryTool(store, session.agentId),
    createStatusTool(store, session, now),
  ];
}

function createListTool({ sessions }: SessionStore, agentId: string, now: () => number) {
  return defineTool({
    name: "sessions_list",
    label: "List sessions",
    description: "List this agent's conversations, most recently used first.",
    parameters: listParameters,
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { limit = DEFAULT_LIMIT, activeMinutes }) =>
      answer("list the sessions", async () => {
        const since = activeMinutes === undefined ? 0 : now() - activeMinutes * MINUTE_MS;
        const found = await sessions.list({ agentId, limit });
        return jsonResult(found.filter(({ updatedAt }) => updatedAt >= since).map(overviewOf));
      }),
  });
}

function createHistoryTool(store: SessionStore, agentId: string) {
  return defineTool({
    name: "sessions_history",
    label: "Session history",
    description:
      "Read the newest messages of one of this agent's conversations, oldest of them first. Long messages are cut.",
    parameters: historyParameters,
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { sessionKey, limit = DEFAULT_LIMIT, includeTools = false }) =>
      answer("read the history", async () => {
        const { sessionId } = await ownSession(store, agentId, sessionKey);
        const entries = await newestEntries(store, sessionId, limit, includeTools);
        const messages = entries.map((entry) => lineOf(entry, includeTools));
        return jsonResult({ sessionKey, messages: newestWithin(messages) });
      }),
  });
}

function createStatusTool(
  store: SessionStore,
  session: Pick<ToolSessionContext, "agentId" | "sessionKey">,
  now: () => number,
) {
  return defineTool({
    name: "session_status",
    label: "Session status",
    description: "State of one of this agent's conversations: model, age, number of messages.",
    parameters: statusParameters,
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { sessionKey = session.sessionKey }) =>
      answer("read the status", async () => {
        const found = await ownSession(store, session.agentId, sessionKey);
        const idleMs = Math.max(0, now() - found.updatedAt);
        return jsonResult({
          ...overviewOf(found),
          sessionId: found.sessionId,
          createdAt: new Date(found.createdAt).toISOString(),
          idleMs,
          current: sessionKey === session.sessionKey,
        });
      }),
  });
}

/** Another agent's session is answered like one that does not exist. */
async function ownSession(
  { sessions }: SessionStore,
  agentId: string,
  sessionKey: string,
): Promise<Session> {
  const session = await sessions.get(sessionKey);
  if (session !== undefined && session.agentId === agentId) return session;
  const keys = (await sessions.list({ agentId, limit: MAX_LIMIT })).map((own) => own.sessionKey);
  throw new ToolRefusalError(
    "not-found",
    withSuggestion(
      `This agent has no session "${sessionKey}"`,
      nearestNames(sessionKey, keys),
      "use sessions_list to see its sessions.",
    ),
  );
}

function overviewOf({ sessionKey, channel, label, model, updatedAt, messageCount }: Session) {
  return {
    sessionKey,
    label,
    channel,
    model,
    updatedAt: new Date(updatedAt).toISOString(),
    messageCount,
  };
}

/** Goes back until there are enough entries that say something, a page at a time. */
async function newestEntries(
  { messages: { transcript } }: SessionStore,
  sessionId: string,
  wanted: number,
  includeTools: boolean,
): Promise<TranscriptEntry[]> {
  const found: TranscriptEntry[] = [];
  let beforeSeq: number | undefined;
  while (found.length < wanted) {
    const page = await transcript.load(sessionId, defined({ limit: MAX_LIMIT, beforeSeq }));
    found.unshift(...page.filter(({ message }) => includeTools || isSpoken(message)));
    const [oldest] = page;
    if (oldest === undefined || page.length < MAX_LIMIT) break;
    beforeSeq = oldest.seq;
  }
  return found.slice(-wanted);
}

function isSpoken(message: AgentMessage): boolean {
  return message.role !== "toolResult" && messageText(message) !== "";
}

interface HistoryLine {
  readonly role: AgentMessage["role"];
  readonly at: string;
  readonly text: string;
  readonly toolCalls?: readonly { readonly toolName: string; readonly params: string }[];
  readonly toolName?: string;
  readonly isError?: boolean;
}

function lineOf({ message, createdAt }: TranscriptEntry, includeTools: boolean): HistoryLine {
  const { role } = message;
  const text = shortened(messageText(message));
  const line = { role, at: new Date(createdAt).toISOString(), text };
  if (!includeTools) return line;
  if (role === "toolResult") {
    return { ...line, toolName: message.toolName, isError: message.isError };
  }
  if (role !== "assistant") return line;
  const toolCalls = message.content.flatMap((part) =>
    part.type === "toolCall"
      ? [{ toolName: part.toolName, params: shortened(JSON.stringify(part.params)) }]
      : [],
  );
  return toolCalls.length === 0 ? line : { ...line, toolCalls };
}

function newestWithin(lines: readonly HistoryLine[]): HistoryLine[] {
  let room = MAX_HISTORY_CHARACTERS;
  const fitting: HistoryLine[] = [];
  for (const line of lines.toReversed()) {
    room -= JSON.stringify(line).length;
    if (room < 0) break;
    fitting.unshift(line);
  }
  return fitting;
}

function shortened(text: string): string {
  return text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS)}…` : text;
}
