import { defined } from "@openclaw/foundation";
import { requesterName } from "@openclaw/messaging";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows, timeOf } from "../shell/table.js";
import { UsageError } from "../shell/usage-error.js";
import { withApprovalMethods } from "./methods.js";

/**
 * Runs `openclaw approvals grants`: lists the lasting grants, which let calls run without a new approval.
 * @param options - session, limit and format
 * @param context - terminal and environment
 */
export async function listGrantsCommand(
  { session, limit, json = false }: { session?: string; limit?: number; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { grants } = await withApprovalMethods(
    context,
    (call) => call("approvals.grants", defined({ sessionKey: session, limit })),
    "reads",
  );
  if (json) terminal.print(JSON.stringify({ grants }));
  else if (grants.length === 0) terminal.print("No grants.");
  else {
    printRows(
      grants.map((grant) => [
        grant.id,
        grant.label,
        grant.scope === "session" ? grant.sessionKey : reachOf(grant),
        `used ${grant.uses}×`,
        `by ${grant.createdBy}, ${timeOf(grant.createdAt)}`,
      ]),
      terminal,
    );
    terminal.print("");
    terminal.print(terminal.colors.dim("Revoke: openclaw approvals revoke <id> | --all"));
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw approvals revoke`: revokes one grant or all of them; the next matching call needs approval
 * again.
 * @param id - ID of the grant; undefined with `all`
 * @param options - `all` and format
 * @param context - terminal and environment
 * @throws UsageError when neither or both are given
 */
export async function revokeGrantCommand(
  id: string | undefined,
  { all = false, json = false }: { all?: boolean; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  if ((id === undefined) === !all) {
    throw new UsageError("give either the ID of a grant or --all; see openclaw approvals grants");
  }
  const { revoked } = await withApprovalMethods(context, (call) =>
    call("approvals.revoke", id === undefined ? { all: true } : { id }),
  );
  const { terminal } = context;
  if (json) terminal.print(JSON.stringify({ revoked }));
  else terminal.print(`${revoked.length} ${revoked.length === 1 ? "grant" : "grants"} revoked.`);
  return EXIT.ok;
}

function reachOf({
  scope,
  agentId,
  requester,
}: {
  scope: string;
  agentId: string;
  requester: { senderId: string; channel: string };
}): string {
  switch (scope) {
    case "requester":
      return `${agentId} for ${requesterName(requester)}`;
    case "agent":
      return `${agentId} for every requester`;
    default:
      return "everything";
  }
}
