import { CALL_APPROVAL } from "./agent/tool-call-approval.mjs";
import { CALL_AUTHORIZATION } from "./agent/tool-call-authorization.mjs";
import { CALL_EXECUTION } from "./agent/tool-call-execution.mjs";
import { CALL_LIMITS } from "./agent/tool-call-limits.mjs";
import { TURNS } from "./agent/turns.mjs";
import { APPROVAL_DECISIONS } from "./approval-broker/decisions.mjs";
import { APPROVAL_GRANTS } from "./approval-broker/grants.mjs";
import { APPROVAL_REQUESTS } from "./approval-broker/requests.mjs";
import { MESSAGING } from "./messaging/turns.mjs";
import { INSPECTION } from "./safety/inspection.mjs";
import { LEAKS } from "./safety/leaks.mjs";
import { NETWORK } from "./safety/network.mjs";
import { STORED_APPROVALS } from "./store/approvals.mjs";
import { STORED_LOGS } from "./store/logs.mjs";
import { RETENTION } from "./store/retention.mjs";
import { POLICY_DECISIONS } from "./tool-policy/decisions.mjs";
import { POLICY_EVALUATION } from "./tool-policy/evaluation.mjs";

/**
 * Every mutant. The tables name the guards whose removal a test must notice.
 * @type {readonly import("../mutation/mutants-of.mjs").Mutant[]}
 */
export const MUTANTS = [
  ...APPROVAL_REQUESTS,
  ...APPROVAL_DECISIONS,
  ...APPROVAL_GRANTS,
  ...CALL_AUTHORIZATION,
  ...CALL_APPROVAL,
  ...CALL_LIMITS,
  ...CALL_EXECUTION,
  ...STORED_APPROVALS,
  ...STORED_LOGS,
  ...RETENTION,
  ...INSPECTION,
  ...LEAKS,
  ...NETWORK,
  ...POLICY_EVALUATION,
  ...POLICY_DECISIONS,
  ...TURNS,
  ...MESSAGING,
];
