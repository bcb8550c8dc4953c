import type { Timers } from "@openclaw/foundation";
import type { PluginGatewayMethodRegistration, PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import {
  includesScope,
  type MethodCall,
  type MethodDefinition,
  type MethodTable,
} from "@openclaw/protocol";
import { InvalidRequestError, MissingScopeError } from "@openclaw/protocol/registry";
import { Type } from "typebox";
import type { MethodSource } from "../calls/method-calls.js";
import { PluginMethodCall } from "./method-call.js";

/** Dependencies of {@link PluginGatewayMethods}. */
export interface PluginGatewayMethodsDependencies {
  readonly plugins: Pick<PluginRuntime, "current" | "pin" | "callPlugin" | "onChanged">;
  readonly logger: Logger;
  /** Timers for deadlines; those of the process when absent. */
  readonly timers?: Timers | undefined;
}

const anyParams = Type.Record(Type.String(), Type.Unknown());

/**
 * The methods of the host and those of the plugins of the current generation (GW-030). A method of the host is never
 * replaced by one of a plugin. Callers of a plugin's method may omit the idempotency key.
 */
export class PluginGatewayMethods implements MethodSource {
  readonly #host: MethodSource;
  readonly #dependencies: PluginGatewayMethodsDependencies;

  /** @param dependencies - plugins and log */
  constructor(host: MethodSource, dependencies: PluginGatewayMethodsDependencies) {
    this.#host = host;
    this.#dependencies = dependencies;
  }

  /** Definitions of the methods, by name, with those of the current generation of plugins. */
  get definitions(): MethodTable {
    const { gatewayHandlers } = this.#dependencies.plugins.current;
    const added = gatewayHandlers.map((each) => [each.method, definitionOf(each)] as const);
    return { ...Object.fromEntries(added), ...this.#host.definitions };
  }

  definition(name: string): MethodDefinition | undefined {
    const found = this.#host.definition(name);
    if (found !== undefined) return found;
    const registration = this.#find(name);
    return registration && definitionOf(registration);
  }

  async dispatch(name: string, parameters: unknown, call: MethodCall): Promise<unknown> {
    const isOfHost = this.#host.definition(name) !== undefined;
    const registration = isOfHost ? undefined : this.#find(name);
    if (registration === undefined) return this.#host.dispatch(name, parameters, call);
    const { scope } = registration;
    const { id, scopes } = call.caller;
    if (!includesScope(scopes, scope)) throw new MissingScopeError(name, scope, id);
    if (!isRecord(parameters)) {
      throw new InvalidRequestError(name, [{ path: "", message: "must be object" }]);
    }
    return new PluginMethodCall(registration, call, this.#dependencies).run(parameters);
  }

  #find(name: string): PluginGatewayMethodRegistration | undefined {
    const { gatewayHandlers } = this.#dependencies.plugins.current;
    return gatewayHandlers.find(({ method }) => method === name);
  }
}

function definitionOf({
  method,
  pluginId,
  scope,
}: PluginGatewayMethodRegistration): MethodDefinition {
  return {
    name: method,
    summary: `Method of the plugin "${pluginId}".`,
    params: anyParams,
    result: Type.Unknown(),
    errors: [],
    scope,
    effect: "write",
    idempotency: "optional",
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
