import { type ApprovalBroker, isBoundBySandbox, shownCommands } from "@openclaw/approval-broker";
import { defined, escapeUnseen } from "@openclaw/foundation";
import type { ApprovalGrantSummary, ApprovalSummary } from "@openclaw/protocol";
import { parseCommand } from "@openclaw/safety";
import type { Store } from "@openclaw/store";
import type {
  Approval,
  ApprovalGrant,
  ApprovalQuorum,
  ApprovalRequester,
  ApprovalVote,
} from "@openclaw/store/decisions";
import { parameterText } from "./parameter-text.js";

/** Part of the broker that knows whether an allowed command runs in a sandbox, which job asks, and who has voted. */
export type ApprovalKnowledge = Pick<ApprovalBroker, "runsInSandbox" | "jobOf" | "votesOf">;

/**
 * Converts a stored approval request for people and clients: with the commands of a shell tool one by one, so
 * that nothing hides behind quoting, wrappers or pipes (APPR-025), and with the parameters as text in which
 * each character is visible (APPR-047).
 * @param approval - stored approval request
 * @param broker - knows how allowed commands run, and which job asks
 */
export async function summarizeApproval(
  approval: Approval,
  broker: ApprovalKnowledge,
): Promise<ApprovalSummary> {
  // The values of a person are for the call.
  const {
    grant,
    commands = await commandsOf(approval),
    argv,
    rule,
    answer: _answer,
    quorum,
    ...shown
  } = approval;
  const grantPrefixes = grant.prefixes?.map(({ words, proposed }) =>
    words.slice(0, proposed).join(" "),
  );
  return defined({
    ...shown,
    requester: personOf(approval.requester),
    grantScope: grant.scope,
    grantCovers: grant.covers,
    grantPrefixes: grantPrefixes && [...new Set(grantPrefixes)],
    grantsInSandbox: grant.prefixes?.some(isBoundBySandbox),
    text: parameterText(approval.params),
    commands: commands?.map(escapeUnseen),
    argv: argv?.map((words) => words.map(({ kind, text }) => ({ kind, text: escapeUnseen(text) }))),
    rule: rule && defined(rule),
    sandboxed: broker.runsInSandbox(approval),
    job: await broker.jobOf(approval),
    quorum: quorum && summarizeQuorum(quorum, await broker.votesOf(approval)),
  });
}

/**
 * Returns an approval request for clients.
 * @param approvalId - ID of the request
 * @param dependencies - store with the request, and broker
 * @returns undefined when it is not pending
 */
export async function pendingApproval(
  approvalId: string,
  {
    store,
    approvals,
  }: { readonly store: Pick<Store, "decisions">; readonly approvals: ApprovalKnowledge },
): Promise<ApprovalSummary | undefined> {
  const approval = await store.decisions.approvals.get(approvalId);
  return approval?.state === "pending" ? await summarizeApproval(approval, approvals) : undefined;
}

/**
 * Converts a stored grant for people and clients.
 * @param grant - stored grant
 */
export function summarizeGrant({
  key: _key,
  revokedAt: _revokedAt,
  ...shown
}: ApprovalGrant): ApprovalGrantSummary {
  return defined({ ...shown, requester: personOf(shown.requester) });
}

function summarizeQuorum(
  { count, roles, notRequester }: ApprovalQuorum,
  votes: readonly ApprovalVote[],
): ApprovalSummary["quorum"] {
  return defined({
    ...{ count, roles: roles?.slice(), notRequester },
    allowed: votes.filter(({ decision }) => decision === "allow").length,
    votes: votes.map(({ by, via, decision, at }) => ({ by, via, decision, at })),
  });
}

function personOf({ channel, accountId, senderId }: ApprovalRequester) {
  return { channel, accountId, senderId };
}

/**
 * Returns the commands of a request; for one that an earlier version stored, they come from the masked
 * parameters.
 */
async function commandsOf({ tool, params }: Approval): Promise<readonly string[] | undefined> {
  if (tool !== "exec" || typeof params !== "object" || params === null) return undefined;
  const { command } = params as { readonly command?: unknown };
  return typeof command === "string" ? shownCommands(await parseCommand(command)).texts : undefined;
}
