import { defined, usdText } from "@openclaw/foundation";
import { type SessionSummary, sessionMethods } from "@openclaw/protocol";
import {
  InvalidRequestError,
  MethodRegistry,
  readPageCursor,
  writePageCursor,
} from "@openclaw/protocol/registry";
import type { Session, SessionExtensionChange } from "@openclaw/store";
import type { ListedSession, SessionAdministration } from "./administration.js";
import { agentOfCallerKey } from "./key.js";

/** Dependencies of {@link createSessionMethods}. */
export interface SessionMethodDependencies {
  readonly administration: SessionAdministration;
  /** Continues conversations from earlier messages. */
  readonly forks: {
    fork(session: Session, through: number): Promise<{ sessionKey: string; messages: number }>;
  };
  /** Agents of the configuration. */
  readonly agents: { readonly agentIds: readonly string[]; readonly defaultAgent: string };
}

const PAGE = 50;

/**
 * Creates the session methods (GW-025).
 * @param dependencies - sessions and agents
 */
export function createSessionMethods({
  administration,
  forks,
  agents,
}: SessionMethodDependencies): MethodRegistry<typeof sessionMethods> {
  const moved = async (sessionKey: string, direction: "undo" | "redo") => {
    const { turn, undo, redo } = await administration.move(sessionKey, direction);
    const { text, effects = [] } = turn ?? {};
    return { moved: turn !== undefined, ...defined({ text }), effects: [...effects], undo, redo };
  };
  return MethodRegistry.of(sessionMethods, {
    "sessions.list": async ({ filter = {}, cursor, limit = PAGE }) => {
      const at = cursor === undefined ? undefined : readPageCursor("sessions.list", cursor);
      const after = at && { updatedAt: at.at, sessionKey: at.id };
      // One more tells whether there is a next page.
      const found = await administration.list({ ...filter, after, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const nextCursor = last && writePageCursor({ at: last.updatedAt, id: last.sessionKey });
      // A page that is the whole list has them all; a search reads the last message of every session.
      const isWhole = after === undefined && last === undefined;
      const total = isWhole ? page.length : await administration.count(filter);
      return { sessions: page.map(summaryOf), total, ...defined({ nextCursor }) };
    },
    "sessions.get": async ({ sessionKey }) => summaryOf(await administration.get(sessionKey)),
    "sessions.create": async ({ sessionKey, agentId = agents.defaultAgent, ...settings }) => {
      const key = sessionKey === undefined ? undefined : administration.keyOf(sessionKey);
      const agent = key === undefined ? agentId : agentOfKey(key);
      if (!agents.agentIds.includes(agent)) {
        const message = `names the agent "${agent}"; use one of: ${agents.agentIds.join(", ")}`;
        const path = key === undefined ? "/agentId" : "/sessionKey";
        throw new InvalidRequestError("sessions.create", [{ path, message }]);
      }
      return summaryOf(await administration.create(key, { ...settings, agentId: agent }));
    },
    "sessions.patch": async ({ sessionKey, ...changes }) =>
      summaryOf(await administration.patch(sessionKey, changes)),
    "sessions.reset": async ({ sessionKey }) => summaryOf(await administration.reset(sessionKey)),
    "sessions.compact": async ({ sessionKey }, { signal }) => {
      const { before, after } = await administration.compact(sessionKey, signal);
      return { compacted: after.messages !== before.messages, before, after };
    },
    "sessions.fork": async ({ sessionKey, through }) =>
      await forks.fork(await administration.get(sessionKey), through),
    "sessions.undo": async ({ sessionKey }) => await moved(sessionKey, "undo"),
    "sessions.redo": async ({ sessionKey }) => await moved(sessionKey, "redo"),
    "sessions.threads": async ({ sessionKey, state }) => {
      const wanted = state === "WaitingForApproval" ? "AwaitingApproval" : state;
      const found = await administration.threads(sessionKey);
      return {
        sessionKey: found.sessionKey,
        threads: found.threads.filter((each) => wanted === undefined || each.state === wanted),
        checkpoints: [...found.checkpoints],
        redo: found.redo,
      };
    },
    "sessions.pluginPatch": async ({ expectedVersion, ...parameters }) => {
      const { sessionKey, pluginId, namespace, ...change } = parameters;
      const place = { sessionKey, pluginId, namespace };
      return await administration.changeValue(place, changeOf(change), expectedVersion);
    },
    "sessions.delete": async (parameters) => {
      const end = await administration.remove(parameters.sessionKey);
      const { sessionKey, sessionId, messageCount } = end;
      return { sessionKey, sessionId, messageCount };
    },
  });
}

/** The schema leaves JSON values open, and the transport parsed them from JSON. */
function changeOf(change: { readonly patch: unknown } | { readonly value: unknown }) {
  return change as SessionExtensionChange;
}

function agentOfKey(key: string): string {
  const agent = agentOfCallerKey(key);
  if (agent !== undefined) return agent;
  const message =
    'must be a short key or "agent:<id>:<name>"; keys of subagents, cron and hooks are reserved';
  throw new InvalidRequestError("sessions.create", [{ path: "/sessionKey", message }]);
}

function summaryOf({
  pluginExtensions,
  cost,
  lastTurn,
  ...session
}: ListedSession): SessionSummary {
  const { state, text = "" } = lastTurn ?? {};
  const lastMessage = text === "" ? undefined : text;
  return {
    ...defined({ ...session, state, lastMessage }),
    costUsd: usdText(cost),
    pluginExtensions,
  };
}
