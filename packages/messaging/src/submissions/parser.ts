import {
  type ExecApproval,
  LONGEST_APPROVAL_WORD,
  readApprovalWord,
} from "../approvals/approval-words.js";
import type {
  ControlSubmission,
  Submission,
  SubmissionContext,
  SystemCommand,
} from "./submission.js";

const CONTROLS: ReadonlyMap<string, ControlSubmission["kind"]> = new Map([
  ["/undo", "Undo"],
  ["/redo", "Redo"],
  ["/interrupt", "Interrupt"],
  ["/stop", "Interrupt"],
  ["/compact", "Compact"],
  ["/clear", "Clear"],
  ["/heartbeat", "Heartbeat"],
  ["/summarize", "Summarize"],
  ["/summary", "Summarize"],
  ["/suggest", "Suggest"],
  ["/new", "NewThread"],
  ["/thread new", "NewThread"],
]);

const SYSTEM: ReadonlyMap<string, SystemCommand["command"]> = new Map([
  ["/help", "help"],
  ["/?", "help"],
  ["/version", "version"],
  ["/tools", "tools"],
  ["/ping", "ping"],
  ["/debug", "debug"],
  ["/models", "model"],
]);

const QUIT: ReadonlySet<string> = new Set(["/quit", "/exit", "/shutdown"]);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Length of the longest text that is compared with whole commands; longer ones are not brought to lower case. */
const LONGEST_COMMAND = 64;
/** Length of the longest text that is read as JSON; an approval takes about 100 characters. */
const LONGEST_JSON = 1000;

/**
 * Classifies the text of a message; the first of these that matches decides: control words, system commands,
 * `/model`, quit words, `/thread <uuid>`, `/resume <uuid>`, approval JSON, approval words (SUB-002). Letter case
 * and white space around the text are ignored, and kept in user input (SUB-001).
 * @param content - text of a message
 * @param context - state of the conversation
 */
export function parseSubmission(
  content: string,
  { approvalPending }: SubmissionContext,
): Submission {
  const trimmed = content.trim();
  const submission = trimmed.startsWith("/")
    ? readSlashed(trimmed)
    : trimmed.startsWith("{")
      ? readExecApproval(trimmed)
      : undefined;
  if (submission !== undefined) return submission;
  if (approvalPending && trimmed.length <= LONGEST_COMMAND) {
    const word = spaced(trimmed);
    const response =
      word.length <= LONGEST_APPROVAL_WORD ? readApprovalWord(word, "any") : undefined;
    if (response !== undefined) return response;
  }
  return { kind: "UserInput", content };
}

function readSlashed(trimmed: string): Submission | undefined {
  if (trimmed.length <= LONGEST_COMMAND) {
    const command = readWhole(spaced(trimmed));
    if (command !== undefined) return command;
  }
  const model = /^\/model(?:\s+(.*))?$/is.exec(trimmed);
  if (model === null) return undefined;
  return { kind: "SystemCommand", command: "model", args: words(model[1] ?? "") };
}

/** Reads a command whose whole text is known, in lower case and with single spaces. */
function readWhole(text: string): Submission | undefined {
  const control = CONTROLS.get(text);
  if (control !== undefined) return { kind: control };
  const command = SYSTEM.get(text);
  if (command !== undefined) return { kind: "SystemCommand", command, args: [] };
  if (QUIT.has(text)) return { kind: "Quit" };
  const [name, id = "", ...more] = text.split(" ");
  if (more.length > 0 || !UUID.test(id)) return undefined;
  if (name === "/thread") return { kind: "SwitchThread", threadId: id };
  return name === "/resume" ? { kind: "Resume", checkpointId: id } : undefined;
}

/** Reads `{"ExecApproval": {"request_id": …, "approved": …, "always": …}}` (SUB-008). */
function readExecApproval(trimmed: string): ExecApproval | undefined {
  if (trimmed.length > LONGEST_JSON) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(trimmed);
  } catch {
    return undefined;
  }
  const outer = fieldsOf(parsed);
  if (outer === undefined || Object.keys(outer).join() !== "ExecApproval") return undefined;
  const { request_id, approved, always } = fieldsOf(outer.ExecApproval) ?? {};
  if (typeof request_id !== "string" || typeof approved !== "boolean") return undefined;
  const requestId = request_id.toLowerCase();
  if (typeof always !== "boolean" || !UUID.test(requestId)) return undefined;
  return { kind: "ExecApproval", requestId, approved, always };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return { ...value };
}

function spaced(trimmed: string): string {
  return trimmed.toLowerCase().replaceAll(/\s+/g, " ");
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
