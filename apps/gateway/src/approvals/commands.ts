import { formPrompts } from "@openclaw/approval-broker";
import type { InputOfUser } from "@openclaw/client/conversation";
import { defined, escapeUnseen } from "@openclaw/foundation";
import { approvalLines, duration } from "@openclaw/messaging";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printPaged } from "../shell/pager.js";
import { printRows, timeOf } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";
import { withApprovalMethods } from "./methods.js";

/** Options of `approvals list` and `approvals history`. */
export interface ListOptions {
  session?: string;
  limit?: number;
  json?: boolean;
}

/** Options of `approvals approve` and `approvals deny`. */
export interface AnswerOptions {
  always?: boolean;
  scope?: "session" | "agent" | "global";
  prefix?: readonly string[];
  /** Values for a request for input, `name=value`. */
  field?: readonly string[];
  /** Note of a denial, which the model receives. */
  note?: string;
  json?: boolean;
}

/**
 * Runs `openclaw approvals list`: prints the pending approval requests.
 * @param options - session, limit and format
 * @param context - terminal and environment
 */
export async function listApprovalsCommand(
  { session, limit, json = false }: ListOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { approvals } = await withApprovalMethods(
    context,
    (call) => call("approvals.list", filterOf(session, limit)),
    "reads",
  );
  if (json) terminal.print(JSON.stringify({ approvals }));
  else if (approvals.length === 0) terminal.print("No pending approvals.");
  else {
    const now = Date.now();
    printRows(
      approvals.map((approval) => [
        approval.code,
        approval.tool ?? approval.kind,
        approval.title,
        waitText(approval, now),
        approval.sessionKey,
      ]),
      terminal,
    );
    terminal.print("");
    terminal.print(terminal.colors.dim("Next: openclaw approvals show | approve | deny <code>"));
  }
  return EXIT.ok;
}

/** Returns the time that is left, and the votes of a request that several people decide. */
function waitText(
  { expiresAt, quorum }: Pick<ApprovalSummary, "expiresAt" | "quorum">,
  now: number,
): string {
  const left = `${duration(Math.max(0, Math.ceil((expiresAt - now) / 1000)))} left`;
  return quorum === undefined ? left : `${left}, ${quorum.allowed} of ${quorum.count} allowed`;
}

/**
 * Runs `openclaw approvals history`: prints approval requests that are no longer pending, with their outcome.
 * @param options - session, limit and format
 * @param context - terminal and environment
 */
export async function approvalHistoryCommand(
  { session, limit, json = false }: ListOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { approvals } = await withApprovalMethods(
    context,
    (call) => call("approvals.history", filterOf(session, limit)),
    "reads",
  );
  if (json) terminal.print(JSON.stringify({ approvals }));
  else if (approvals.length === 0) terminal.print("No settled approvals.");
  else {
    printRows(
      approvals.map((approval) => [
        approval.code,
        approval.tool ?? approval.kind,
        approval.title,
        approval.state,
        decisionOf(approval),
      ]),
      terminal,
    );
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw approvals show`: prints all details of an approval request.
 * @param id - ID or code of the request
 * @param options - format
 * @param context - terminal and environment
 */
export async function showApprovalCommand(
  id: string,
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const approval = await withApprovalMethods(
    context,
    (call) => call("approvals.get", { id }),
    "reads",
  );
  if (json) terminal.print(JSON.stringify(approval));
  else await printPaged(approvalPage(approval, terminal), terminal);
  return EXIT.ok;
}

/**
 * Runs `openclaw approvals approve` or `deny`: decides an approval request. The decision applies only to the
 * content that the request shows at this moment.
 * @param id - ID or code of the request
 * @param answer - the decision
 * @param options - for how long and how widely to allow, and format
 * @param context - terminal and environment
 */
export async function answerApprovalCommand(
  id: string,
  answer: "allow" | "deny",
  { always = false, scope, prefix, field, note, json = false }: AnswerOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const isLasting = always || scope !== undefined || prefix !== undefined;
  const allowed = isLasting ? "allow-always" : "allow-once";
  const { approval, isRunning } = await withApprovalMethods(context, async (call, host) => {
    const { digest, input: form } = await call("approvals.get", { id });
    const input = field === undefined ? undefined : inputOf(field, form);
    const decided = await call("approvals.resolve", {
      id,
      digest,
      decision: answer === "deny" ? "deny" : allowed,
      ...defined({ scope, prefixes: prefix?.slice(), input, note }),
    });
    return { approval: decided, isRunning: host.isRunning };
  });
  if (json) terminal.print(JSON.stringify(approval));
  else {
    const { quorum, state } = approval;
    const isOpen = state === "pending" && quorum !== undefined;
    const outcome = isOpen ? `allowed by ${quorum.allowed} of ${quorum.count} people` : state;
    terminal.print(`${nameOf(approval)} is ${outcome}.`);
    if (isOpen) terminal.print("More people must allow it before it runs.");
    if (!isRunning && approval.runId !== undefined) {
      terminal.print("No gateway is running; the turn resumes when one starts.");
    }
  }
  return EXIT.ok;
}

/** Returns the values of a form with the types of its fields. The gateway checks them, and rejects what does not fit. */
function inputOf(pairs: readonly string[], form: ApprovalSummary["input"]): InputOfUser {
  const questions = form === undefined ? [] : formPrompts(form.schema);
  const values: InputOfUser = {};
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    const text = pair.slice(at + 1);
    const read = questions.find((each) => each.name === name)?.read(text);
    const value = read !== undefined && "value" in read ? read.value : undefined;
    values[name] = value ?? text;
  }
  return values;
}

function filterOf(session: string | undefined, limit: number | undefined) {
  return defined({ sessionKey: session, limit });
}

/** Returns all details of an approval request, however long (APPR-047). */
function approvalPage(approval: ApprovalSummary, { colors }: Terminal): readonly string[] {
  const { title, description, state, change } = approval;
  const isOpen = state === "pending";
  const lines = [
    ...approvalLines(approval, Date.now(), "whole").filter(({ name }) => isOpen || name !== "time"),
    { name: "session", value: escapeUnseen(approval.sessionKey) },
    { name: "id", value: approval.id },
    ...(isOpen ? [] : [{ name: "decided", value: decisionOf(approval) }]),
    ...(approval.consumedAt === undefined
      ? []
      : [{ name: "ran", value: timeOf(approval.consumedAt) }]),
  ];
  return [
    `${colors.bold(escapeUnseen(title))} ${colors.dim(state)}`,
    ...(description === "" ? [] : [`  ${escapeUnseen(description)}`]),
    ...lines.map(({ name, value }) => `  ${colors.dim(name.padEnd(8))} ${value}`),
    ...(change === undefined ? [] : ["", ...diffOf(change, colors)]),
  ];
}

/** Returns the lines of a unified diff, as approvers of a chat see them. */
function diffOf(change: string, { green, red }: Terminal["colors"]): readonly string[] {
  return change
    .trimEnd()
    .split("\n")
    .map(escapeUnseen)
    .map(
      (line) => `  ${line.startsWith("+") ? green(line) : line.startsWith("-") ? red(line) : line}`,
    );
}

function decisionOf({ decidedBy = "", decidedVia, decidedAt }: ApprovalSummary): string {
  const isNamed = decidedVia === undefined || decidedBy.startsWith(decidedVia);
  const way = isNamed ? "" : ` by ${decidedVia}`;
  return `${escapeUnseen(decidedBy)}${way}${decidedAt === undefined ? "" : `, ${timeOf(decidedAt)}`}`;
}

function nameOf({ code, tool, title }: ApprovalSummary): string {
  return `${code} (${escapeUnseen(tool ?? title)})`;
}
