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

function unknown(problem: string): Intent {
  return { kind: "Unknown", problem };
}
