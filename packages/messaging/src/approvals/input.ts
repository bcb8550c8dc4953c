import type { OutboxRow, Store } from "@openclaw/store";
import { storeAnswer } from "../delivery/message-answer.js";
import type { StoredMessage } from "../inbound/admission.js";
import type { MessageHost } from "../inbound/host.js";
import type { RoutedMessage } from "../inbound/queueing.js";
import { readSessionCommand } from "../sessions/command.js";
import { readApprovalAnswer } from "./answer.js";
import { answerByMessage } from "./reply.js";

/**
 * Whether a message acts on what runs, so that it must not wait for it: it interrupts, or answers a
 * question.
 * @param text - of the message
 * @param sessionKey - its conversation
 * @param host - questions
 */
export async function isUrgent(
  text: string,
  sessionKey: string,
  { store }: MessageHost,
): Promise<boolean> {
  if (readSessionCommand(text)?.kind === "interrupt") return true;
  const written = readApprovalAnswer(text);
  if (written?.kind !== "word") return written !== undefined;
  return (await store.approvals.pending(sessionKey)).length > 0;
}

/** What the sender of an answer is told. */
export interface AnsweredQuestion {
  readonly words: string;
  /** The words as they were stored with the message's outcome; undefined where nothing was decided. */
  readonly stored?: { readonly reply: OutboxRow | undefined };
}

/**
 * Takes a message as the answer to a question, if it is one (TURN-007). The message has its outcome with
 * the decision: no later start of the host takes it for the answer to another question.
 * @param routed - as the inbound hooks left it
 * @param host - questions
 * @returns what to tell its sender; undefined when it is ordinary input
 */
export async function answerQuestion(
  routed: StoredMessage & RoutedMessage,
  host: MessageHost,
): Promise<AnsweredQuestion | undefined> {
  const { admitted, route } = routed;
  const { sessionKey } = route;
  const written = readApprovalAnswer(admitted.text);
  if (written === undefined) return undefined;
  let stored: AnsweredQuestion["stored"];
  const storeWords = async (unit: Store, text: string) => {
    stored = { reply: await storeAnswer(unit, routed, { state: "answered", text, sessionKey }) };
  };
  const words = await answerByMessage(written, admitted, sessionKey, host, storeWords);
  if (words === undefined) return undefined;
  return stored === undefined ? { words } : { words, stored };
}
