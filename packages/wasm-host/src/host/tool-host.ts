import type { Capabilities } from "../capabilities/capabilities.js";
import { isSecretAllowed, isUnderPrefix, isWorkspacePath } from "../capabilities/names.js";
import type { ComponentWorld } from "../component/world.js";
import type { ComponentLimits } from "../limits.js";
import type { GuestLogLevel, HostAnswer } from "../worker/messages.js";
import type { HostFunctions } from "../worker/pool.js";
import type { HttpBoundary } from "./http-boundary.js";
import { HttpFailure } from "./http-failure.js";

/** Ports of the functions of a host for one execution of a tool. */
export interface ToolHostPorts {
  log(level: GuestLogLevel, message: string): void;
  /** Reads a file of the workspace; undefined when it does not exist. */
  readWorkspace(path: string): Promise<string | undefined>;
  secretExists(name: string): Promise<boolean>;
  /**
   * Calls another tool.
   * @throws an error whose message is for the component
   */
  invokeTool(tool: string, params: string): Promise<string>;
  /** Requests of the component; undefined when its capabilities allow none. */
  readonly http: HttpBoundary | undefined;
  /** Counts an invocation, and returns false when there are too many. */
  mayInvoke(): boolean;
  /** Ends with the execution. */
  readonly signal?: AbortSignal | undefined;
}

type Answered = (...args: readonly unknown[]) => Promise<unknown>;

/** An error of a function of the host that has a text. */
class GuestError extends Error {}

/**
 * Returns the functions of a host for one execution (WASM-022 to WASM-026).
 * @param world - world of the component
 * @param capabilities - permissions of the component
 * @param ports - services of the host
 * @param limits - limits of the execution
 */
export function toolHost(
  { errors }: ComponentWorld,
  capabilities: Capabilities,
  ports: ToolHostPorts,
  limits: ComponentLimits,
): HostFunctions {
  const request = ports.http?.execution(limits.httpRequests);
  let invocations = 0;
  const functions: Readonly<Record<string, Answered>> = {
    async workspaceRead(path) {
      const name = String(path);
      if (!isWorkspacePath(name) || !isUnderPrefix(name, capabilities.workspacePrefixes))
        return undefined;
      return await ports.readWorkspace(name);
    },
    async secretExists(name) {
      return isSecretAllowed(String(name), capabilities.secretNames)
        ? await ports.secretExists(String(name))
        : false;
    },
    async httpRequest(method, url, headersJson, body, timeoutMs) {
      if (request === undefined) {
        throw new HttpFailure(
          "network-denied",
          "EmptyAllowlist",
          "the component has no capability for requests",
        );
      }
      return await request(
        {
          method: String(method),
          url: String(url),
          headersJson: String(headersJson),
          body: body instanceof Uint8Array ? body : undefined,
          timeoutMs: typeof timeoutMs === "number" ? timeoutMs : undefined,
        },
        ports.signal,
      );
    },
    async toolInvoke(alias, params) {
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
  return {
    log: (level, message) => ports.log(level, message),
    async call(name, args): Promise<HostAnswer> {
      const found = Object.hasOwn(functions, name) ? functions[name] : undefined;
      if (found === undefined) return { error: `${name} is not offered to tools` };
      try {
        return { value: await found(...args) };
      } catch (error) {
        if (error instanceof HttpFailure) return { error: error.payload(errors) };
        return { error: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
