import { defined } from "@openclaw/foundation";
import type { ApprovalRequest, ApprovalSubmission } from "@openclaw/plugin-sdk/approvals";
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

/**
 * Checks the argument of `api.approvals.submit`. The host reads the schema of the input.
 * @param submission - content of the request, and the input that it asks for
 * @throws PluginRegistrationError
 */
export function readApprovalSubmission(
  origin: RegistrationOrigin,
  submission: ApprovalSubmission,
): ApprovalSubmission {
  const call = { origin, member: "approvals.submit" };
  const { onStored: _onStored, ...read } = readApprovalRequest(origin, submission);
  const { input, requester } = submission;
  if (input !== undefined) expectObject(call, "input", input);
  if (requester === undefined)
    return { ...read, ...defined({ input: input && structuredClone(input) }) };
  expectObject(call, "requester", requester);
  if (input === undefined) throw wrongArgument(call, "requester", "expected it only with input");
  return { ...read, input: structuredClone(input), requester: readRequester(call, requester) };
}

function readRequester(
  call: { readonly origin: RegistrationOrigin; readonly member: string },
  { channel, accountId, senderId }: NonNullable<ApprovalSubmission["requester"]>,
): NonNullable<ApprovalSubmission["requester"]> {
  return {
    channel: expectText(call, "requester.channel", channel),
    senderId: expectText(call, "requester.senderId", senderId),
    ...(accountId === undefined
      ? {}
      : { accountId: expectText(call, "requester.accountId", accountId) }),
  };
}
