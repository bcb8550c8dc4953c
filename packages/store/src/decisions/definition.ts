import { sweepByAge } from "../database/age-sweep.js";
import type { ContextDefinition, Removal } from "../database/context-definition.js";
import { removeByRun, removeBySession } from "../sessions/session-rows.js";
import { toolAudit } from "./migrations/0007-tool-audit.js";
import { grantPrefixes } from "./migrations/0013-grant-prefixes.js";
import { approvalCommands } from "./migrations/0014-approval-commands.js";
import { approvalChange } from "./migrations/0021-approval-change.js";
import { grantCovers } from "./migrations/0027-grant-covers.js";
import { approvalInputs } from "./migrations/0037-approval-inputs.js";
import { approvalReasons } from "./migrations/0038-approval-reasons.js";
import { approvalVotes } from "./migrations/0044-approval-votes.js";
import { removeApprovals, removeSnapshots } from "./retention.js";
import type { DecisionSchema } from "./schema.js";

const RETENTION_DAYS = {
  /** Denied tool calls, and the policy, hook or user that denied them. */
  toolAudit: 90,
  /** Policy decisions about tool calls. */
  policyDecision: 30,
  /** Settled approval requests. */
  approval: 90,
};

/** Removes the grants that apply to the session only; a wider grant outlives it. */
const removeSessionGrants: Removal = (session_key, unit) =>
  unit
    .query()
    .deleteFrom("approval_grants")
    .where("session_key", "=", session_key)
    .where("scope", "=", "session")
    .execute();

/** The decisions context: approvals, grants, policy decisions and the audit logs. */
export const DECISIONS: ContextDefinition<DecisionSchema, keyof typeof RETENTION_DAYS> = {
  migrations: [
    toolAudit,
    grantPrefixes,
    approvalCommands,
    approvalChange,
    grantCovers,
    approvalInputs,
    approvalReasons,
    approvalVotes,
  ],
  retentionDays: RETENTION_DAYS,
  tables: {
    tool_audit: {
      key: ["position"],
      isNumbered: true,
      retention: {
        subject: "toolAudit",
        sweep: sweepByAge({ table: "tool_audit", key: ["position"], time: "at" }),
      },
      // A user whose actions an audit log records must not be able to erase it.
      removal: "kept",
    },
    policy_snapshots: {
      key: ["id"],
      retention: { subject: "policyDecision", sweep: removeSnapshots },
      // Snapshots are shared between sessions.
      removal: "kept",
    },
    policy_decisions: {
      key: ["position"],
      isNumbered: true,
      dependsOn: ["policy_snapshots", "turns"],
      retention: {
        subject: "policyDecision",
        sweep: sweepByAge({ table: "policy_decisions", key: ["position"], time: "at" }),
      },
      removal: removeByRun("policy_decisions"),
    },
    approvals: {
      key: ["id"],
      retention: { subject: "approval", sweep: removeApprovals },
      removal: removeBySession("approvals"),
    },
    approval_votes: {
      key: ["approval_id", "person"],
      dependsOn: ["approvals"],
      retention: "kept",
      // The database removes the votes together with their request.
      removal: async () => undefined,
    },
    approval_grants: {
      key: ["id"],
      // A grant is valid until it is revoked.
      retention: "kept",
      removal: removeSessionGrants,
    },
    audit: {
      key: ["seq"],
      // A chain without its beginning cannot be verified.
      retention: "kept",
      removal: "kept",
    },
    audit_head: {
      key: ["id"],
      isSeeded: true,
      retention: "kept",
      removal: "kept",
    },
  },
};
