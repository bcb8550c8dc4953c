import type { StandardSchema } from "@openclaw/plugin-sdk/tools";
import type { ClientTool } from "../context/client.js";
import type { ToolEntry } from "./tool-entry.js";

/**
 * Accepts every object. The client checks the arguments of the tools that it runs; a schema from a request
 * may contain expressions that take very long to match.
 */
const anyObject: StandardSchema = {
  "~standard": { version: 1, vendor: "openclaw", validate: (value) => ({ value }) },
};

/**
 * Returns the entry of a tool that the client runs. It goes through policy, hooks and approvals like every
 * tool, and its calls are returned to the client (GW-036).
 * @param tool - tool of the request
 */
export function clientToolEntry({ name, description, parameters, strict }: ClientTool): ToolEntry {
  return {
    name,
    tool: {
      name,
      description,
      parameters: anyObject,
      // The host runs nothing, so a resumed turn may return the call again.
      idempotent: true,
      execute() {
        throw new Error(`the tool "${name}" runs in the client`);
      },
    },
    description,
    kind: "client",
    pluginId: undefined,
    parameters,
    strict,
    policyTool: { name, origin: "client", optional: false, aliases: [] },
  };
}
