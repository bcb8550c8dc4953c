import type { WrittenAnswer } from "../approvals/answer.js";
import type { ElevateCommand } from "../sessions/elevated-mode.js";

/** Meaning of user input that begins with a slash, read by {@link routeInput}. */
export type Intent =
  | JobIntent
  | { readonly kind: "Approval"; readonly answer: WrittenAnswer }
  /** Starts an empty conversation in the session, and fires the hooks of a reset (SUB-048). */
  | { readonly kind: "Reset" }
  | ElevateCommand
  /** Lists the conversations and checkpoints of the session. */
  | { readonly kind: "ListThreads" }
  /** Lists the pending approval requests and the grants of the conversation. */
  | { readonly kind: "ListApprovals" }
  /** Shows the tokens that models have used in the conversation. */
  | { readonly kind: "ShowCost" }
  /** A command about routines, `/cron`. */
  | { readonly kind: "Routine"; readonly text: string }
  /** Lists the sessions of the host. */
  | { readonly kind: "ListSessions" }
  | PluginCommandIntent
  | { readonly kind: "Unknown"; readonly problem: string };

/** Intent about a background job. */
export type JobIntent =
  | { readonly kind: "CreateJob"; readonly title: string; readonly description: string }
  /** Without an ID: the status of the conversation. */
  | { readonly kind: "CheckJobStatus"; readonly jobId: string | undefined }
  | { readonly kind: "CancelJob"; readonly jobId: string }
  | { readonly kind: "RestartJob" | "LogJob"; readonly jobId: string }
  /** Gives a job whose budget is used up more: `50000` or `50k` tokens, `$2`, or as much again. */
  | { readonly kind: "ContinueJob"; readonly jobId: string; readonly amount: string | undefined }
  /** Gives a job that works a further prompt. */
  | { readonly kind: "PromptJob"; readonly jobId: string; readonly text: string }
  | { readonly kind: "ListJobs"; readonly filter: string | undefined }
  /** `/help <word>`: the word is a command or the ID of a job. */
  | { readonly kind: "HelpJob"; readonly jobId: string };

/** A slash word that is not built in; a plugin may have registered it. */
export interface PluginCommandIntent {
  readonly kind: "Command";
  /** Name without the slash, in lower case. */
  readonly name: string;
  /** Words after the name, as written. */
  readonly args: readonly string[];
  /** Text after the name, trimmed. */
  readonly text: string;
}
