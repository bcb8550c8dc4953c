import type {
  GatewayMethodHandler,
  GatewayMethodOptions,
  GatewayScope,
} from "@openclaw/plugin-sdk/http";
import {
  type ApiCall,
  expectFunction,
  expectName,
  expectOneOf,
  type NameRule,
  wrongArgument,
} from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A method that a plugin adds to the gateway's protocol. */
export interface PluginGatewayMethodRegistration extends RegistrationOrigin {
  readonly method: string;
  readonly handler: GatewayMethodHandler;
  /** Scope that callers need. */
  readonly scope: GatewayScope;
  /** Time of a call in milliseconds. */
  readonly timeoutMs: number;
  /** Aborts when the plugin's generation ends. */
  readonly ended: AbortSignal;
}

/** Arguments of a plugin. */
export interface GatewayMethodInput {
  readonly method: string;
  readonly handler: GatewayMethodHandler;
  readonly options?: GatewayMethodOptions | undefined;
}

/** Data of the host and the plugin that a method is registered with. */
export interface GatewayMethodPlace {
  /** Names of the host's own methods. */
  readonly hostMethods: readonly string[];
  /** Aborts when the plugin's generation ends. */
  readonly ended: AbortSignal;
}

/** Older plugins name methods freely, for example `voicecall/status` or `@scope/name:run`. */
const METHOD: NameRule = {
  pattern: /^(?!\s)[^\p{Cc}]{1,200}(?<!\s)$/u,
  expected: "1 to 200 characters without line breaks, and no space at either end",
};

/** Scopes of clients, from the narrowest to the widest. */
export const GATEWAY_SCOPES = [
  "operator.read",
  "operator.write",
  "operator.approvals",
  "operator.admin",
] as const satisfies readonly GatewayScope[];

/** Families of methods that change the host itself, in addition to those that the host has. */
const ADMIN_FAMILIES = ["config", "exec", "wizard", "update"];

const DEFAULT_TIMEOUT_MS = 60_000;
const LONGEST_TIMEOUT_MS = 600_000;

/**
 * Checks the arguments of `api.registerGatewayMethod` (PLUG-035). A method of a family of the host requires the
 * administrator scope, whichever scope the plugin asks for.
 * @param input - name, handler, scope that callers need, and time of a call
 * @param place - methods of the host, and end of the plugin
 * @throws PluginRegistrationError naming the argument
 */
export function readGatewayMethod(
  origin: RegistrationOrigin,
  { method, handler, options = {} }: GatewayMethodInput,
  place: GatewayMethodPlace,
): PluginGatewayMethodRegistration {
  const call = { origin, member: "registerGatewayMethod" };
  const name = expectName(call, "method", method, METHOD);
  expectFunction(call, `handler of method "${name}"`, handler);
  const asked = expectOneOf(
    call,
    `scope of method "${name}"`,
    options.scope ?? "operator.admin",
    GATEWAY_SCOPES,
  );
  const scope = isOfHost(name, place.hostMethods) ? "operator.admin" : asked;
  const timeoutMs = readTimeout(call, name, options.timeoutMs);
  return { ...origin, method: name, handler, scope, timeoutMs, ended: place.ended };
}

function isOfHost(name: string, hostMethods: readonly string[]): boolean {
  const families = new Set([...ADMIN_FAMILIES, ...hostMethods.flatMap(familyOf)]);
  return familyOf(name).some((family) => families.has(family));
}

/** A name without a dot has no family. */
function familyOf(name: string): readonly string[] {
  const [family = "", ...rest] = name.toLowerCase().split(".");
  return rest.length === 0 ? [] : [family];
}

function readTimeout(call: ApiCall, name: string, value: unknown = DEFAULT_TIMEOUT_MS): number {
  const isInRange = typeof value === "number" && value >= 1 && value <= LONGEST_TIMEOUT_MS;
  if (isInRange && Number.isInteger(value)) return value;
  throw wrongArgument(
    call,
    `timeoutMs of method "${name}"`,
    `expected whole milliseconds from 1 to ${LONGEST_TIMEOUT_MS}, got ${String(value)}`,
  );
}
