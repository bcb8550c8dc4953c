import { operatorName } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { Approval } from "@openclaw/store/decisions";

/** Approval request not found. */
export class ApprovalNotFoundError extends OpenClawError {
  static override readonly code = "APPROVAL_NOT_FOUND";
  static override readonly kind = "not-found";

  constructor(idOrCode: string) {
    super(
      `approval ${JSON.stringify(idOrCode)} not found; use an id or a code from \`openclaw approvals list\``,
    );
  }
}

/** The approval request was already decided or has expired (APPR-009). */
export class ApprovalAlreadyDecidedError extends OpenClawError {
  static override readonly code = "APPROVAL_ALREADY_DECIDED";
  static override readonly kind = "conflict";
  /** The request as it was decided. */
  readonly approval: Approval;

  constructor(approval: Approval) {
    const { code, state, decidedBy = "an unknown approver", decidedVia } = approval;
    const via = decidedVia === undefined ? "" : ` via ${decidedVia}`;
    const decider = operatorName(decidedBy) ?? `${decidedBy}${via}`;
    super(
      `approval ${code} was already decided: ${state} by ${decider}; only the first decision counts, so request approval again`,
    );
    this.approval = approval;
  }
}

/** The approval request does not offer this decision; it stays pending (APPR-022). */
export class DecisionNotAllowedError extends OpenClawError {
  static override readonly code = "DECISION_NOT_ALLOWED";
  static override readonly kind = "conflict";

  constructor(code: string, decision: string, allowed: readonly string[]) {
    super(
      `approval ${code} does not accept the decision ${JSON.stringify(decision)}; use ${allowed.join(", ")}`,
    );
  }
}

/** The prefix that an approver chose cannot be granted; the request stays pending (APPR-021). */
export class GrantPrefixRefusedError extends OpenClawError {
  static override readonly code = "GRANT_PREFIX_REFUSED";
  static override readonly kind = "invalid";

  constructor(code: string, prefix: string, problem: string) {
    super(
      `approval ${code} cannot be granted for ${JSON.stringify(prefix)}: ${problem}; choose the first words of a command that it shows, or allow it once`,
    );
  }
}

/** The input of a person does not fit the request; it stays pending (EXT-361). */
export class ApprovalInputError extends OpenClawError {
  static override readonly code = "APPROVAL_INPUT_INVALID";
  static override readonly kind = "invalid";

  constructor(code: string, problem: string) {
    super(
      `approval ${code} cannot be allowed with this input: ${problem}; answer with /approve ${code} FIELD=VALUE …, or deny it`,
    );
  }
}

/** The actor may not decide about the approval request; it stays pending (APPR-028). */
export class NotAuthorizedToApproveError extends OpenClawError {
  static override readonly code = "NOT_AUTHORIZED_TO_APPROVE";
  static override readonly kind = "forbidden";

  constructor(code: string, who: string) {
    super(
      `approval ${code} cannot be decided by ${who}, only by an owner, a sender in approvals.approvers or a client with scope operator.approvals`,
    );
  }
}

/** The vote of this person does not count; the request stays pending (APPR-030). */
export class ApprovalVoteRefusedError extends OpenClawError {
  static override readonly code = "APPROVAL_VOTE_REFUSED";
  static override readonly kind = "conflict";

  constructor(code: string, problem: string) {
    super(
      `approval ${code} needs several people: ${problem}; another approver must answer, or anyone of them can deny it`,
    );
  }
}

/** The decision or the call about to run differs from the approval request (APPR-008). */
export class ApprovalMismatchError extends OpenClawError {
  static override readonly code = "APPROVAL_MISMATCH";
  static override readonly kind = "conflict";

  constructor(idOrCode: string, problem: string) {
    super(
      `approval ${idOrCode} does not cover this: ${problem}; nothing was run, so request approval again`,
    );
  }
}

/** Active grant not found. */
export class GrantNotFoundError extends OpenClawError {
  static override readonly code = "GRANT_NOT_FOUND";
  static override readonly kind = "not-found";

  constructor(id: string) {
    super(
      `active grant ${JSON.stringify(id)} not found; \`openclaw approvals grants\` lists active grants`,
    );
  }
}
