import { splitKey, valueAt } from "@openclaw/configuration";
import {
  answer,
  type CoreTool,
  type ExtensionManagement,
  refusing,
  ToolRefusalError,
} from "@openclaw/core-tools";
import { jsonResult, textResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import type { GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import { type Static, Type } from "typebox";

/** Name of the tool (TURN-069). */
export const GATEWAY = "gateway";

/** Gateway that the tool reads and changes. */
export interface GatewayPort {
  /** Returns the methods of the gateway. */
  methods(): Promise<Pick<MethodRegistry<GatewayMethods>, "call">>;
  /** Stops the process in an orderly way, and starts it again; absent where nothing would start it. */
  readonly restart?: (() => void) | undefined;
  /** Returns the extensions of the gateway, for the tools that manage them. */
  extensions(): ExtensionManagement;
}

const closed = { additionalProperties: false };

const parameters = Type.Object(
  {
    action: Type.Enum(["status", "config_get", "config_set", "restart"]),
    path: Type.Optional(
      Type.String({ minLength: 1, description: "Dotted key such as agents.defaults.model." }),
    ),
    value: Type.Optional(Type.Unknown({ description: "JSON value; null removes the key." })),
  },
  closed,
);

type Parameters = Static<typeof parameters>;

/** Characters of a value that the person who is asked sees. */
const LONGEST_VALUE = 400;

/**
 * Creates the tool `gateway`: state and configuration of the gateway, for owners.
 * @param port - returns the gateway; undefined for a host that is none
 */
export function createGatewayTool(port: () => GatewayPort | undefined): CoreTool {
  return defineTool({
    name: GATEWAY,
    label: "Gateway",
    description: "Show the state of the gateway, read and change its configuration, restart it.",
    parameters,
    ownerOnly: true,
    approval(params) {
      const description = changeOf(params);
      return description === undefined
        ? "never"
        : { need: "always", description, asksEachTime: true };
    },
    execute: (_id, params) =>
      answer(`${params.action} of the gateway`, () =>
        refusing(async () => {
          const gateway = port();
          if (gateway === undefined) {
            throw new ToolRefusalError("refused", "this host is not a gateway; ask the operator");
          }
          if (params.action === "restart") return restart(gateway);
          return jsonResult(await outcomeOf(params, gateway));
        }),
      ),
  });
}

/** Returns the sentence for the person who is asked; undefined for an action that changes nothing. */
function changeOf({ action, path = "", value }: Parameters): string | undefined {
  if (action === "restart") return "Restarts the gateway.";
  if (action !== "config_set") return undefined;
  if (value === null) return `Removes ${path} from the configuration of the gateway.`;
  const json = JSON.stringify(value) ?? "nothing";
  const shown = json.length > LONGEST_VALUE ? `${json.slice(0, LONGEST_VALUE)}…` : json;
  return `Sets ${path} to ${shown} in the configuration of the gateway.`;
}

function restart(gateway: GatewayPort) {
  if (gateway.restart === undefined) {
    throw new ToolRefusalError(
      "refused",
      "this gateway cannot start itself again; ask the operator to restart it",
    );
  }
  gateway.restart();
  return textResult("The gateway restarts now. Turns that it interrupts continue afterwards.");
}

async function outcomeOf({ action, path, value: wanted }: Parameters, port: GatewayPort) {
  const gateway = await port.methods();
  if (action === "status") return await gateway.call("host.status", {});
  const read = await gateway.call("config.get", {});
  if (action === "config_get") {
    if (path === undefined) return read.value;
    const value = valueAt(read.value, keysOf(path));
    if (value !== undefined) return value;
    const text = `path: the configuration file has no ${path}; its default applies`;
    throw new ToolRefusalError("not-found", text);
  }
  if (path === undefined) throw new ToolRefusalError("invalid-value", "path: config_set needs one");
  if (wanted === undefined) {
    throw new ToolRefusalError(
      "invalid-value",
      "value: config_set needs one; null removes the key",
    );
  }
  const change = { path: [...keysOf(path)], ...(wanted === null ? {} : { value: wanted }) };
  return await gateway.call("config.set", { baseHash: read.baseHash, changes: [change] });
}

function keysOf(path: string): readonly [string, ...string[]] {
  const keys = splitKey(path);
  if (keys !== undefined) return keys;
  throw new ToolRefusalError("invalid-value", `path: "${path}" is not a dotted key`);
}
