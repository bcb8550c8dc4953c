import type { ApprovalResolvedHandler } from "@openclaw/plugin-sdk/approvals";
import { expectFunction } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** Who of a plugin is told of answers to questions of an earlier process. */
export interface PluginApprovalHandlerRegistration extends RegistrationOrigin {
  readonly handler: ApprovalResolvedHandler;
}

/**
 * Checks the argument of `api.approvals.onResolved`.
 * @param origin - the plugin
 * @param handler - is told of answers
 * @throws PluginRegistrationError
 */
export function readApprovalHandler(
  origin: RegistrationOrigin,
  handler: ApprovalResolvedHandler,
): PluginApprovalHandlerRegistration {
  expectFunction({ origin, member: "approvals.onResolved" }, "handler", handler);
  return { ...origin, handler };
}
