export {
  IdempotencyMismatchError,
  InvalidRequestError,
  MethodNotFoundError,
  MissingScopeError,
  ProtocolError,
  type ProtocolErrorOptions,
} from "./registry/errors.js";
export { MethodRegistry } from "./registry/method-registry.js";
export { wireErrorOf } from "./wire/error-of.js";
