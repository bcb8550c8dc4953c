import type { UnitOfWork } from "../database/unit-of-work.js";
import { type ApprovalGrants, ApprovalGrantTable } from "./approval-grants.js";
import type { Approvals } from "./approvals.js";
import { type Audit, AuditTable } from "./audit-log.js";
import { type PolicyDecisions, PolicyDecisionTable } from "./policy-decisions.js";
import { ApprovalTable } from "./request-table.js";
import { type ToolAudit, ToolAuditTable } from "./tool-audit-log.js";
import { type ApprovalVotes, ApprovalVoteTable } from "./votes.js";

/** Decisions about what may run: by users, by grants and by policy, with their audit logs. */
export interface DecisionsContext {
  /** Approval requests. */
  readonly approvals: Approvals;
  /** Votes about approval requests that need more than one person. */
  readonly votes: ApprovalVotes;
  /** Grants: calls that users have allowed beyond a single call. */
  readonly grants: ApprovalGrants;
  /** Policy decisions about tool calls. */
  readonly policy: PolicyDecisions;
  /** Denied tool calls, and the policy, hook or user that denied them. */
  readonly toolAuditLog: ToolAudit;
  /** Hash-chained audit log of approvals and grants. */
  readonly auditLog: Audit;
}

/** The decisions of a database or transaction. Each repository is created on first use. */
export class UnitDecisions implements DecisionsContext {
  readonly #unit: UnitOfWork;
  readonly #newId: (now: number) => string;
  #approvals: Approvals | undefined;
  #votes: ApprovalVotes | undefined;
  #grants: ApprovalGrants | undefined;
  #policy: PolicyDecisions | undefined;
  #toolAuditLog: ToolAudit | undefined;
  #auditLog: Audit | undefined;

  /**
   * @param unit - the database or transaction
   * @param newId - creates the ids of new rows, which sort by the given time
   */
  constructor(unit: UnitOfWork, newId: (now: number) => string) {
    this.#unit = unit;
    this.#newId = newId;
  }

  get approvals(): Approvals {
    this.#approvals ??= new ApprovalTable(this.#unit, this.#newId);
    return this.#approvals;
  }

  get votes(): ApprovalVotes {
    this.#votes ??= new ApprovalVoteTable(this.#unit);
    return this.#votes;
  }

  get grants(): ApprovalGrants {
    this.#grants ??= new ApprovalGrantTable(this.#unit, this.#newId);
    return this.#grants;
  }

  get policy(): PolicyDecisions {
    this.#policy ??= new PolicyDecisionTable(this.#unit);
    return this.#policy;
  }

  get toolAuditLog(): ToolAudit {
    this.#toolAuditLog ??= new ToolAuditTable(this.#unit);
    return this.#toolAuditLog;
  }

  get auditLog(): Audit {
    this.#auditLog ??= new AuditTable(this.#unit);
    return this.#auditLog;
  }
}
