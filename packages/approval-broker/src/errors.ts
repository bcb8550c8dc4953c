import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { Approval } from "@openclaw/store/decisions";

/** There is no such question. */
export class ApprovalNotFoundError extends OpenClawError {
  static override readonly code = "APPROVAL_NOT_FOUND";
  static override readonly kind = "not-found";

  constructor(idOrCode: string) {
    super(
      `approval ${JSON.stringify(idOrCode)} does not exist; list the pending ones and use an id or a code from there`,
    );
  }
}

/** Somebody, or the time, was first (APPR-009). */
export class ApprovalAlreadyDecidedError extends OpenClawError {
  static override readonly code = "APPROVAL_ALREADY_DECIDED";
  static override readonly kind = "conflict";
  /** The question as it was decided. */
  readonly approval: Approval;

  constructor(approval: Approval) {
    const { code, state, decidedBy = "somebody", decidedVia } = approval;
    const via = decidedVia === undefined ? "" : ` via ${decidedVia}`;
    super(
      `approval ${code} was already decided: ${state} by ${decidedBy}${via}; an answer counts once, have the call asked for again`,
    );
    this.approval = approval;
  }
}

/** The question does not take this decision; it still waits (APPR-022). */
export class DecisionNotAllowedError extends OpenClawError {
  static override readonly code = "DECISION_NOT_ALLOWED";
  static override readonly kind = "conflict";

  constructor(code: string, decision: string, allowed: readonly string[]) {
    super(
      `approval ${code} cannot be answered with ${JSON.stringify(decision)}; answer it with ${allowed.join(", ")}`,
    );
  }
}

/** The prefix that an approver chose cannot be granted; the request still waits (APPR-021). */
export class GrantPrefixRefusedError extends OpenClawError {
  static override readonly code = "GRANT_PREFIX_REFUSED";
  static override readonly kind = "invalid";

  constructor(code: string, prefix: string, problem: string) {
    super(
      `approval ${code} cannot be granted for ${JSON.stringify(prefix)}: ${problem}; choose the first words of a command that it shows, or allow it once`,
    );
  }
}

/** Who answered may not; the question still waits (APPR-028). */
export class NotAuthorizedToApproveError extends OpenClawError {
  static override readonly code = "NOT_AUTHORIZED_TO_APPROVE";
  static override readonly kind = "forbidden";

  constructor(code: string, who: string) {
    super(
      `approval ${code} cannot be answered by ${who}; an owner, a sender in approvals.approvers or a client with scope operator.approvals may`,
    );
  }
}

/** What was answered, or is to run, is not what was asked (APPR-008). */
export class ApprovalMismatchError extends OpenClawError {
  static override readonly code = "APPROVAL_MISMATCH";
  static override readonly kind = "conflict";

  constructor(idOrCode: string, problem: string) {
    super(`approval ${idOrCode} does not cover this: ${problem}; nothing was run, ask again`);
  }
}

/** No grant with the ID is in force. */
export class GrantNotFoundError extends OpenClawError {
  static override readonly code = "GRANT_NOT_FOUND";
  static override readonly kind = "not-found";

  constructor(id: string) {
    super(
      `there is no grant ${JSON.stringify(id)} that holds; see \`openclaw approvals grants\` for those that do`,
    );
  }
}
