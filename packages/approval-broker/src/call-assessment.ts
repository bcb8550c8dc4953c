import type { Store } from "@openclaw/store";
import type { NewApproval, NewAuditEntry } from "@openclaw/store/decisions";
import { resolveLiteralCommand } from "./commands/literal.js";
import { reasonWithoutApprover } from "./denial.js";
import { type CommandPlace, grantKeyOf } from "./grant-key.js";
import { type CallAuthority, COMMAND_TOOL, findEarlierApproval } from "./need.js";
import { grantPrefixes } from "./prefix/offer.js";
import { quorumOf } from "./quorum/rule.js";
import { type ApprovalRequest, digestOf } from "./request.js";
import type { ApprovalSettings } from "./settings.js";
import { storableRequest } from "./storable-request.js";

/** Dependencies of {@link assessCall}. */
export interface CallAssessor {
  readonly store: Store;
  readonly settings: ApprovalSettings;
  readonly place: CommandPlace;
  /** Tools that the operator has approved. */
  readonly approvedTools: ReadonlySet<string>;
}

/** Assessment of a call. */
export type CallAssessment =
  /** It needs no approval, or an earlier approval covers it; then with the entry of the audit log. */
  | {
      readonly status: "allowed";
      readonly audit?: NewAuditEntry;
      /** Permission of a command. */
      readonly authority?: CallAuthority | undefined;
    }
  | {
      readonly status: "denied";
      readonly digest: string;
      readonly reason: string;
      /** True when no approver is reachable. */
      readonly isUndecided?: boolean;
    }
  /** The call cannot succeed, so no approval is requested. */
  | { readonly status: "inapplicable"; readonly problem: string }
  /** A person must decide. */
  | {
      readonly status: "unsettled";
      readonly digest: string;
      readonly approval: NewApproval;
      /** Sentence for the log when the timeout of the request was changed. */
      readonly clamped?: string | undefined;
    };

/**
 * Assesses a call: whether it needs approval, whether an earlier approval or denial covers it, and else the request to
 * store. Writes nothing.
 * @param request - approval request of the call
 * @param assessor - store, settings and folders
 */
export async function assessCall(
  request: ApprovalRequest,
  { store, settings, place: home, approvedTools }: CallAssessor,
): Promise<CallAssessment> {
  const { runId, isAttended, askedSince, need, declaredNeed = need } = request;
  const isCommand = request.toolName === COMMAND_TOOL;
  // Most calls need no approval, so they compute nothing.
  if (need === "never" && declaredNeed === "never") return { status: "allowed" };
  const digest = digestOf(request);
  const { workspaceDir = home.workspaceDir } = request;
  const place = { ...home, workspaceDir };
  const grant = await grantKeyOf(request, digest, place);
  // A grant of a command that writes a followed file would not say which file its words name later (APPR-280).
  const literal = isCommand && !request.asksEachTime ? request.command?.literal : undefined;
  const command = literal && (await resolveLiteralCommand(literal, place));
  const isSandboxed = isCommand && (await settings.isSandboxed?.()) === true;
  // Values come from one person.
  const rules = request.input === undefined ? settings.rules : undefined;
  const quorum = quorumOf({ ...request, tool: request.toolName }, rules);
  const settled = { approvedTools, isSandboxed, hasQuorum: quorum !== undefined };
  const prefixes = command && (await grantPrefixes(request, place, isSandboxed));
  const earlier = await findEarlierApproval(
    quorum === undefined ? request : withoutGrant(request),
    grant,
    digest,
    settled,
    store,
    command,
    prefixes,
  );
  if (earlier !== undefined) {
    const { audit, authority } = earlier;
    return { status: "allowed", audit, authority: isCommand ? authority : undefined };
  }
  if (await store.decisions.approvals.wasDenied(runId, digest, askedSince)) {
    return { status: "denied", digest, reason: "it was already denied in this turn" };
  }
  if (!isAttended && settings.headless !== "wait") {
    const reason = reasonWithoutApprover(request);
    return { status: "denied", digest, reason, isUndecided: true };
  }
  const preview = await request.preview?.();
  if (preview !== undefined && "problem" in preview) {
    return { status: "inapplicable", problem: preview.problem };
  }
  const offered = isCommand && command === undefined ? withoutGrant(request) : request;
  const stored = storableRequest(
    quorum === undefined ? offered : withoutGrant(offered),
    { scope: grant.scope, key: grant.key, covers: grant.covers, prefixes },
    settings,
    { change: preview?.change, quorum },
  );
  return { status: "unsettled", digest, ...stored };
}

/**
 * A grant covers only commands that can run as parsed, and one person must not grant what several must allow, so other
 * requests are not offered one.
 */
function withoutGrant(request: ApprovalRequest): ApprovalRequest {
  const { allowedDecisions = ["allow-once", "deny"] } = request;
  return {
    ...request,
    allowedDecisions: allowedDecisions.filter((decision) => decision !== "allow-always"),
  };
}
