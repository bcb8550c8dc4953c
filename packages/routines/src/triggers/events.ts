import { wellFormed } from "@openclaw/foundation";
import { ownerOf } from "@openclaw/jobs";
import type { InboundMessage, ReplyOutcome } from "@openclaw/messaging";
import type { LinearPattern } from "@openclaw/safety";
import type { Routine, RoutineRun, Store } from "@openclaw/store";
import { definitionOf } from "../definition.js";
import type { TriggeredRun } from "./run.js";
import { readPattern } from "./trigger.js";

/** Messages that sessions write to each other, such as a routine to a conversation. */
const OF_SESSIONS = "session";
/** Bytes of a message that are compared. */
const MOST_TEXT = 16 * 1024;
/** Replies of a routine that it does not react to when they come back. */
const OWN_REPLIES = 20;

/** Dependencies of {@link RoutineEvents}. */
export interface RoutineEventsDependencies {
  readonly store: Pick<Store, "routines" | "messages">;
  /** Stores and starts a run. */
  start(routine: Routine, run: TriggeredRun): Promise<RoutineRun>;
}

/** A routine that messages set off. */
interface Listener {
  readonly pattern: LinearPattern;
  readonly channel: string | undefined;
}

/**
 * Sets off routines by messages of people, once the messages have been handled (JOB-031). The turns of routines, jobs and
 * subagents are not messages, and what sessions write to each other is left out, so that no routine reacts to another
 * one or to itself; what a routine said is left out also when a channel brings it back.
 */
export class RoutineEvents {
  readonly #dependencies: RoutineEventsDependencies;
  readonly #listeners = new Map<string, Listener>();

  /** @param dependencies - store and runs */
  constructor(dependencies: RoutineEventsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Takes a routine up, as it is now.
   * @param routine - a routine that was added or changed
   */
  place(routine: Routine): void {
    this.#listeners.delete(routine.routineId);
    const { trigger } = definitionOf(routine);
    if (!routine.enabled || trigger.kind !== "event") return;
    const pattern = readPattern(trigger.pattern);
    this.#listeners.set(routine.routineId, { pattern, channel: trigger.channel });
  }

  /**
   * Forgets a routine.
   * @param routineId - ID of a routine that was removed
   */
  removed(routineId: string): void {
    this.#listeners.delete(routineId);
  }

  /** Sets off the routines that a handled message matches. */
  async handled(message: InboundMessage, { status, messageId }: ReplyOutcome): Promise<void> {
    const { channel } = message;
    // As it is stored.
    const text = wellFormed(message.text);
    if (this.#listeners.size === 0 || channel === OF_SESSIONS) return;
    if (status === "duplicate" || status === "withheld") return;
    // A command is for the host.
    if (text.startsWith("/")) return;
    const compared = text.slice(0, MOST_TEXT);
    for (const [routineId, listener] of this.#listeners) {
      if (listener.channel !== undefined && listener.channel !== channel) continue;
      if (!listener.pattern.test(compared)) continue;
      await this.#start(routineId, { ...message, text }, messageId);
    }
  }

  async #start(routineId: string, message: InboundMessage, messageId: string): Promise<void> {
    const { store, start } = this.#dependencies;
    const routine = await store.routines.get(routineId);
    if (routine?.enabled !== true) return;
    // A user's routine does not read what others write; that of the operator reads all.
    const isOfOperator = routine.creator.senderIsOwner === true;
    if (!isOfOperator && ownerOf(message) !== routine.owner) return;
    const { channel, senderId, text } = message;
    // A text that was not stored, such as a credential, or that is erased by now, is not passed on (TURN-024).
    const stored = await store.messages.inbox.get(messageId);
    if (stored === undefined || stored.content !== text) return;
    const known = await store.routines.runs.of({ routineId, limit: OWN_REPLIES });
    if (known.some(({ answer }) => answer !== undefined && answer.trim() === text.trim())) return;
    const source = `a message of ${senderId} on the channel ${channel}`;
    await start(routine, { origin: "event", input: { source, text }, identity: messageId });
  }
}
