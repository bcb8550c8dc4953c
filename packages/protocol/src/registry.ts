export {
  ConnectionNeededError,
  IdempotencyMismatchError,
  InvalidRequestError,
  MethodNotFoundError,
  MissingScopeError,
  ProtocolError,
  type ProtocolErrorOptions,
} from "./registry/errors.js";
export { MethodRegistry } from "./registry/method-registry.js";
export { type ParameterIssue, parameterIssues } from "./registry/parameter-issue.js";
export { wireErrorOf } from "./wire/error-of.js";
