import type { ApprovalDecision, LiteralCommand, ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { ApprovalNeed, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { ApprovalKind, ApprovalRequester, ApprovalSeverity } from "@openclaw/store/decisions";
import type { ApprovalCause } from "./cause.js";
import { approvalDigest } from "./digest.js";
import type { OnResolution } from "./resolutions.js";

/** A literal command of which a trusted policy covers some programs, and none is destructive or doubtful. */
export interface GrantableCommand {
  /** With resolved programs. */
  readonly command: LiteralCommand;
  /** Positions of the programs that need approval, among all programs of the command. */
  readonly uncovered: readonly number[];
}

/** A request for the approval of a call. */
export interface ApprovalRequest {
  readonly kind: ApprovalKind;
  readonly cause: ApprovalCause;
  /** The plugin, where it is one that asks. */
  readonly pluginId?: string | undefined;
  /** Other plugins that ask for the same call. */
  readonly alsoRequestedBy?: readonly string[] | undefined;
  readonly runId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly requester: ApprovalRequester;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The final arguments with their true values. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The shell command among them. */
  readonly command?: ParsedCommand | undefined;
  /** `always` asks whatever was granted or settled. */
  readonly need: ApprovalNeed;
  /** What the tool itself declares for the call, where the operator's settings say something else. */
  readonly declaredNeed?: ApprovalNeed | undefined;
  /** What the tool wants for itself and no trusted policy meets, where a plugin is who asks. */
  readonly ownNeed?: ApprovalNeed | undefined;
  /** A trusted policy that meets the need `unless-granted` of the tool (D25). */
  readonly satisfiedBy?: { readonly policy: string; readonly reason: string } | undefined;
  /**
   * What a trusted policy says of a command that only its tool asks about: what runs once every uncovered program
   * is granted.
   */
  readonly grantable?: GrantableCommand | undefined;
  readonly title: string;
  readonly description: string;
  readonly severity: ApprovalSeverity;
  /** The kind's own when absent, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly timeoutBehavior?: "deny" | "allow" | undefined;
  readonly allowedDecisions?: readonly ApprovalDecision[] | undefined;
  readonly grantKey?: string | undefined;
  /** What policy decided about the call, by which the audit explains it. */
  readonly decisionId?: string | undefined;
  /** Whether somebody who may answer is there to see it (APPR-031). */
  readonly isAttended: boolean;
  /** Refusals before this time do not count against it, milliseconds since the epoch (APPR-016). */
  readonly askedSince?: number | undefined;
  /** Told once how it ended. */
  readonly onResolution?: OnResolution | undefined;
}

/** An approval request of a plugin that does not belong to a tool call (APPR-006). */
export interface PluginApprovalRequest {
  readonly pluginId: string;
  readonly title: string;
  readonly description: string;
  readonly severity?: ApprovalSeverity | undefined;
  readonly sessionKey: string;
  readonly agentId: string;
  /** That of plugins when absent, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** What the answer is bound to. */
  readonly payload?: JsonValue | undefined;
  /** Whether somebody who may answer is there to see it (APPR-031). */
  readonly isAttended: boolean;
}

/**
 * Returns the digest of the call that a request is about.
 * @param request - with the true values
 */
export function digestOf(
  request: Pick<ApprovalRequest, "toolName" | "params" | "sessionKey" | "requester">,
): string {
  return approvalDigest({ ...request, tool: request.toolName });
}
