import type { ApprovalResolvedHandler } from "@openclaw/plugin-sdk/approvals";
import { expectFunction } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A plugin's handler for decisions on approval requests of an earlier process. */
export interface PluginApprovalHandlerRegistration extends RegistrationOrigin {
  readonly handler: ApprovalResolvedHandler;
}

/**
 * Checks the argument of `api.approvals.onResolved`.
 * @param handler - receives the decisions
 * @throws PluginRegistrationError
 */
export function readApprovalHandler(
  origin: RegistrationOrigin,
  handler: ApprovalResolvedHandler,
): PluginApprovalHandlerRegistration {
  expectFunction({ origin, member: "approvals.onResolved" }, "handler", handler);
  return { ...origin, handler };
}
