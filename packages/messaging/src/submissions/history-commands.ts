import type { Store } from "@openclaw/store";
import type { RoutedMessage } from "../messages/routed-message.js";
import { type MovedTurn, redoTurn, restoreCheckpoint, undoTurn } from "../sessions/history.js";
import type { SessionLifecycle } from "../sessions/lifecycle.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import { remainingEffects } from "../sessions/tool-effects.js";
import { type CommandReply, ReplyWriter } from "./command-reply.js";

/** Dependencies of {@link HistoryCommands}. */
export interface HistoryCommandsDependencies {
  readonly store: Store;
  readonly live: Pick<LiveSessions, "run">;
  readonly sessions: Pick<SessionLifecycle, "updated">;
}

/** A change of a conversation in a transaction; undefined when there was nothing to change. */
type Change = (unit: Store, sessionId: string) => Promise<string | undefined>;

/**
 * Commands that change the history of a conversation: `/undo`, `/redo`, `/resume <id>` and `/clear`. Each runs between
 * the turns of its session, and its effect is stored together with its reply.
 */
export class HistoryCommands {
  readonly #dependencies: HistoryCommandsDependencies;

  /** @param dependencies - store, turns and sessions */
  constructor(dependencies: HistoryCommandsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Takes back the last turn (SUB-031).
   * @param routed - message that is the command
   */
  undo(routed: RoutedMessage): Promise<CommandReply> {
    return this.#change(routed, "Nothing to undo.", async (unit, sessionId) => {
      const moved = await undoTurn(unit, sessionId);
      return moved && taken("Undone", moved, ["Use /redo to bring it back."]);
    });
  }

  /**
   * Brings back the turn that the last undo took back (SUB-032).
   * @param routed - message that is the command
   */
  redo(routed: RoutedMessage): Promise<CommandReply> {
    return this.#change(routed, "Nothing to redo.", async (unit, sessionId) => {
      const moved = await redoTurn(unit, sessionId);
      return moved && `Brought back: ${quote(moved)}`;
    });
  }

  /**
   * Restores a checkpoint (SUB-033).
   * @param routed - message that is the command
   * @param checkpointId - UUID of the checkpoint
   * @returns undefined when the conversation has no such checkpoint; nothing is changed then
   */
  async restore(routed: RoutedMessage, checkpointId: string): Promise<CommandReply | undefined> {
    const missing = "";
    const reply = await this.#change(routed, missing, async (unit, sessionId) => {
      const moved = await restoreCheckpoint(unit, sessionId, checkpointId);
      return moved && taken("Returned to the checkpoint before", moved, []);
    });
    return reply.stored === undefined ? undefined : reply;
  }

  /**
   * Empties the conversation, and erases its content (SUB-034).
   * @param routed - message that is the command
   */
  clear(routed: RoutedMessage): Promise<CommandReply> {
    return this.#change(routed, "The conversation is already empty.", async (unit, sessionId) => {
      const entries = await unit.messages.checkpoints.clear(sessionId);
      if (entries.length === 0) return undefined;
      // The journal is erased with the conversation.
      const effects = await remainingEffects(entries, unit.turns.journal);
      await unit.sessions.erase(sessionId);
      return ["The conversation is empty now.", ...effects].join("\n");
    });
  }

  #change(routed: RoutedMessage, otherwise: string, change: Change): Promise<CommandReply> {
    const { store, live, sessions } = this.#dependencies;
    const { sessionKey } = routed.route;
    // Queued among the turns of the session, because the turns of earlier messages come first.
    return live.run(sessionKey, async () => {
      const session = await store.sessions.get(sessionKey);
      if (session === undefined) return { text: otherwise };
      const writer = new ReplyWriter(routed);
      await store.transaction(async (unit) => {
        const text = await change(unit, session.sessionId);
        if (text !== undefined) await writer.store(unit, text);
      });
      const reply = writer.reply(otherwise);
      if (reply.stored !== undefined) sessions.updated(session);
      return reply;
    });
  }
}

function taken(verb: string, moved: MovedTurn, more: readonly string[]): string {
  return [`${verb}: ${quote(moved)}`, ...moved.effects, ...more].join("\n");
}

/** Returns the beginning of the text that started the turn. */
function quote({ text }: MovedTurn): string {
  return text === "" ? "a turn without text" : `"${text}"`;
}
