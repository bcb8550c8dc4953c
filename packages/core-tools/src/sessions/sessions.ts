import { defined, nearestNames, startOfText, withSuggestion } from "@openclaw/foundation";
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
  Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: "Default 50." }),
);
const listParameters = Type.Object(
  {
    limit,
    activeMinutes: Type.Optional(
      Type.Integer({ minimum: 1, description: "Only those used in the last minutes." }),
    ),
  },
  { additionalProperties: false },
);
const historyParameters = Type.Object(
  {
    sessionKey: Type.String({ minLength: 1, description: "From sessions_list." }),
    limit,
    includeTools: Type.Optional(Type.Boolean({ description: "Also tool calls and results." })),
  },
  { additionalProperties: false },
);
const statusParameters = Type.Object(
  {
    sessionKey: Type.Optional(Type.String({ minLength: 1, description: "Default: this session." })),
  },
  { additionalProperties: false },
);

/** Sessions that the tools reach: those of the sender of the current message, or all of the agent. */
export type SessionVisibility = "sender" | "agent";

/** Options of {@link createSessionTools}. */
export interface SessionToolOptions {
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Default `sender`. */
  readonly visibility?: SessionVisibility | undefined;
}

type ToolSession = Pick<
  ToolSessionContext,
  "agentId" | "sessionKey" | "messageChannel" | "agentAccountId" | "requesterSenderId"
>;

/**
 * The tools `sessions_list`, `sessions_history` and `session_status`, which reach the session they are used
 * in, and of the sessions of its agent those in which only the same sender wrote (TURN-064).
 * @param store - where sessions are
 * @param options - clock, and whether they reach all sessions of the agent
 */
export function createSessionTools(
  store: SessionStore,
  { now = Date.now, visibility = "sender" }: SessionToolOptions = {},
) {
  return (session: ToolSession) => {
    const reach = new SessionReach(store.sessions, session, visibility);
    return [
      createListTool(reach, now),
      createHistoryTool(store, reach),
      createStatusTool(reach, session, now),
    ];
  };
}

function createListTool(reach: SessionReach, now: () => number) {
  return defineTool({
    name: "sessions_list",
    label: "List sessions",
    description: "List this agent's conversations with the same sender, most recently used first.",
    parameters: listParameters,
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { limit = DEFAULT_LIMIT, activeMinutes }) =>
      answer("list the sessions", async () => {
        const since = activeMinutes === undefined ? 0 : now() - activeMinutes * MINUTE_MS;
        const found = await reach.list(limit);
        return jsonResult(found.filter(({ updatedAt }) => updatedAt >= since).map(overviewOf));
      }),
  });
}

function createHistoryTool(store: SessionStore, reach: SessionReach) {
  return defineTool({
    name: "sessions_history",
    label: "Session history",
    description:
      "Read the newest messages of such a conversation, oldest first. Long ones are cut.",
    parameters: historyParameters,
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { sessionKey, limit = DEFAULT_LIMIT, includeTools = false }) =>
      answer("read the history", async () => {
        const { sessionId } = await reach.get(sessionKey);
        const entries = await newestEntries(store, sessionId, limit, includeTools);
        const messages = entries.map((entry) => lineOf(entry, includeTools));
        return jsonResult({ sessionKey, messages: newestWithin(messages) });
      }),
  });
}

function createStatusTool(
  reach: SessionReach,
  session: Pick<ToolSessionContext, "sessionKey">,
  now: () => number,
) {
  return defineTool({
    name: "session_status",
    label: "Session status",
    description: "Model, age and number of messages of a conversation.",
    parameters: statusParameters,
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { sessionKey = session.sessionKey }) =>
      answer("read the status", async () => {
        const found = await reach.get(sessionKey);
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

/** The sessions that the tools of one session reach. */
class SessionReach {
  readonly #sessions: SessionStore["sessions"];
  readonly #current: ToolSession;
  readonly #visibility: SessionVisibility;

  constructor(
    sessions: SessionStore["sessions"],
    current: ToolSession,
    visibility: SessionVisibility,
  ) {
    this.#sessions = sessions;
    this.#current = current;
    this.#visibility = visibility;
  }

  /** Returns sessions, most recently used first. */
  async list(limit: number, sessionKey?: string): Promise<readonly Session[]> {
    const {
      agentId,
      messageChannel,
      agentAccountId = "default",
      requesterSenderId,
    } = this.#current;
    if (this.#visibility === "agent") return this.#sessions.list({ limit, agentId, sessionKey });
    const sender = requesterSenderId && {
      channel: messageChannel,
      accountId: agentAccountId,
      senderId: requesterSenderId,
    };
    const own = sender ? await this.#sessions.list({ limit, agentId, sessionKey, sender }) : [];
    const current = await this.#currentSession();
    if (current === undefined || (sessionKey ?? current.sessionKey) !== current.sessionKey) {
      return own;
    }
    const others = own.filter((session) => session.sessionKey !== current.sessionKey);
    return [...others, current].sort((a, b) => b.updatedAt - a.updatedAt).slice(0, limit);
  }

  /** Returns a session; one that is out of reach is answered like one that does not exist. */
  async get(sessionKey: string): Promise<Session> {
    const [session] = await this.list(1, sessionKey);
    if (session !== undefined) return session;
    const keys = (await this.list(MAX_LIMIT)).map((own) => own.sessionKey);
    throw new ToolRefusalError(
      "not-found",
      withSuggestion(
        `Session "${sessionKey}" not found or not readable from this session`,
        nearestNames(sessionKey, keys),
        "use sessions_list to find readable sessions.",
      ),
    );
  }

  async #currentSession(): Promise<Session | undefined> {
    const { sessionKey, agentId } = this.#current;
    const found = await this.#sessions.get(sessionKey);
    return found?.agentId === agentId ? found : undefined;
  }
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
  return text.length > MAX_MESSAGE_CHARACTERS
    ? `${startOfText(text, MAX_MESSAGE_CHARACTERS)}…`
    : text;
}
