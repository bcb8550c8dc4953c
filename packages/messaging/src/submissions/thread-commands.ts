import type { ApprovalBroker } from "@openclaw/approval-broker";
import { startOfText } from "@openclaw/foundation";
import { messageText } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { SessionLifecycle } from "../sessions/lifecycle.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import { type CommandReply, ReplyWriter } from "./command-reply.js";

const MOST_THREADS = 20;
const MOST_SESSIONS = 30;
const LONGEST_TITLE = 60;

/** Dependencies of {@link ThreadCommands}. */
export interface ThreadCommandsDependencies {
  readonly store: Store;
  readonly live: Pick<LiveSessions, "run">;
  readonly sessions: Pick<SessionLifecycle, "reset" | "resume">;
  readonly approvals: Pick<ApprovalBroker, "cancelFor">;
}

/** Commands that start, continue and list conversations. */
export class ThreadCommands {
  readonly #dependencies: ThreadCommandsDependencies;

  /** @param dependencies - store, turns, sessions and approvals */
  constructor(dependencies: ThreadCommandsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Starts a new conversation after the queued turns.
   * @param routed - message that is the command
   * @param reason - reason why the current conversation ends
   */
  async start(routed: RoutedMessage, reason: "new" | "reset"): Promise<CommandReply> {
    const { live, sessions, approvals } = this.#dependencies;
    const { sessionKey } = routed.route;
    const text = "Started a new conversation.";
    const writer = new ReplyWriter(routed);
    // A turn that waits for approval would not end.
    await approvals.cancelFor({ sessionKey }, "reset");
    // Queued among the turns of the session, because turns of earlier messages belong to the old conversation.
    await live.run(sessionKey, () =>
      sessions.reset(sessionKey, {
        by: "command",
        reason,
        alongside: (unit) => writer.store(unit, text),
      }),
    );
    return writer.reply(text);
  }

  /**
   * Continues another conversation of the session under a new session ID (SUB-023).
   * @param routed - message that is the command
   * @param threadId - UUID of any of its incarnations
   * @returns undefined when the session has no such conversation; nothing is changed then
   */
  async switchTo(routed: RoutedMessage, threadId: string): Promise<CommandReply | undefined> {
    const { store, live, sessions, approvals } = this.#dependencies;
    const { sessionKey } = routed.route;
    if ((await store.sessions.threads.find(sessionKey, threadId)) === undefined) return undefined;
    await approvals.cancelFor({ sessionKey }, "reset");
    return await live.run(sessionKey, async () => {
      const found = await store.sessions.threads.find(sessionKey, threadId);
      const current = await store.sessions.get(sessionKey);
      if (found === undefined || current === undefined) return undefined;
      if (found === current.sessionId) return { text: "This is the current conversation." };
      const writer = new ReplyWriter(routed);
      const title = await this.#titleOf(found);
      const text = `Continued the conversation ${title}, which was completed. /thread new starts another one.`;
      await sessions.resume(current, found, (unit) => writer.store(unit, text));
      return writer.reply(text);
    });
  }

  /**
   * Lists the conversations of the session, and the checkpoints of the current one.
   * @param sessionKey - full key of the session
   */
  async list(sessionKey: string): Promise<string> {
    const { store } = this.#dependencies;
    const session = await store.sessions.get(sessionKey);
    if (session === undefined) return "There is no conversation yet.";
    const threads = await store.sessions.threads.list(sessionKey, MOST_THREADS);
    const lines: string[] = [];
    for (const { sessionId, messageCount, lastAt, isCurrent } of threads) {
      const title = await this.#titleOf(sessionId);
      const mark = isCurrent ? " (current)" : "";
      lines.push(`  ${sessionId}  ${time(lastAt)}  ${messageCount} messages  ${title}${mark}`);
    }
    const { undo, redo } = await store.messages.checkpoints.list(session.sessionId);
    const checkpoints: string[] = [];
    for (const { checkpointId, seq, createdAt } of undo) {
      const title = await this.#titleOf(session.sessionId, seq);
      checkpoints.push(`  ${checkpointId}  ${time(createdAt)}  before ${title}`);
    }
    return [
      lines.length === 0 ? "No conversations." : "Conversations; /thread <id> continues one:",
      ...lines,
      checkpoints.length === 0 ? "No checkpoints." : "Checkpoints; /resume <id> returns to one:",
      ...checkpoints,
      ...(redo > 0 ? [`/redo brings back ${redo} undone ${redo === 1 ? "turn" : "turns"}.`] : []),
    ].join("\n");
  }

  /**
   * Lists the sessions of the host for an owner.
   * @param isOwner - true when the sender is an owner
   */
  async listSessions(isOwner: boolean): Promise<string> {
    if (!isOwner) return "Only an owner can list the sessions of this host.";
    const sessions = await this.#dependencies.store.sessions.list({ limit: MOST_SESSIONS });
    return [
      sessions.length === 0 ? "No sessions." : "Sessions, the last used first:",
      ...sessions.map(
        ({ sessionKey, updatedAt, messageCount }) =>
          `  ${sessionKey}  ${time(updatedAt)}  ${messageCount} messages`,
      ),
    ].join("\n");
  }

  /** Returns the beginning of a conversation, or of one of its turns. */
  async #titleOf(sessionId: string, fromSeq = 1): Promise<string> {
    const { transcript } = this.#dependencies.store.messages;
    const first = await transcript.firstOfUser(sessionId, fromSeq);
    const text = first === undefined ? "" : messageText(first.message);
    const line = text.replaceAll(/\s+/g, " ").trim();
    return line.length > LONGEST_TITLE ? `"${startOfText(line, LONGEST_TITLE)}…"` : `"${line}"`;
  }
}

function time(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
