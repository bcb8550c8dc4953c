import { defined } from "@openclaw/foundation";
import type { ApprovalGrantSummary, ApprovalSummary } from "@openclaw/protocol";
import { parseCommand, type SimpleCommand } from "@openclaw/safety";
import type { Approval, ApprovalGrant } from "@openclaw/store/decisions";

/** Stands for what is known only once the command runs. */
const COMPUTED = "…";

/**
 * A stored question as people and clients see it: with the commands of a shell tool one by one, so that
 * nothing hides behind quoting, wrappers or pipes (APPR-025).
 * @param approval - the stored question
 */
export async function summarizeApproval(approval: Approval): Promise<ApprovalSummary> {
  const { grant, ...shown } = approval;
  const commands = await commandsOf(approval);
  const grantPrefixes = grant.prefixes?.map(({ words, proposed }) =>
    words.slice(0, proposed).join(" "),
  );
  return defined({
    ...shown,
    grantScope: grant.scope,
    grantPrefixes: grantPrefixes && [...new Set(grantPrefixes)],
    commands,
  });
}

/**
 * A stored grant as people and clients see it.
 * @param grant - the stored grant
 */
export function summarizeGrant({
  key: _key,
  revokedAt: _revokedAt,
  ...shown
}: ApprovalGrant): ApprovalGrantSummary {
  return defined(shown);
}

async function commandsOf({ tool, params }: Approval): Promise<readonly string[] | undefined> {
  if (tool !== "exec" || typeof params !== "object" || params === null) return undefined;
  const { command } = params as { readonly command?: unknown };
  if (typeof command !== "string") return undefined;
  const { commands, complete } = await parseCommand(command);
  const read = commands.map(textOf).filter((text) => text !== "");
  return complete ? read : [...read, "and something that could not be read"];
}

function textOf({ program, arguments: words, assignments, redirections, wrappers }: SimpleCommand) {
  return [
    ...(wrappers.length === 0 ? [] : [`(${wrappers.join(" ")})`]),
    ...assignments.map(({ name, value = COMPUTED }) => `${name}=${value}`),
    program ?? COMPUTED,
    ...words.map((word) => word ?? COMPUTED),
    ...redirections.map(({ operator, target = COMPUTED }) => `${operator} ${target}`),
  ]
    .filter((text) => text !== "")
    .join(" ");
}
