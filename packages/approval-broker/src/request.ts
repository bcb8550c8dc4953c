import type { GrantReach } from "@openclaw/plugin-sdk/approvals";
import type { ApprovalDecision, LiteralCommand, ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { ApprovalNeed, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Job, Store } from "@openclaw/store";
import type {
  ApprovalInput,
  ApprovalKind,
  ApprovalRequester,
  ApprovalSeverity,
  AskingRule,
} from "@openclaw/store/decisions";
import type { ApprovalCause } from "./cause.js";
import { approvalDigest } from "./digest.js";
import type { OnResolution } from "./resolutions.js";

/**
 * Literal command of which a trusted policy covers some programs, and which is neither destructive
 * nor doubtful.
 */
export interface GrantableCommand {
  /** Literal command with resolved programs. */
  readonly command: LiteralCommand;
  /** Positions of the programs that need approval, among all programs of the command. */
  readonly uncovered: readonly number[];
  /** For each of these programs, how far a grant can reach. */
  readonly reach: readonly GrantReach[];
}

/** Command that a trusted policy lets run without approval in an active read-only sandbox (APPR-261). */
export interface ContainedRun {
  /** Plugin and ID of the policy. */
  readonly policy: string;
  readonly reason: string;
  /** Command without a shell; undefined when a shell runs it as shown. */
  readonly command?: LiteralCommand | undefined;
}

/** Rule that requires an approval, as the caller knows it. */
export interface RequestedRule extends AskingRule {
  /** Path of the rule in the configuration, from its root. */
  readonly path?: readonly (string | number)[] | undefined;
}

/** Request for the approval of a call. */
export interface ApprovalRequest {
  readonly kind: ApprovalKind;
  readonly cause: ApprovalCause;
  /** ID of the plugin that requests approval, if one does. */
  readonly pluginId?: string | undefined;
  /** IDs of other plugins that request approval of the same call. */
  readonly alsoRequestedBy?: readonly string[] | undefined;
  readonly runId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly requester: ApprovalRequester;
  readonly toolCallId: string;
  readonly toolName: string;
  /** Folder in which relative paths of the call start; that of the host when absent. */
  readonly workspaceDir?: string | undefined;
  /** Final arguments with their true values. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Parsed shell command of the arguments. */
  readonly command?: ParsedCommand | undefined;
  /** Approval need; `always` requires a decision regardless of grants and settings. */
  readonly need: ApprovalNeed;
  /** Need that the tool declares for the call, where the operator's settings differ. */
  readonly declaredNeed?: ApprovalNeed | undefined;
  /** Need of the tool itself that no trusted policy meets, where a plugin requests approval. */
  readonly ownNeed?: ApprovalNeed | undefined;
  /** A trusted policy that meets the need `unless-granted` of the tool (D25). */
  readonly satisfiedBy?: { readonly policy: string; readonly reason: string } | undefined;
  /**
   * Command as a trusted policy resolved it, where only the tool requests approval: it runs once
   * every uncovered program is granted.
   */
  readonly grantable?: GrantableCommand | undefined;
  /** A command that needs no approval where a read-only sandbox is active. */
  readonly contained?: ContainedRun | undefined;
  readonly title: string;
  readonly description: string;
  readonly severity: ApprovalSeverity;
  /** Timeout in milliseconds; the default of the kind when absent. */
  readonly timeoutMs?: number | undefined;
  readonly timeoutBehavior?: "deny" | "allow" | undefined;
  readonly allowedDecisions?: readonly ApprovalDecision[] | undefined;
  readonly grantKey?: string | undefined;
  /** Names the calls that the grant key of a tool covers, behind the name of the tool. */
  readonly covers?: string | undefined;
  /** True when the grant key of a tool is a folder, which grants of the folders above it cover too. */
  readonly coversBelow?: boolean | undefined;
  /** True when only a grant of exactly the grant key covers the call (APPR-280). */
  readonly asksEachTime?: boolean | undefined;
  /** ID of the policy decision about the call, with which the audit log explains it. */
  readonly decisionId?: string | undefined;
  /** Rule that requires the approval; absent when the tool itself does. */
  readonly rule?: RequestedRule | undefined;
  /** True when an approver is present (APPR-031). */
  readonly isAttended: boolean;
  /** Time before which denials are ignored, in milliseconds since the epoch (APPR-016). */
  readonly askedSince?: number | undefined;
  /** Input that the person is asked for. */
  readonly input?: ApprovalInput | undefined;
  /** Called once with the outcome. */
  readonly onResolution?: OnResolution | undefined;
  /** Describes the change that the call would make; called only when a person must decide. */
  readonly preview?: (() => Promise<ChangePreview>) | undefined;
}

/** Change that a call would make, or the reason why the call cannot succeed. */
export type ChangePreview = { readonly change: string | undefined } | { readonly problem: string };

/** Approval request of a plugin that does not belong to a tool call (APPR-006). */
export interface PluginApprovalRequest {
  readonly pluginId: string;
  readonly title: string;
  readonly description: string;
  readonly severity?: ApprovalSeverity | undefined;
  readonly sessionKey: string;
  readonly agentId: string;
  /** Timeout in milliseconds; the default for plugins when absent. */
  readonly timeoutMs?: number | undefined;
  /** Value that the decision is bound to. */
  readonly payload?: JsonValue | undefined;
  /** Input that the person is asked for. */
  readonly input?: ApprovalInput | undefined;
  /** Person who may give the input without being an approver; the plugin when absent. */
  readonly requester?: ApprovalRequester | undefined;
  /** True when an approver is present (APPR-031). */
  readonly isAttended: boolean;
  /** True when the host waits for the decision, so that the plugin is not notified of it. */
  readonly isOfHost?: boolean | undefined;
}

/**
 * Returns the digest of the call of an approval request.
 * @param request - request with the true values
 */
export function digestOf(
  request: Pick<ApprovalRequest, "toolName" | "params" | "sessionKey" | "requester">,
): string {
  return approvalDigest({ ...request, tool: request.toolName });
}

/**
 * Returns the job that a session works on: the job of the session, or of a session that started it as a subagent.
 * @param sessionKey - key of the session
 * @param store - storage of jobs and subagents
 */
export async function askingJob(
  sessionKey: string,
  { jobs, sessions: { subagents } }: Pick<Store, "jobs" | "sessions">,
): Promise<Pick<Job, "jobId" | "title"> | undefined> {
  const seen = new Set<string>();
  for (let key: string | undefined = sessionKey; key !== undefined && !seen.has(key); ) {
    seen.add(key);
    const job = await jobs.ofSession(key);
    if (job !== undefined) return { jobId: job.jobId, title: job.title };
    key = (await subagents.ofSession(key))?.parentSessionKey;
  }
  return undefined;
}
