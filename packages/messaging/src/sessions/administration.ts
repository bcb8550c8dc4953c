import { randomUUID } from "node:crypto";
import type { RequestedCompaction, TurnDependencies } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import { nearestName } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type {
  QueueMode,
  Session,
  SessionChanges,
  SessionCursor,
  SessionEnd,
  SessionExtensionChange,
  SessionExtensionPlace,
  SessionOverview,
  Store,
  TurnState,
} from "@openclaw/store";
import {
  SessionExistsError,
  SessionExtensionNotFoundError,
  SessionNotFoundError,
  SessionValueChangedError,
  SessionValueTooLargeError,
} from "../errors.js";
import type { MessageRouter } from "../messages/route.js";
import type { SubagentManager } from "../subagents/manager.js";
import type { SessionCompaction } from "../turns/compaction.js";
import { type MovedTurn, redoTurn, undoTurn } from "./history.js";
import { expandSessionKey } from "./key.js";
import type { SessionLifecycle } from "./lifecycle.js";
import type { LiveSessions } from "./live-sessions.js";
import { deleteSession } from "./removal.js";
import type { SessionRow, SessionStates } from "./states.js";
import { listThreads, type SessionThreads } from "./threads.js";

/** Number of newest exchanges that a compaction by an operator keeps (TURN-051). */
const KEPT_EXCHANGES = 2;

/** Dependencies of {@link SessionAdministration}. */
export interface SessionAdministrationDependencies {
  readonly store: Store;
  readonly plugins: Pick<PluginRuntime, "current">;
  readonly router: Pick<MessageRouter, "defaultAgent">;
  readonly sessionStates: Pick<SessionStates, "rows" | "change">;
  readonly sessions: SessionLifecycle;
  readonly live: Pick<LiveSessions, "turns" | "run">;
  readonly subagents: Pick<SubagentManager, "stopSubagentsOf">;
  readonly approvals: Pick<ApprovalBroker, "cancelFor">;
  readonly compaction: SessionCompaction;
  /** Returns the services for turns that start now. */
  services(): Pick<TurnDependencies, "models">;
}

/** Settings of a new session. */
export interface SessionOpening {
  readonly agentId: string;
  readonly label?: string | undefined;
  readonly model?: string | undefined;
  readonly queueMode?: QueueMode | undefined;
}

/** Filter of a page of sessions. */
export interface SessionPage {
  readonly limit: number;
  readonly agentId?: string | undefined;
  readonly channel?: string | undefined;
  readonly label?: string | undefined;
  readonly pinned?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly state?: TurnState | undefined;
  readonly text?: string | undefined;
  /** Position after which the page begins. */
  readonly after?: SessionCursor | undefined;
}

/** Session with its plugin values, and the tokens, cost and last turn of its current conversation. */
export type ListedSession = SessionRow & SessionOverview;

/** Outcome of an undo or redo. */
export interface MovedHistory {
  /** Undefined when there was nothing to take back or to bring back. */
  readonly turn: MovedTurn | undefined;
  /** Number of turns that can be taken back now. */
  readonly undo: number;
  /** Number of turns that can be brought back now. */
  readonly redo: number;
}

/** Changed value of a plugin. */
export interface ChangedValue {
  readonly value: JsonValue;
  readonly version: number;
}

/** Reads and changes sessions for operators, in addition to the messages that use them (GW-025). */
export class SessionAdministration {
  readonly #dependencies: SessionAdministrationDependencies;

  /** @param dependencies - store, plugins, lifecycle, turns, approvals and compaction */
  constructor(dependencies: SessionAdministrationDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the full form of a session key.
   * @param key - full or short key
   */
  keyOf(key: string): string {
    return expandSessionKey(key, this.#dependencies.router.defaultAgent);
  }

  /**
   * Returns sessions with the public views of their plugin values, most recently used first.
   * @param page - filter and maximum number
   */
  async list(page: SessionPage): Promise<readonly ListedSession[]> {
    return await this.#rows(await this.#dependencies.store.sessions.list(page));
  }

  /**
   * Returns the number of sessions that a filter selects.
   * @param filter - filter of a list
   */
  count(filter: Omit<SessionPage, "limit" | "after">): Promise<number> {
    return this.#dependencies.store.sessions.count(filter);
  }

  /**
   * Returns one session.
   * @param key - full or short key
   * @throws SessionNotFoundError
   */
  async get(key: string): Promise<ListedSession> {
    const sessionKey = this.keyOf(key);
    const session = await this.#dependencies.store.sessions.get(sessionKey);
    return await this.#row(session ?? (await this.#missing(sessionKey)));
  }

  /**
   * Returns the conversations of a session.
   * @param key - full or short key
   * @throws SessionNotFoundError
   */
  async threads(key: string): Promise<SessionThreads & { readonly sessionKey: string }> {
    const sessionKey = this.keyOf(key);
    const found = await listThreads(sessionKey, this.#dependencies);
    return { sessionKey, ...(found ?? (await this.#missing(sessionKey))) };
  }

  /**
   * Creates an empty session.
   * @param sessionKey - full key; a key with a new ID when undefined
   * @param opening - agent, and settings of the session
   * @throws SessionExistsError, ModelNotFoundError
   */
  async create(sessionKey: string | undefined, opening: SessionOpening): Promise<ListedSession> {
    const { store, sessions } = this.#dependencies;
    await this.#checkModel(opening.model);
    const key = sessionKey ?? `agent:${opening.agentId}:session:${randomUUID()}`;
    const { session, created } = await store.sessions.open(key, opening);
    if (!created) throw new SessionExistsError(key);
    sessions.opened(session, created);
    return await this.#row(session);
  }

  /**
   * Changes settings of a session; turns that start later use them.
   * @param key - full or short key
   * @param changes - null removes a setting
   * @throws SessionNotFoundError, ModelNotFoundError
   */
  async patch(key: string, changes: SessionChanges): Promise<ListedSession> {
    const { store, sessions } = this.#dependencies;
    await this.#checkModel(changes.model ?? undefined);
    const sessionKey = this.keyOf(key);
    const changed = await store.sessions.change(sessionKey, changes);
    if (changed === undefined) return await this.#missing(sessionKey);
    sessions.updated(changed);
    return await this.#row(changed);
  }

  /**
   * Ends the conversation of a session after its queued turns, and starts a new one.
   * @param key - full or short key
   * @throws SessionNotFoundError
   */
  async reset(key: string): Promise<ListedSession> {
    const { live, sessions, approvals } = this.#dependencies;
    const sessionKey = this.keyOf(key);
    // A turn that waits for approval would not end.
    await approvals.cancelFor({ sessionKey }, "reset");
    const session = await live.run(sessionKey, () =>
      sessions.reset(sessionKey, { by: "api", reason: "reset" }),
    );
    return await this.#row(session ?? (await this.#missing(sessionKey)));
  }

  /**
   * Compacts the conversation of a session after its queued turns.
   * @param key - full or short key
   * @param signal - aborts the compaction
   * @throws SessionNotFoundError, or an error of the model that writes the summary
   */
  async compact(key: string, signal: AbortSignal): Promise<RequestedCompaction> {
    const { store, sessions, compaction } = this.#dependencies;
    const sessionKey = this.keyOf(key);
    const compacted = await compaction.run(sessionKey, KEPT_EXCHANGES, signal);
    if (compacted === undefined) return await this.#missing(sessionKey);
    const session = await store.sessions.get(sessionKey);
    if (session !== undefined) sessions.updated(session);
    return compacted;
  }

  /**
   * Takes back the last turn of a conversation after its queued turns, or brings back what was taken back last.
   * @param key - full or short key
   * @param direction - `undo` takes a turn back, `redo` brings it back
   * @throws SessionNotFoundError
   */
  async move(key: string, direction: "undo" | "redo"): Promise<MovedHistory> {
    const { store, sessions, live } = this.#dependencies;
    const sessionKey = this.keyOf(key);
    const moved = await live.run(sessionKey, async () => {
      const session = await store.sessions.get(sessionKey);
      if (session === undefined) return undefined;
      const { sessionId } = session;
      const change = direction === "undo" ? undoTurn : redoTurn;
      const turn = await store.transaction((unit) => change(unit, sessionId));
      if (turn !== undefined) sessions.updated(session);
      const { undo, redo } = await store.messages.checkpoints.list(sessionId);
      return { turn, undo: undo.length, redo };
    });
    return moved ?? (await this.#missing(sessionKey));
  }

  /**
   * Changes a value that a plugin keeps with a session.
   * @param place - session, plugin and namespace; the key may be short
   * @param change - patch or new value
   * @param expectedVersion - version that the value must have; any when absent
   * @throws SessionNotFoundError, SessionExtensionNotFoundError, SessionValueChangedError, SessionValueTooLargeError
   */
  async changeValue(
    place: SessionExtensionPlace,
    change: SessionExtensionChange,
    expectedVersion: number | undefined,
  ): Promise<ChangedValue> {
    const { store, sessions, sessionStates } = this.#dependencies;
    const { pluginId, namespace } = place;
    this.#checkRegistered(pluginId, namespace);
    const sessionKey = this.keyOf(place.sessionKey);
    const session = await store.sessions.get(sessionKey);
    if (session === undefined) return await this.#missing(sessionKey);
    const full = { pluginId, namespace, sessionKey };
    const outcome = await sessionStates.change(full, change, expectedVersion);
    switch (outcome.outcome) {
      case "stale":
        throw new SessionValueChangedError(namespace, expectedVersion ?? 0, outcome.version);
      case "too-large":
        throw new SessionValueTooLargeError(namespace, outcome.bytes);
      case "changed":
        sessions.updated(session);
        return { value: outcome.value, version: outcome.version };
    }
  }

  /**
   * Deletes a session with all its data, and notifies plugins of its end (TURN-010).
   * @param key - full or short key
   * @throws SessionNotFoundError, SessionBusyError
   */
  remove(key: string): Promise<SessionEnd> {
    return deleteSession(this.keyOf(key), this.#dependencies);
  }

  #checkRegistered(pluginId: string, namespace: string): void {
    const { sessionExtensions } = this.#dependencies.plugins.current;
    const registered = sessionExtensions.filter((each) => each.pluginId === pluginId);
    const names = registered.map(({ extension }) => extension.namespace);
    if (names.includes(namespace)) return;
    throw new SessionExtensionNotFoundError(pluginId, namespace, nearestName(namespace, names));
  }

  async #checkModel(model: string | undefined): Promise<void> {
    if (model !== undefined) await this.#dependencies.services().models.resolve(model);
  }

  async #row(session: Session): Promise<ListedSession> {
    const [row] = await this.#rows([session]);
    return row ?? { ...session, pluginExtensions: [], tokens: 0, cost: 0n };
  }

  async #rows(sessions: readonly Session[]): Promise<readonly ListedSession[]> {
    const { store, sessionStates, plugins } = this.#dependencies;
    const rows = await sessionStates.rows(sessions, plugins);
    const overview = await store.sessions.overview(sessions);
    return rows.map((row) => ({ tokens: 0, cost: 0n, ...overview.get(row.sessionId), ...row }));
  }

  async #missing(sessionKey: string): Promise<never> {
    const known = await this.#dependencies.store.sessions.list({ limit: 100 });
    const keys = known.map((each) => each.sessionKey);
    throw new SessionNotFoundError(sessionKey, nearestName(sessionKey, keys));
  }
}
