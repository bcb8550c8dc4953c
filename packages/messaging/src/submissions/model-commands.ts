import { answerAside, type SideAnswerKind, type TurnDependencies } from "@openclaw/agent";
import { errorMessage } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Store } from "@openclaw/store";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { SessionLifecycle } from "../sessions/lifecycle.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import { agentPin } from "../turns/agent-pin.js";
import type { SessionCompaction } from "../turns/compaction.js";
import type { SessionRequests } from "./session-request.js";

/** Number of newest exchanges that `/compact` keeps (SUB-038). */
const KEPT_EXCHANGES = 5;
const EMPTY = "The conversation is empty.";

/** Dependencies of {@link ModelCommands}. */
export interface ModelCommandsDependencies {
  readonly store: Pick<Store, "sessions">;
  readonly live: Pick<LiveSessions, "run">;
  readonly sessions: Pick<SessionLifecycle, "updated">;
  readonly compaction: Pick<SessionCompaction, "run">;
  readonly plugins: Pick<PluginRuntime, "pin" | "mayAddToPrompts">;
  readonly requests: SessionRequests;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
  /** Returns the services for turns that start now. */
  services(): TurnDependencies;
}

/** Commands that call a model: `/compact`, `/summarize` and `/suggest`. Each runs between the turns of its session. */
export class ModelCommands {
  readonly #dependencies: ModelCommandsDependencies;

  /** @param dependencies - sessions, turns, compaction, plugins and services */
  constructor(dependencies: ModelCommandsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Replaces the older part of the conversation by a summary (SUB-038).
   * @param routed - message that is the command
   */
  async compact(routed: RoutedMessage): Promise<string> {
    const { store, sessions, compaction, signal } = this.#dependencies;
    const { sessionKey } = routed.route;
    try {
      const compacted = await compaction.run(sessionKey, KEPT_EXCHANGES, signal, routed);
      if (compacted === undefined) return EMPTY;
      const { before, after } = compacted;
      if (before.messages === after.messages) {
        return `Nothing was compacted: the conversation has at most ${KEPT_EXCHANGES} exchanges, or a plugin prevented it.`;
      }
      const session = await store.sessions.get(sessionKey);
      if (session !== undefined) sessions.updated(session);
      return `Compacted ${before.messages} messages to ${after.messages}, about ${before.tokens} tokens to ${after.tokens}.`;
    } catch (error) {
      signal.throwIfAborted();
      return `The conversation is unchanged, because it could not be summarised: ${errorMessage(error)}`;
    }
  }

  /**
   * Asks the model about the conversation, which does not change.
   * @param routed - message that is the command
   */
  async ask(kind: SideAnswerKind, routed: RoutedMessage): Promise<string> {
    const { store, live, plugins, requests, services, signal } = this.#dependencies;
    const { sessionKey } = routed.route;
    return await live.run(sessionKey, async () => {
      const session = await store.sessions.get(sessionKey);
      if (session === undefined) return EMPTY;
      const pin = plugins.pin();
      try {
        const request = await requests.of(session, routed);
        const answer = await answerAside(kind, request, services(), agentPin(pin, plugins));
        return answer ?? EMPTY;
      } catch (error) {
        signal.throwIfAborted();
        return `The model could not answer: ${errorMessage(error)}`;
      } finally {
        pin.release();
      }
    });
  }
}
