import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { InboundMessage as InboxMessage, Store } from "@openclaw/store";
import type { ReplyOutcome } from "../messages/inbound.js";

/** A message that its caller sent again. */
export interface RepeatedMessage {
  /** Data that the surface stored with the first message. */
  readonly metadata: JsonObject;
  /**
   * Outcome of the first message, which may still be processed; of status `duplicate` when it is no longer
   * known.
   */
  readonly outcome: Promise<ReplyOutcome>;
}

/** Dependencies of {@link MessageOutcomes}. */
export interface MessageOutcomesDependencies {
  readonly store: Pick<Store, "messages" | "turns">;
  readonly logger: Logger;
}

const KNOWN: ReadonlySet<string> = new Set([
  "replied",
  "answered",
  "withheld",
  "interrupted",
  "failed",
] satisfies ReplyOutcome["status"][]);

/**
 * Keeps the outcomes of messages with an idempotency key, so that a caller that repeats such a message gets
 * the outcome of the first one, also after a restart (TURN-002).
 */
export class MessageOutcomes {
  readonly #dependencies: MessageOutcomesDependencies;
  readonly #pending = new Map<string, Promise<ReplyOutcome>>();

  /** @param dependencies - store and log */
  constructor(dependencies: MessageOutcomesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Keeps the outcome of a message that has an idempotency key.
   * @param message - message as the inbox stores it
   * @param process - processes the message
   */
  keep(
    { id, idempotencyKey }: Pick<InboxMessage, "id" | "idempotencyKey">,
    process: () => Promise<ReplyOutcome>,
  ): Promise<ReplyOutcome> {
    if (idempotencyKey === undefined) return process();
    const outcome = this.#processed(id, process).finally(() => this.#pending.delete(id));
    this.#pending.set(id, outcome);
    return outcome;
  }

  /**
   * Returns the first message that a caller repeated.
   * @param messageId - ID of its row in the inbox
   * @returns undefined when it does not exist
   */
  async repeated(messageId: string): Promise<RepeatedMessage | undefined> {
    const row = await this.#dependencies.store.messages.inbox.get(messageId);
    if (row === undefined) return undefined;
    const outcome = this.#pending.get(messageId) ?? this.#stored(messageId);
    return { metadata: row.metadata, outcome };
  }

  /**
   * Returns the outcome of a message that is no longer processed.
   * @param messageId - ID of its row in the inbox
   * @returns undefined while it is processed, or when its outcome is not known
   */
  async settled(messageId: string): Promise<ReplyOutcome | undefined> {
    if (this.#pending.has(messageId)) return undefined;
    const outcome = await this.#stored(messageId);
    return outcome.status === "duplicate" ? undefined : outcome;
  }

  async #processed(id: string, process: () => Promise<ReplyOutcome>): Promise<ReplyOutcome> {
    const outcome = await process();
    if (outcome.status === "duplicate" || (await this.#resumes(outcome))) return outcome;
    const { messages } = this.#dependencies.store;
    try {
      const sessionKey = (await messages.inbox.get(id))?.sessionKey;
      // Outcomes are plain data; the copy gives them the type that the compiler requires.
      const copy = JSON.parse(JSON.stringify(outcome)) as JsonObject;
      await messages.outcomes.add({ messageId: id, sessionKey, outcome: copy });
    } catch (error) {
      const problem = `the outcome of a message could not be stored for a repeat: ${errorMessage(error)}`;
      this.#dependencies.logger.error(problem, { code: "OUTCOME_NOT_STORED", messageId: id });
    }
    return outcome;
  }

  /** A turn that the stop of the host cut off has its outcome in the next process. */
  async #resumes(outcome: ReplyOutcome): Promise<boolean> {
    if (outcome.status !== "interrupted") return false;
    const turn = await this.#dependencies.store.turns.get(outcome.runId);
    return turn !== undefined && turn.endedAt === undefined;
  }

  async #stored(messageId: string): Promise<ReplyOutcome> {
    const stored = await this.#dependencies.store.messages.outcomes.get(messageId);
    return isOutcome(stored) ? stored : { status: "duplicate", messageId };
  }
}

function isOutcome(stored: unknown): stored is ReplyOutcome {
  if (typeof stored !== "object" || stored === null) return false;
  const { status, messageId }: { status?: unknown; messageId?: unknown } = stored;
  return typeof status === "string" && KNOWN.has(status) && typeof messageId === "string";
}
