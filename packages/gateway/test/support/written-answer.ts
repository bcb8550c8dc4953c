import {
  answerOf,
  parseSubmission,
  readApprovalCommand,
  type WrittenAnswer,
} from "@openclaw/messaging";

/** Reads a text as a decision in a conversation with a pending approval request. */
export function readWrittenAnswer(text: string): WrittenAnswer | undefined {
  const submission = parseSubmission(text, { approvalPending: true });
  return submission.kind === "ApprovalResponse" || submission.kind === "ExecApproval"
    ? answerOf(submission, text)
    : readApprovalCommand(text);
}
