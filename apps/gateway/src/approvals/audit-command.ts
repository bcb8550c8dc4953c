import { defined } from "@openclaw/foundation";
import type { ApprovalAuditEntry } from "@openclaw/protocol";
import { deviceFingerprint } from "@openclaw/protocol/device";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows, timeOf } from "../shell/table.js";
import { withApprovalMethods } from "./methods.js";

/** Options of `approvals audit`, which select the entries. */
export interface AuditOptions {
  /** ID or code of an approval request. */
  approval?: string;
  session?: string;
  limit?: number;
  verify?: boolean;
  json?: boolean;
}

/**
 * Runs `openclaw approvals audit`: prints the audit log of requests, decisions and grants, oldest first, or
 * with `verify` checks that no entry was changed (APPR-034). JSON output has one entry per line.
 * @param options - selection and format
 * @param context - terminal and environment
 */
export async function auditCommand(
  options: AuditOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { json = false, verify = false } = options;
  return verify ? verifyAudit(json, context) : printAudit(options, context);
}

async function verifyAudit(json: boolean, context: CommandContext): Promise<ExitCode> {
  const { terminal } = context;
  const verdict = await withApprovalMethods(
    context,
    (call) => call("approvals.verify", {}),
    "reads",
  );
  if (json) terminal.print(JSON.stringify(verdict));
  else if (verdict.intact)
    terminal.print(
      `Audit log intact (${verdict.rows} ${verdict.rows === 1 ? "entry" : "entries"}).`,
    );
  else terminal.print(`Audit log changed at entry ${verdict.seq}: ${verdict.problem}.`);
  return verdict.intact ? EXIT.ok : EXIT.negative;
}

async function printAudit(
  { approval, session, limit, json = false }: AuditOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { entries } = await withApprovalMethods(
    context,
    (call) => call("approvals.audit", defined({ id: approval, sessionKey: session, limit })),
    "reads",
  );
  const rows = entries.toReversed();
  if (json) for (const row of rows) terminal.print(JSON.stringify(row));
  else if (rows.length === 0) terminal.print("No matching audit log entries.");
  else printRows(rows.map(cellsOf), terminal);
  return EXIT.ok;
}

function cellsOf(entry: ApprovalAuditEntry): readonly string[] {
  const { seq, at, event, approvalId, grantId, deviceId, tool, actor, via } = entry;
  const { decision, reason } = entry;
  const who = actor === undefined ? (via ?? "") : `${actor.channel}:${actor.id}`;
  const what = [
    decision,
    tool,
    approvalId ?? grantId,
    deviceId && deviceFingerprint(deviceId),
    reason,
  ];
  return [String(seq), timeOf(at), event, who, what.filter((part) => part !== undefined).join(" ")];
}
