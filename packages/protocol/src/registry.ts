export { InvalidRequestError } from "./registry/errors.js";
export { MethodRegistry } from "./registry/method-registry.js";
