export { InvalidRequestError, MethodNotFoundError } from "./registry/errors.js";
export { MethodRegistry } from "./registry/method-registry.js";
