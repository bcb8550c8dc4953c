import { defined } from "@openclaw/foundation";
import type { ApprovalRequest } from "@openclaw/plugin-sdk/approvals";
import {
  expectObject,
  expectOneOf,
  expectOptionalFunction,
  expectText,
  wrongArgument,
} from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

const SEVERITIES = ["info", "warning", "critical"] as const;

/**
 * Checks the argument of `api.approvals.request`. The host truncates strings that are too long and
 * clamps timeouts out of bounds.
 * @param origin - the plugin
 * @param request - content and recipients of the approval request
 * @throws PluginRegistrationError
 */
export function readApprovalRequest(
  origin: RegistrationOrigin,
  request: ApprovalRequest,
): ApprovalRequest {
  const call = { origin, member: "approvals.request" };
  expectObject(call, "request", request);
  const { title, description, sessionKey, severity, timeoutMs, payload, onStored } = request;
  expectOptionalFunction(call, "onStored", onStored);
  if (timeoutMs !== undefined && !Number.isFinite(timeoutMs)) {
    throw wrongArgument(call, "timeoutMs", "expected a number of milliseconds");
  }
  return {
    title: expectText(call, "title", title),
    description: expectText(call, "description", description),
    sessionKey: expectText(call, "sessionKey", sessionKey),
    ...(severity === undefined
      ? {}
      : { severity: expectOneOf(call, "severity", severity, SEVERITIES) }),
    ...defined({ timeoutMs }),
    // A copy, so that later changes by the plugin do not affect the request.
    ...(payload === undefined ? {} : { payload: structuredClone(payload) }),
    ...(onStored === undefined ? {} : { onStored: (id) => onStored.call(request, id) }),
  };
}
