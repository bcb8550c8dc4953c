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
      const verb = args.length === 2 ? jobVerb(args[0]?.toLowerCase(), args[1] ?? "") : undefined;
      if (verb !== undefined) return verb;
      const title = args.join(" ");
      return { kind: "CreateJob", title, description: title };
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

/** Reads `/job cancel|restart|log|status <id>`; every other text after `/job` is a task. */
function jobVerb(verb: string | undefined, jobId: string): Intent | undefined {
  if (!JOB_ID.test(jobId)) return undefined;
  switch (verb) {
    case "cancel":
      return { kind: "CancelJob", jobId };
    case "restart":
      return { kind: "RestartJob", jobId };
    case "log":
      return { kind: "LogJob", jobId };
    case "status":
      return { kind: "CheckJobStatus", jobId };
    default:
      return undefined;
  }
}

function unknown(problem: string): Intent {
  return { kind: "Unknown", problem };
}
