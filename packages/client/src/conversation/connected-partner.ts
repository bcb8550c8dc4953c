import { defined } from "@openclaw/foundation/defined";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { ChatEnd, ChatEvent } from "../chat/chat-event.js";
import type { GatewayConnection } from "../connection/gateway-connection.js";
import type { ConnectionState } from "../connection/state.js";
import { GatewayClientError, GatewayUnreachableError } from "../errors.js";
import { screenEventOf } from "./conversation-event.js";
import { type ExchangeResult, resultOf } from "./exchange-result.js";
import { missingVotes } from "./missing-votes.js";
import { type ConversationPartner, type Exchange, reachOf } from "./partner.js";
import { type ObservedSession, OwnMessages, TurnsOfOthers } from "./turns-of-others.js";

/** Time in milliseconds that an interrupted turn has to end. */
const INTERRUPT_MS = 10_000;

/** Options of {@link conversationOver}. */
export interface ConversationOptions {
  /** Full key of the session. */
  readonly sessionKey: string;
  /** `provider/model` that overrides the model of the gateway. */
  readonly model?: string | undefined;
  /** Time in milliseconds without a connection after which an exchange fails; none waits until it is interrupted. */
  readonly giveUpMs?: number | undefined;
  /** URL to show, when the gateway runs on another machine than this program. */
  readonly remoteUrl?: string | undefined;
  /**
   * Shows a line when the connection is lost, and when it is there again, until the connection is closed; an observer
   * receives it as well.
   */
  readonly note?: ((line: string) => void) | undefined;
}

/**
 * Returns a conversation with a running gateway (GW-008). The connection stays that of the caller, who closes it.
 * @param options - session, model, and receiver of lines about the connection
 */
export function conversationOver(
  connection: GatewayConnection,
  options: ConversationOptions,
): ConversationPartner {
  const { sessionKey, remoteUrl, note } = options;
  if (note !== undefined) noteLosses(connection, note);
  const own = new OwnMessages();
  return {
    sessionKey,
    remoteUrl,
    call: (method, parameters) => connection.call(method, parameters),
    send: (text, exchange) => send(connection, own, text, options, exchange),
    attend: (show) => ({ end: showApprovals(connection, show) }),
    observe(observer) {
      const session: ObservedSession = {
        onEvent: (listener) => connection.onAny(listener),
        readHistory: (parameters) => connection.call("chat.history", parameters),
      };
      const others = new TurnsOfOthers(session, sessionKey, own, observer);
      // A failure is that of the connection, which is shown, and the chat works without the events of others.
      const subscribed = connection.subscribe(sessionKey).catch(() => undefined);
      const removeNotes = noteLosses(connection, (line) => observer.note(line));
      const removeState = connection.onState(({ status }) =>
        observer.connected?.(status === "live"),
      );
      return {
        join: (turn) => others.join(turn),
        end() {
          others.end();
          removeNotes();
          removeState();
          void subscribed
            .then((subscription) => subscription?.unsubscribe())
            // Without the connection there is no subscription to end.
            .catch(() => undefined);
        },
      };
    },
    async answer({ id, digest }, chosen) {
      const { decision, input } = chosen;
      const answered = await connection.call(
        "approvals.resolve",
        decision === "allow-always"
          ? { id, digest, decision, ...reachOf(chosen) }
          : { id, digest, decision, ...defined({ input }) },
      );
      return missingVotes(answered);
    },
  };
}

async function send(
  connection: GatewayConnection,
  own: OwnMessages,
  text: string,
  { sessionKey, model, giveUpMs }: ConversationOptions,
  { images, files, signal, onEvent, onStored, onApproval }: Exchange,
): Promise<ExchangeResult> {
  const chat = connection.chat({ sessionKey, text, ...defined({ model, images, files }) });
  const hideApprovals =
    onApproval === undefined
      ? () => {}
      : showApprovals(connection, (approval) => {
          const isOwn = approval.sessionKey === sessionKey;
          if (isOwn || isOfSubagent(approval)) onApproval(approval);
        });
  const stopped = stopOf(connection, sessionKey, signal, giveUpMs);
  signal.addEventListener("abort", () => chat.abort().catch(() => undefined), { once: true });
  if (signal.aborted) return { ok: false, problem: "interrupted", isUnsent: true };
  let isUnsent = true;
  const settle = own.begin();
  const events = chat[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([events.next(), stopped.reason]);
      if ("problem" in next) return { ok: false, ...next };
      if (next.done === true) return { ok: false, problem: "the reply ended without a result" };
      const event = next.value;
      if (event.type === "sent") {
        isUnsent = false;
        settle(event.messageId);
        onStored?.();
      }
      if (isEnd(event)) return resultOf(event);
      const shown = screenEventOf(event);
      if (shown !== undefined) onEvent(shown);
    }
  } catch (error) {
    if (signal.aborted) return { ok: false, problem: "interrupted" };
    if (GatewayClientError.isInstance(error)) {
      return { ok: false, problem: error.message, code: error.code, isUnsent };
    }
    throw error;
  } finally {
    settle();
    stopped.release();
    hideApprovals();
    // Not awaited: an iterator that waits for an event ends only with the next one.
    void events.return().catch(() => undefined);
  }
}

/** Returns true for a request of a subagent, whose session key is `agent:<id>:subagent:<uuid>`. */
function isOfSubagent({ sessionKey }: ApprovalSummary): boolean {
  return /^agent:[^:]+:subagent:/.test(sessionKey);
}

function isEnd(event: ChatEvent): event is ChatEnd {
  return event.type === "final" || event.type === "error";
}

/** Why an exchange ends without its last event. */
interface Stop {
  readonly problem: string;
  readonly code?: string;
}

/** Ends an exchange that cannot end by itself: the gateway is gone, or does not end an interrupted turn. */
function stopOf(
  connection: GatewayConnection,
  sessionKey: string,
  signal: AbortSignal,
  giveUpMs: number | undefined,
): { readonly reason: Promise<Stop>; release(): void } {
  let timer: NodeJS.Timeout | undefined;
  let release = () => {};
  const reason = new Promise<Stop>((resolve) => {
    const onAbort = () => {
      if (connection.state.status !== "live") {
        resolve({
          problem: "interrupted; without a connection, the turn may continue in the gateway",
        });
        return;
      }
      const problem = "interrupted; the gateway has not ended the turn yet";
      const wait: unknown = setTimeout(() => resolve({ problem }), INTERRUPT_MS);
      // A timer of a browser is a number, and keeps nothing running.
      if (wait instanceof Object && "unref" in wait && typeof wait.unref === "function")
        wait.unref();
    };
    const onState = ({ status }: ConnectionState) => {
      if (status === "live") {
        clearTimeout(timer);
        timer = undefined;
      } else if (status === "reconnecting" && giveUpMs !== undefined) {
        const problem = `the connection to the gateway was lost, and did not come back within ${giveUpMs / 1000} s; the message may still be answered, see \`openclaw sessions show ${sessionKey}\``;
        const { code } = GatewayUnreachableError;
        timer ??= setTimeout(() => resolve({ problem, code }), giveUpMs);
      }
    };
    const removeState = connection.onState(onState);
    signal.addEventListener("abort", onAbort, { once: true });
    release = () => {
      clearTimeout(timer);
      removeState();
      signal.removeEventListener("abort", onAbort);
    };
  });
  return { reason, release };
}

function showApprovals(
  connection: GatewayConnection,
  show: (approval: ApprovalSummary) => void,
): () => void {
  const removes = [
    connection.on("approval.requested", ({ payload }) => show(payload)),
    connection.on("approval.resolved", ({ payload }) => show(payload)),
  ];
  return () => {
    for (const remove of removes) remove();
  };
}

function noteLosses(connection: GatewayConnection, note: (line: string) => void): () => void {
  let isLost = false;
  return connection.onState((state) => {
    if (state.status === "reconnecting" && !isLost) {
      isLost = true;
      const { error } = state;
      const isGone = error.code === GatewayUnreachableError.code;
      note(`${isGone ? "the gateway does not respond" : error.message}; connecting again`);
    } else if (state.status === "live" && isLost) {
      isLost = false;
      note("connected to the gateway again");
    } else if (state.status === "refused") {
      note(state.error.message);
    }
  });
}
