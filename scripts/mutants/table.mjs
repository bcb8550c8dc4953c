import { OUTPUT_REVIEW } from "./agent/output-review.mjs";
import { CALL_APPROVAL } from "./agent/tool-call-approval.mjs";
import { CALL_AUTHORIZATION } from "./agent/tool-call-authorization.mjs";
import { CALL_EXECUTION } from "./agent/tool-call-execution.mjs";
import { CALL_LIMITS } from "./agent/tool-call-limits.mjs";
import { TURNS } from "./agent/turns.mjs";
import { APPROVAL_DECISIONS } from "./approval-broker/decisions.mjs";
import { APPROVAL_GRANTS } from "./approval-broker/grants.mjs";
import { APPROVAL_REQUESTS } from "./approval-broker/requests.mjs";
import { EXPANDED_COMMANDS } from "./approvals/expansion.mjs";
import { APPROVAL_CARD } from "./chat/approval-card.mjs";
import { FOLLOWED_FILES } from "./core-tools/followed-files.mjs";
import { CONFIGURED_HOOKS } from "./declarative-hooks/hooks.mjs";
import { INSTALLED_PLUGINS } from "./gateway/installed-plugins.mjs";
import { FAULT_LOG } from "./gateway/plugin-faults.mjs";
import { HOST_SAFETY } from "./gateway/safety.mjs";
import { BUNDLED_GUARDS } from "./guardrails/guards.mjs";
import { SIGNED_REQUESTS } from "./http-channel/proof.mjs";
import { JOB_ACCESS } from "./jobs/access.mjs";
import { WORKFLOWS } from "./lobster/workflows.mjs";
import { MCP_SERVERS } from "./mcp/servers.mjs";
import { ARCHIVED_CONVERSATIONS } from "./memory/archive.mjs";
import { INBOUND } from "./messaging/inbound.mjs";
import { MESSAGING } from "./messaging/turns.mjs";
import { DESCRIBED_MODELS } from "./models/described.mjs";
import { CHANGED_BUILT_INS } from "./plugin-loader/built-ins.mjs";
import { PROCESS_GUARD } from "./plugin-loader/process-guard.mjs";
import { PLUGIN_KIT } from "./plugin-sdk/kit.mjs";
import { OUTBOUND_WEBHOOKS } from "./plugin-sdk/webhooks.mjs";
import { INSPECTION } from "./safety/inspection.mjs";
import { LEAKS } from "./safety/leaks.mjs";
import { NETWORK } from "./safety/network.mjs";
import { BROWSER_SESSIONS } from "./server/browser-sessions.mjs";
import { MESSAGES_API } from "./server/messages-api.mjs";
import { STORED_APPROVALS } from "./store/approvals.mjs";
import { STORED_LOGS } from "./store/logs.mjs";
import { RETENTION } from "./store/retention.mjs";
import { SPENDING } from "./store/spending.mjs";
import { SERVER_CLOCK, STORE_UPKEEP } from "./store/upkeep.mjs";
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
  ...APPROVAL_CARD,
  ...EXPANDED_COMMANDS,
  ...CALL_AUTHORIZATION,
  ...CALL_APPROVAL,
  ...CALL_LIMITS,
  ...CALL_EXECUTION,
  ...OUTPUT_REVIEW,
  ...INSTALLED_PLUGINS,
  ...STORED_APPROVALS,
  ...STORED_LOGS,
  ...RETENTION,
  ...SPENDING,
  ...STORE_UPKEEP,
  ...SERVER_CLOCK,
  ...INSPECTION,
  ...LEAKS,
  ...NETWORK,
  ...POLICY_EVALUATION,
  ...POLICY_DECISIONS,
  ...TURNS,
  ...MCP_SERVERS,
  ...ARCHIVED_CONVERSATIONS,
  ...INBOUND,
  ...MESSAGING,
  ...HOST_SAFETY,
  ...CHANGED_BUILT_INS,
  ...PROCESS_GUARD,
  ...FAULT_LOG,
  ...DESCRIBED_MODELS,
  ...BROWSER_SESSIONS,
  ...MESSAGES_API,
  ...OUTBOUND_WEBHOOKS,
  ...PLUGIN_KIT,
  ...CONFIGURED_HOOKS,
  ...BUNDLED_GUARDS,
  ...WORKFLOWS,
  ...FOLLOWED_FILES,
  ...SIGNED_REQUESTS,
  ...JOB_ACCESS,
];
