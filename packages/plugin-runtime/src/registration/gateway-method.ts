import type {
  GatewayMethodHandler,
  GatewayMethodOptions,
  GatewayScope,
} from "@openclaw/plugin-sdk/http";
import { expectFunction, expectName, expectOneOf, type NameRule } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A method that a plugin adds to the gateway's protocol. */
export interface PluginGatewayMethodRegistration extends RegistrationOrigin {
  readonly method: string;
  readonly handler: GatewayMethodHandler;
  /** Scope that callers need. */
  readonly scope: GatewayScope;
}

const METHOD: NameRule = {
  pattern: /^[A-Za-z][A-Za-z0-9._-]{0,99}$/,
  expected: "a letter and up to 99 of A-Z a-z 0-9 . _ -",
};

const SCOPES = [
  "operator.read",
  "operator.write",
  "operator.approvals",
  "operator.admin",
] as const satisfies readonly GatewayScope[];

/**
 * Families of methods that change the host itself; a plugin that adds to them must require the
 * administrator scope.
 */
const ADMIN_FAMILIES = /^(?:config|exec\.approvals|wizard|update)\./;

/**
 * Checks the arguments of `api.registerGatewayMethod` (PLUG-035).
 * @param origin - the plugin
 * @param method - its name
 * @param handler - handles calls
 * @param options - scope that callers need
 * @throws PluginRegistrationError naming the argument
 */
export function readGatewayMethod(
  origin: RegistrationOrigin,
  method: string,
  handler: GatewayMethodHandler,
  options: GatewayMethodOptions = {},
): PluginGatewayMethodRegistration {
  const call = { origin, member: "registerGatewayMethod" };
  const name = expectName(call, "method", method, METHOD);
  expectFunction(call, `handler of method "${name}"`, handler);
  const asked = expectOneOf(
    call,
    `scope of method "${name}"`,
    options.scope ?? "operator.admin",
    SCOPES,
  );
  const scope = ADMIN_FAMILIES.test(name) ? "operator.admin" : asked;
  return { ...origin, method: name, handler, scope };
}
