import type { ContextDefinition, Removal } from "../database/context-definition.js";
import { removeByRun, removeBySession } from "../sessions/session-rows.js";
import { toolAudit } from "./migrations/0007-tool-audit.js";
import { grantPrefixes } from "./migrations/0013-grant-prefixes.js";
import { approvalCommands } from "./migrations/0014-approval-commands.js";
import { removeApprovals, removeByAge, removeSnapshots } from "./retention.js";
import type { DecisionSchema } from "./schema.js";

const RETENTION_DAYS = {
  /** Denied tool calls and who denied them. */
  toolAudit: 90,
  /** Policy decisions about tool calls. */
  policyDecision: 30,
  /** Approval requests that were answered or expired. */
  approval: 90,
};

/** Removes the grants that count in the session only; a wider grant was not given for its sake. */
const removeSessionGrants: Removal = (session_key, unit) =>
  unit
    .query()
    .deleteFrom("approval_grants")
    .where("session_key", "=", session_key)
    .where("scope", "=", "session")
    .execute();

/** The decisions context: approvals, grants, policy decisions and the audit logs. */
export const DECISIONS: ContextDefinition<DecisionSchema, keyof typeof RETENTION_DAYS> = {
  migrations: [toolAudit, grantPrefixes, approvalCommands],
  retentionDays: RETENTION_DAYS,
  tables: {
    tool_audit: {
      key: ["position"],
      isNumbered: true,
      retention: { subject: "toolAudit", sweep: removeByAge("tool_audit") },
      // An audit log is not for the user it tells about to erase.
      removal: "kept",
    },
    policy_snapshots: {
      key: ["id"],
      retention: { subject: "policyDecision", sweep: removeSnapshots },
      // Sessions share them.
      removal: "kept",
    },
    policy_decisions: {
      key: ["position"],
      isNumbered: true,
      dependsOn: ["policy_snapshots", "turns"],
      retention: { subject: "policyDecision", sweep: removeByAge("policy_decisions") },
      removal: removeByRun("policy_decisions"),
    },
    approvals: {
      key: ["id"],
      retention: { subject: "approval", sweep: removeApprovals },
      removal: removeBySession("approvals"),
    },
    approval_grants: {
      key: ["id"],
      // A grant counts until it is revoked.
      retention: "kept",
      removal: removeSessionGrants,
    },
    audit: {
      key: ["seq"],
      // A chain without its beginning proves nothing.
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
