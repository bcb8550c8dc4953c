import { readApprovalCommand } from "../approvals/answer.js";
import { readElevateCommand } from "../sessions/elevated-mode.js";
import type { Intent } from "./intent.js";

/**
 * Routes user input that begins with a slash (SUB-012, SUB-013). Text that begins with white space, and text whose
 * first word has a second slash, such as a path, is ordinary input, unless it decides an approval request.
 * @param content - content of a `UserInput`
 * @returns undefined for ordinary input
 */
export function routeInput(content: string): Intent | undefined {
  const trimmed = content.trim();
  if (!trimmed.startsWith("/")) return undefined;
  const answer = readApprovalCommand(trimmed);
  if (answer !== undefined) return { kind: "Approval", answer };
  const elevate = readElevateCommand(trimmed);
  if (elevate !== undefined) return elevate;
  if (trimmed.toLowerCase() === "/reset") return { kind: "Reset" };
  if (!content.startsWith("/")) return undefined;
  const [, first = "", rest = ""] = /^\/(\S*)\s*(.*)$/s.exec(trimmed) ?? [];
  if (first.includes("/")) return undefined;
  return intentOf(first.toLowerCase(), rest);
}

function intentOf(name: string, text: string): Intent {
  const args = text === "" ? [] : text.split(/\s+/);
  const [argument] = args;
  switch (name) {
    case "":
      return unknown("a command has a name after the slash");
    case "job":
    case "create": {
      const verb = jobPrompt(text) ?? jobVerb(args);
      if (verb !== undefined) return verb;
      // The task keeps its lines: a list, or code, would be another task without them.
      return { kind: "CreateJob", title: text, description: text };
    }
    case "status":
      return { kind: "CheckJobStatus", jobId: argument };
    case "cancel":
      return argument === undefined
        ? unknown("/cancel needs the ID of a job")
        : { kind: "CancelJob", jobId: argument };
    case "list":
    case "jobs":
      return { kind: "ListJobs", filter: argument };
    case "help":
    case "?":
      return argument === undefined
        ? unknown("/help takes one name")
        : { kind: "HelpJob", jobId: argument };
    case "threads":
      return { kind: "ListThreads" };
    case "thread":
    case "resume":
      return argument === undefined
        ? { kind: "ListThreads" }
        : unknown(`/${name} takes one UUID; use /${name} alone to list what there is`);
    case "approvals":
      return { kind: "ListApprovals" };
    case "cron":
    case "routines":
      return { kind: "Routine", text };
    case "cost":
      return { kind: "ShowCost" };
    case "sessions":
      return { kind: "ListSessions" };
    default:
      return { kind: "Command", name, args, text };
  }
}

/** Text that can be the ID of a job, or the beginning of one. */
const JOB_ID = /^[0-9a-f]{4,}[0-9a-f-]*$/i;

const JOB_VERBS = new Map([
  ["cancel", "CancelJob"],
  ["restart", "RestartJob"],
  ["log", "LogJob"],
  ["status", "CheckJobStatus"],
] as const);

/** Reads `/job prompt <id> <text>`, whose text keeps its lines. */
function jobPrompt(text: string): Intent | undefined {
  const [, jobId = "", prompt = ""] =
    /^prompt(?:\s+(\S+)(?:\s+([\s\S]+))?)?$/i.exec(text.trim()) ?? [];
  if (/^prompt$/i.test(text.trim())) {
    return unknown("/job prompt needs the ID of a job and a text; /jobs shows the IDs");
  }
  return JOB_ID.test(jobId) && prompt !== ""
    ? { kind: "PromptJob", jobId, text: prompt }
    : undefined;
}

/** Amount that `/job continue` adds: tokens, thousands of tokens, or dollars. */
const AMOUNT = /^(?:[1-9]\d{0,8}k?|\$(?:\d{1,6}\.)?\d{1,6})$/i;

/** Reads `/job continue <id> [amount]`. */
function jobContinuation(jobId: string | undefined, rest: readonly string[]): Intent | undefined {
  if (jobId === undefined)
    return unknown("/job continue needs the ID of a job; /jobs shows the IDs");
  const [amount, ...more] = rest;
  const isAmount = amount === undefined || AMOUNT.test(amount);
  if (!JOB_ID.test(jobId) || !isAmount || more.length > 0) return undefined;
  return { kind: "ContinueJob", jobId, amount };
}

/**
 * Reads `/job cancel|restart|log|status <id>` and `/job continue <id> [amount]`; every other text after `/job`, except for
 * such a word alone, is a task.
 */
function jobVerb([word = "", jobId, ...rest]: readonly string[]): Intent | undefined {
  const verb = word.toLowerCase();
  if (verb === "continue") return jobContinuation(jobId, rest);
  const kind = [...JOB_VERBS].find(([known]) => known === verb)?.[1];
  if (kind === undefined || rest.length > 0) return undefined;
  if (jobId === undefined)
    return unknown(`/job ${verb} needs the ID of a job; /jobs shows the IDs`);
  return JOB_ID.test(jobId) ? { kind, jobId } : undefined;
}

function unknown(problem: string): Intent {
  return { kind: "Unknown", problem };
}
