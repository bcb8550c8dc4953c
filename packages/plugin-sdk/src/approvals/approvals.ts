import type { PluginApprovalResolution } from "../hooks/tool.js";
import type { JsonObject, JsonValue } from "../schema/json.js";
import type { ToolRequester } from "../tools/definition.js";
import type { InputRequest } from "../tools/input.js";

/** Approval request that a plugin creates outside a tool call (PLUG-040). */
export interface ApprovalRequest {
  /** Title, at most 80 characters. */
  title: string;
  /** Description, at most 512 characters. */
  description: string;
  /** Severity; default `warning`. */
  severity?: "info" | "warning" | "critical";
  /** Session whose conversation shows the request. */
  sessionKey: string;
  /** Timeout in milliseconds, 1 000 to 604 800 000; default 120 000. */
  timeoutMs?: number;
  /** Value that the decision applies to; it is part of the request's digest. */
  payload?: JsonValue;
  /**
   * Called once the request is stored, before it is decided.
   * @param id - id of the request for `get`, valid after a restart
   */
  onStored?(id: string): void;
}

/** Approval request of `approvals.submit`. */
export interface ApprovalSubmission extends Omit<ApprovalRequest, "onStored"> {
  /** Input that the person gives when allowing the request (EXT-502); a request for a decision only when absent. */
  input?: InputRequest;
  /**
   * Author of the message that led to the request, who may give its input without being an approver. Only with `input`;
   * without it the plugin counts as the requester.
   */
  requester?: Pick<ToolRequester, "channel" | "accountId" | "senderId">;
}

/** Approval request and, once it is decided, its decision. */
export interface ApprovalRecord {
  readonly id: string;
  readonly sessionKey: string;
  /** Tool whose call needs approval; absent for a request outside a tool call. */
  readonly tool?: string;
  /** Decision; absent while the request is pending. */
  readonly decision?: PluginApprovalResolution;
  /** Identity of the approver. */
  readonly decidedBy?: string;
}

/** Approval request that is no longer pending. */
export type ResolvedApproval = ApprovalRecord & {
  readonly pluginId: string;
  readonly decision: PluginApprovalResolution;
  /** Input of the person, which fits the schema; the host forgets it once the plugin has handled the decision. */
  readonly input?: JsonObject;
};

/** Outcome of `approvals.submit`. */
export type SubmittedApproval =
  | {
      readonly status: "pending";
      readonly id: string;
      /** Short code with which a person can decide the request in a conversation. */
      readonly code: string;
    }
  | {
      /** No approver is reachable, and the operator does not let requests wait for one. */
      readonly status: "denied";
      readonly reason: string;
    };

/** Outcome of an approval request of a session if it were made now. */
export interface ApprovalReach {
  /** Full key of the session. */
  readonly sessionKey: string;
  /**
   * `attended`: an approver is shown the request; `waits`: no approver is reachable, and the request waits for one;
   * `denied`: no approver is reachable, and the request is denied at once.
   */
  readonly status: "attended" | "waits" | "denied";
}

/** Receives decisions on submitted requests and on requests of an earlier process; called again until it returns, at most five times. */
export type ApprovalResolvedHandler = (approval: ResolvedApproval) => void | Promise<void>;

/** Approval methods of the `api`. */
export interface PluginApprovals {
  /**
   * Creates an approval request and waits for the decision. The request survives a restart; the returned promise
   * does not.
   * @param request - text, session and timeout of the request
   * @throws RuntimeCapabilityError on a host without approvals
   */
  request(request: ApprovalRequest): Promise<PluginApprovalResolution>;
  /**
   * Creates an approval request and returns without waiting. The decision is passed to the handler of `onResolved`, in
   * the process that receives it (APPR-065).
   * @param request - text, session and timeout of the request, and the input that it asks for
   * @throws RuntimeCapabilityError on a host without approvals
   */
  submit(request: ApprovalSubmission): Promise<SubmittedApproval>;
  /**
   * Returns the outcome of a request if it were made now, so that work which cannot end without an approval need not begin
   * (APPR-840). An approver can come or leave before the request.
   * @param sessionKey - session of the request
   * @throws RuntimeCapabilityError on a host without approvals, or one that cannot tell
   */
  reach(sessionKey: string): Promise<ApprovalReach>;
  /**
   * Cancels a pending request of this plugin, because it is no longer needed; any other request is left as it is.
   * @param id - id of the request
   * @returns true when the request was pending
   * @throws RuntimeCapabilityError on a host without approvals
   */
  cancel(id: string): Promise<boolean>;
  /**
   * Registers the handler for decisions on this plugin's requests that were submitted, or created before a restart.
   * @param handler - called at least once for each decision
   */
  onResolved(handler: ApprovalResolvedHandler): void;
  /**
   * Returns an approval request; undefined when the plugin has none with this id.
   * @param id - id that `onStored` received
   * @throws RuntimeCapabilityError on a host without approvals
   */
  get(id: string): Promise<ApprovalRecord | undefined>;
}
