import type { PluginApprovalResolution } from "../hooks/tool.js";
import type { JsonValue } from "../schema/json.js";

/** A question to a person that belongs to no tool call (PLUG-040). */
export interface ApprovalRequest {
  /** At most 80 characters. */
  title: string;
  /** At most 512 characters. */
  description: string;
  /** Default `warning`. */
  severity?: "info" | "warning" | "critical";
  /** The conversation in which it is asked. */
  sessionKey: string;
  /** 1 000 to 604 800 000; default 120 000. */
  timeoutMs?: number;
  /** What the answer is bound to. */
  payload?: JsonValue;
  /**
   * Told once the question is stored, before anybody answers.
   * @param id - with which `get` finds it, also after a restart
   */
  onStored?(id: string): void;
}

/** A question and, once there is one, its answer. */
export interface ApprovalRecord {
  readonly id: string;
  readonly sessionKey: string;
  /** The tool it was asked for; absent for a question outside a tool call. */
  readonly tool?: string;
  /** Absent while nobody has answered. */
  readonly decision?: PluginApprovalResolution;
  /** Who answered. */
  readonly decidedBy?: string;
}

/** A question that has been answered. */
export type ResolvedApproval = ApprovalRecord & {
  readonly pluginId: string;
  readonly decision: PluginApprovalResolution;
};

/** Told of answers to questions of an earlier process; repeated until it returns, at most five times. */
export type ApprovalResolvedHandler = (approval: ResolvedApproval) => void | Promise<void>;

/** The approvals' side of the `api`. */
export interface PluginApprovals {
  /**
   * Asks a person, and waits for the answer. The question survives a restart; the waiting does not.
   * @param request - what is asked, and where
   * @throws RuntimeCapabilityError on a host that cannot ask yet
   */
  request(request: ApprovalRequest): Promise<PluginApprovalResolution>;
  /**
   * Registers who is told of answers to this plugin's questions after a restart.
   * @param handler - told at least once of each
   */
  onResolved(handler: ApprovalResolvedHandler): void;
  /**
   * Looks a question up.
   * @param id - as `onStored` was told
   * @throws RuntimeCapabilityError on a host that cannot ask yet
   */
  get(id: string): Promise<ApprovalRecord | undefined>;
}
