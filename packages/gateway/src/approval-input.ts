import { readApprovalAnswer } from "./approval-answer.js";
import { answerByMessage } from "./approval-reply.js";
import type { MessageHost } from "./message-host.js";
import type { RoutedMessage } from "./message-queueing.js";
import { readSessionCommand } from "./session-command.js";

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

/**
 * Takes a message as the answer to a question, if it is one (TURN-007).
 * @param routed - as the inbound hooks left it
 * @param host - questions
 * @returns what to tell its sender; undefined when it is ordinary input
 */
export async function answerQuestion(
  { admitted, route }: RoutedMessage,
  host: MessageHost,
): Promise<string | undefined> {
  const written = readApprovalAnswer(admitted.text);
  if (written === undefined) return undefined;
  return answerByMessage(written, admitted, route.sessionKey, host);
}
