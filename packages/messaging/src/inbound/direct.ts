import { defined } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { InboundMessage as InboxMessage } from "@openclaw/store";
import { hasAudio } from "../messages/audio.js";
import { messageContext } from "../messages/context.js";
import type { Caller, InboundMessage } from "../messages/inbound.js";
import type { MessageRoute, MessageRouter } from "../messages/route.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { SessionLifecycle } from "../sessions/lifecycle.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import type { Submissions } from "../submissions/submissions.js";
import type { MessageAdmission } from "./admission.js";
import type { MessageInspection } from "./inspection.js";

/** Hooks between the store of a message and its turn. */
const INBOUND_HOOKS = ["message_receiving", "message_received", "inbound_claim"] as const;

/** A message that is stored in the transaction of its turn. */
export class UnstoredMessage {
  readonly message: InboxMessage;
  isStored = false;

  /** @param message - as the inbox stores it */
  constructor(message: InboxMessage) {
    this.message = message;
  }
}

/** Dependencies of {@link DirectMessages}. */
export interface DirectMessagesDependencies {
  readonly plugins: Pick<PluginRuntime, "hooks">;
  readonly router: Pick<MessageRouter, "route">;
  readonly live: Pick<LiveSessions, "isFree">;
  readonly sessions: Pick<SessionLifecycle, "mayExpire">;
  readonly admission: Pick<MessageAdmission, "accepts">;
  readonly inspection: Pick<MessageInspection, "isClean">;
  readonly submissions: Pick<Submissions, "isOrdinary">;
}

/**
 * Recognises messages that nothing separates from their turn: their sender is accepted, inspection finds nothing
 * in them, no plugin sees them first, they are neither commands nor answers, and their session is free. One commit stores such a message and its turn.
 */
export class DirectMessages {
  readonly #dependencies: DirectMessagesDependencies;

  /** @param dependencies - hooks, router, turns, sessions, admission, inspection and commands */
  constructor(dependencies: DirectMessagesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns a message that becomes a turn at once, with its route.
   * @param message - as a surface sent it
   * @param stored - the message as the inbox will store it
   * @param route - from {@link DirectMessages.routeOf}
   * @param caller - receiver of the reply
   * @returns undefined for any other message
   */
  find(
    message: InboundMessage,
    { message: stored }: UnstoredMessage,
    route: MessageRoute,
    caller: Caller,
  ): RoutedMessage | undefined {
    const { plugins, live, sessions, admission, inspection, submissions } = this.#dependencies;
    const { text } = message;
    if (!admission.accepts(message) || !inspection.isClean(message)) return undefined;
    if (sessions.mayExpire || !live.isFree(route.sessionKey)) return undefined;
    if (!submissions.isOrdinary(text) || hasAudio(message)) return undefined;
    const context = messageContext(message, stored.id);
    if (INBOUND_HOOKS.some((hook) => plugins.hooks.has(hook, context))) return undefined;
    const row = { ...stored, state: "received" as const };
    const startedAt = performance.now();
    return { message, admitted: message, row: defined(row), route, context, caller, startedAt };
  }

  /**
   * Routes a message before it is stored.
   * @param message - as a surface sent it
   * @returns undefined when it cannot be routed; it is stored first, so that this failure is its outcome
   */
  routeOf(message: InboundMessage): MessageRoute | undefined {
    try {
      return this.#dependencies.router.route(message);
    } catch {
      return undefined;
    }
  }
}
