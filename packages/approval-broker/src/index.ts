export type { ApprovalActor } from "./actor.js";
export { type Approver, requestDecision } from "./approver.js";
export { ApprovalBroker, type ApprovalBrokerOptions } from "./broker.js";
export type { ApprovalCause } from "./cause.js";
export { shownCommands } from "./commands/texts.js";
export { redactForDisplay } from "./display.js";
export {
  ApprovalAlreadyDecidedError,
  ApprovalMismatchError,
  ApprovalNotFoundError,
  ApprovalVoteRefusedError,
  DecisionNotAllowedError,
  GrantNotFoundError,
  GrantPrefixRefusedError,
  NotAuthorizedToApproveError,
} from "./errors.js";
export type { GivenApproval } from "./execution.js";
export { filledForm, formFields, formPrompts, writtenForm } from "./form.js";
export { grantKeyOf } from "./grant-key.js";
export { fittingInput } from "./input.js";
export {
  boundInput,
  givenInput,
  MAXIMUM_ROUNDS,
  type OwnInputRequest,
  ownInputRequest,
} from "./input-request.js";
export type { CallAuthority } from "./need.js";
export { isBoundBySandbox } from "./prefix/offer.js";
export {
  type ApprovalRequest,
  type ContainedRun,
  digestOf,
  type GrantableCommand,
  type PluginApprovalRequest,
  type RequestedRule,
} from "./request.js";
export { type NotifyPlugin, resolutionOf } from "./resolutions.js";
export {
  type ApprovalDelivery,
  type ApprovalSettings,
  type ApprovalsConfiguration,
  approvalsSchema,
  type DeliveredApproval,
} from "./settings.js";
export { pluginDigest } from "./storable-request.js";
export type { ApprovalVerdict, NewCallVerdict } from "./verdict.js";
