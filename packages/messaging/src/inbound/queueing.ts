import { orderedId } from "@openclaw/foundation";
import type { Turn } from "@openclaw/store";
import { answerMessage } from "../delivery/message-answer.js";
import type { InboundMessage, ReplyOutcome } from "../messages/inbound.js";
import { interruptSession } from "../sessions/interrupt.js";
import { readTurnInput, writeTurnInput } from "../turns/input.js";
import { runQueuedTurn } from "../turns/run.js";
import type { LinedTurn } from "../turns/session-queues.js";
import type { StoredMessage } from "./admission.js";
import type { MessageHost } from "./host.js";
import type { MessageRoute } from "./route.js";

/** Most messages that wait in one session (TURN-056). */
const MOST_WAITING = 32;
const BUSY = "I am still busy with your earlier messages. Wait for an answer, or use /interrupt.";
const IN_PROGRESS = "Turn in progress. Use /interrupt to cancel.";

/** A message that goes to its session, as the inbound hooks left it. */
export interface RoutedMessage extends StoredMessage {
  readonly admitted: InboundMessage;
  readonly route: MessageRoute;
}

/** What became of a message in its session; of a queued one the reply is still to come. */
export type Queueing =
  | { outcome: "queued"; turn: Turn; reply: Promise<ReplyOutcome> }
  | { outcome: "refused"; text: string };

/**
 * Lets a message become a turn of its session, or part of one, as the queue mode says (TURN-056).
 * @param routed - the message
 * @param host - store, lines and services
 * @throws what the store throws; the message's outcome is then still open
 */
export async function queueMessage(routed: RoutedMessage, host: MessageHost): Promise<Queueing> {
  const { sessionKey } = routed.route;
  const line = host.turnLines.of(sessionKey);
  if (host.queueMode === "reject" && line.length > 0) return refuse(routed, IN_PROGRESS, host);
  if (host.queueMode === "collect") {
    const joined = await joinWaiting(routed, line, host);
    if (joined !== undefined) return joined;
  }
  if (line.filter(({ isRunning }) => !isRunning).length >= MOST_WAITING) {
    return refuse(routed, BUSY, host);
  }
  await host.sessions.renewWhenDue(sessionKey);
  const turn = await storeTurn(routed, host);
  if (host.queueMode === "interrupt") await interruptSession(sessionKey, host);
  const lined = host.turnLines.enter(turn, [routed.caller], (entered) =>
    runQueuedTurn(entered, routed.context, host),
  );
  if (host.queueMode === "steer") {
    const running = line.find((each) => each.isRunning && goTogether(routed, each));
    running?.steering.push(lined);
  }
  return { outcome: "queued", turn, reply: lined.outcome };
}

async function refuse(routed: RoutedMessage, text: string, host: MessageHost): Promise<Queueing> {
  const { sessionKey } = routed.route;
  return {
    outcome: "refused",
    text: await answerMessage(routed, { state: "answered", text, sessionKey }, host),
  };
}

/** The message's outcome and the turn that answers it are one transaction. */
async function storeTurn(routed: RoutedMessage, host: MessageHost): Promise<Turn> {
  const { row, admitted, context } = routed;
  const { sessionKey, agentId } = routed.route;
  const { channel } = admitted;
  const runId = orderedId(host.services.now());
  const { turn, session, created } = await host.store.transaction(async (unit) => {
    const opened = await unit.sessions.open(sessionKey, { agentId, channel });
    await unit.inbox.settle(row.id, { state: "queued", sessionKey, runId });
    const { sessionId } = opened.session;
    const trigger = channel === "api" ? "api" : "user";
    const payload = writeTurnInput(admitted);
    const queued = { runId, sessionKey, sessionId, agentId, trigger, payload } as const;
    return { turn: await unit.turns.enqueue({ ...queued, inboxId: row.id }), ...opened };
  });
  host.sessions.opened(session, created, context);
  return turn;
}

/** Adds the text to that of a turn of the same sender that has not begun yet. */
async function joinWaiting(
  routed: RoutedMessage,
  line: readonly LinedTurn[],
  { store }: MessageHost,
): Promise<Queueing | undefined> {
  const waiting = line.findLast((each) => !each.isRunning && goTogether(routed, each));
  if (waiting === undefined) return undefined;
  const { runId, sessionKey } = waiting.turn;
  const turn = await store.transaction(async (unit) => {
    const queued = await unit.turns.get(runId);
    if (queued?.state !== "queued") return undefined;
    const input = readTurnInput(queued);
    const text = `${input.text}\n\n${routed.admitted.text}`;
    await unit.inbox.settle(routed.row.id, { state: "queued", sessionKey, runId });
    return await unit.turns.amend(runId, writeTurnInput({ ...input, text }));
  });
  if (turn === undefined) return undefined;
  waiting.callers.push(routed.caller);
  return { outcome: "queued", turn, reply: waiting.outcome };
}

/** One person's words may join; another's must not speak with that person's rights. */
function goTogether({ admitted }: RoutedMessage, { turn }: LinedTurn): boolean {
  if (turn.payload === undefined) return false;
  const input = readTurnInput(turn);
  const isOwnRequest = [admitted, input].some(
    ({ model, extraInstructions, history }) =>
      model !== undefined || extraInstructions !== undefined || history !== undefined,
  );
  return (
    !isOwnRequest &&
    input.channel === admitted.channel &&
    input.conversationId === admitted.conversationId &&
    input.senderId === admitted.senderId &&
    input.senderIsOwner === admitted.senderIsOwner
  );
}
