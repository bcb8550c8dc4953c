import type { Capabilities } from "../capabilities/capabilities.js";
import { isUnderPrefix, isWorkspacePath } from "../capabilities/names.js";
import type { ComponentWorld } from "../component/world.js";
import type { ComponentLimits } from "../limits.js";
import type { HostFunctions } from "../worker/pool.js";
import { answering, GuestError, type GuestPorts, guestFunctions } from "./guest-functions.js";

/** Ports of the functions of a host for one execution of a tool. */
export interface ToolHostPorts extends GuestPorts {
  /**
   * Calls another tool.
   * @throws an error whose message is for the component
   */
  invokeTool(tool: string, params: string): Promise<string>;
  /** Counts an invocation, and returns false when there are too many. */
  mayInvoke(): boolean;
}

/**
 * Returns the functions of a host for one execution of a tool (WASM-022 to WASM-026).
 * @param capabilities - permissions of the component
 * @param ports - services of the host
 * @param limits - limits of the execution
 */
export function toolHost(
  world: ComponentWorld,
  capabilities: Capabilities,
  ports: ToolHostPorts,
  limits: ComponentLimits,
): HostFunctions {
  let invocations = 0;
  const functions = {
    ...guestFunctions(capabilities, ports, limits.httpRequests),
    async workspaceRead(path: unknown) {
      const name = String(path);
      if (!isWorkspacePath(name) || !isUnderPrefix(name, capabilities.workspacePrefixes))
        return undefined;
      return await ports.readWorkspace(name);
    },
    async toolInvoke(alias: unknown, params: unknown) {
      const { aliases = {} } = capabilities.toolInvoke ?? {};
      const name = String(alias);
      const tool = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
      if (tool === undefined) throw new GuestError(`unknown alias ${name.slice(0, 64)}`);
      invocations += 1;
      if (invocations > limits.toolInvocations) {
        throw new GuestError(`more than ${limits.toolInvocations} tool invocations in one call`);
      }
      if (!ports.mayInvoke()) throw new GuestError("too many tool invocations; try again later");
      return await ports.invokeTool(tool, String(params));
    },
  };
  return answering(world, functions, (level, message) => ports.log(level, message));
}
