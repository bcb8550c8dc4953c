export {
  ConnectionNeededError,
  IdempotencyMismatchError,
  InvalidRequestError,
  MethodNotFoundError,
  MissingScopeError,
  ProtocolError,
} from "./registry/errors.js";
export { MethodRegistry } from "./registry/method-registry.js";
export { readPageCursor, writePageCursor } from "./registry/page-cursor.js";
export { parameterIssues } from "./registry/parameter-issue.js";
export { validatorOf } from "./registry/validator-of.js";
export { wireErrorOf } from "./wire/error-of.js";
