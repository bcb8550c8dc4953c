import { InboxFullError, MessageRefusedError } from "../errors.js";
import type { InboundMessage } from "../messages/inbound.js";
import { MAX_BACKLOG } from "../sessions/configuration.js";
import type { MessageSteps } from "./steps.js";

/** Time after which a sender tries again, in milliseconds. */
const BACKLOG_RETRY_MS = 1000;

/** Decides whether a new message is accepted; neither a backlog nor a drain keeps a person from ending a turn. */
export class MessageEntry {
  readonly #steps: Pick<MessageSteps, "router" | "submissions">;
  readonly #settings: { readonly maxBacklog?: number | undefined };
  /** True while the operator has this node leave new messages to others. */
  isDraining = false;

  /**
   * @param steps - finds the session of a message, and whether it is urgent
   * @param settings - maximum number of messages without an outcome; 10 000 when absent
   */
  constructor(
    steps: Pick<MessageSteps, "router" | "submissions">,
    settings: { readonly maxBacklog?: number | undefined },
  ) {
    this.#steps = steps;
    this.#settings = settings;
  }

  /**
   * Lets a message in, unless the host leaves new ones to other nodes or has too many without an outcome.
   * @param message - a message that is not a repeat
   * @param backlog - number of messages without an outcome
   * @throws MessageRefusedError while the node is drained
   * @throws InboxFullError when too many messages have no outcome yet
   */
  async assertOpen(message: InboundMessage, backlog: number): Promise<void> {
    const { maxBacklog = MAX_BACKLOG } = this.#settings;
    const isFull = backlog >= maxBacklog;
    if (!isFull && !this.isDraining) return;
    const { router, submissions } = this.#steps;
    const { sessionKey } = router.route(message);
    if (await submissions.isUrgent(message.text, sessionKey)) return;
    if (isFull) throw new InboxFullError(maxBacklog, BACKLOG_RETRY_MS);
    throw new MessageRefusedError(
      "draining",
      "this node takes no new messages, as the operator asked; send the message again through the address of all nodes, or run `openclaw nodes resume` for this one",
    );
  }
}
