import { orderedId } from "@openclaw/foundation";
import type { Store, Turn } from "@openclaw/store";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { SessionLifecycle } from "../sessions/lifecycle.js";
import { readTurnInput, writeTurnInput } from "../turns/input.js";
import type { UnstoredMessage } from "./direct.js";

/** Dependencies of {@link MessageTurns}. */
export interface MessageTurnsDependencies {
  readonly store: Store;
  readonly sessions: Pick<SessionLifecycle, "renewWhenDue" | "opened">;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Options for the creation of a turn. */
export interface TurnCreation {
  /** Set when the turn runs at once, so that its begin needs no commit. */
  readonly hasBegun: boolean;
  /** The message, if it is stored in the same transaction. */
  readonly unstored?: UnstoredMessage | undefined;
}

/** A message that had been stored before. */
export interface DuplicateOf {
  /** ID of its row in the inbox. */
  readonly duplicateOf: string;
}

/** Stores the turns that answer messages. */
export class MessageTurns {
  readonly #dependencies: MessageTurnsDependencies;

  /** @param dependencies - store, sessions and clock */
  constructor(dependencies: MessageTurnsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores the message's outcome and the turn that answers it in one transaction.
   * @param creation - options for the begin of the turn, with the message if both are stored together
   * @returns the stored turn, or the ID of the existing row for a message that was stored before
   * @throws what the store throws; the message's outcome is then still open
   */
  async create(
    routed: RoutedMessage,
    { hasBegun, unstored }: TurnCreation,
  ): Promise<Turn | DuplicateOf> {
    const { store, sessions, now } = this.#dependencies;
    const { row, admitted, context } = routed;
    const { sessionKey, agentId } = routed.route;
    const { channel } = admitted;
    await sessions.renewWhenDue(sessionKey);
    const runId = orderedId(now());
    const create = async (unit: Store) => {
      const accepted = unstored && (await unit.messages.inbox.accept(unstored.message));
      if (accepted?.duplicate === true) return { duplicateOf: accepted.row.id };
      const opened = await unit.sessions.open(sessionKey, { agentId, channel });
      await unit.messages.inbox.settle(row.id, { state: "queued", sessionKey, runId });
      const { sessionId } = opened.session;
      const payload = writeTurnInput(admitted);
      // A person wrote the message on any surface, of which `messageProvider` has the name (PLUG-105).
      const queued = { runId, sessionKey, sessionId, agentId, trigger: "user", payload } as const;
      const turn = await unit.turns.enqueue({ ...queued, inboxId: row.id }, { hasBegun });
      return { turn, ...opened };
    };
    const stored = await store.transaction(create, { session: sessionKey });
    if (stored.duplicateOf !== undefined) return stored;
    if (unstored !== undefined) unstored.isStored = true;
    sessions.opened(stored.session, stored.created, context);
    return stored.turn;
  }

  /**
   * Adds the text and the attachments of a message to a queued turn, and stores this as the message's outcome.
   * @param waiting - the queued turn
   * @returns the changed turn; undefined when it has started in the meantime
   */
  join(routed: RoutedMessage, { runId, sessionKey }: Turn): Promise<Turn | undefined> {
    return this.#dependencies.store.transaction(async (unit) => {
      const queued = await unit.turns.get(runId);
      if (queued?.state !== "queued") return undefined;
      const input = readTurnInput(queued);
      const { admitted } = routed;
      const text = `${input.text}\n\n${admitted.text}`;
      const attachments = [...(input.attachments ?? []), ...(admitted.attachments ?? [])];
      const joined = {
        ...{ ...input, text, albumId: input.albumId ?? admitted.albumId },
        ...(attachments.length === 0 ? {} : { attachments }),
      };
      await unit.messages.inbox.settle(routed.row.id, { state: "queued", sessionKey, runId });
      return await unit.turns.amend(runId, writeTurnInput(joined));
    });
  }
}
