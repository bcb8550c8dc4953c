import type { Capabilities } from "../capabilities/capabilities.js";
import { isSecretAllowed } from "../capabilities/names.js";
import type { ComponentWorld } from "../component/world.js";
import type { GuestLogLevel, HostAnswer } from "../worker/messages.js";
import type { HostFunctions } from "../worker/pool.js";
import type { HttpBoundary } from "./http-boundary.js";
import { HttpFailure } from "./http-failure.js";

/** Ports of the functions that tools and channels have. */
export interface GuestPorts {
  log(level: GuestLogLevel, message: string): void;
  /** Reads a file of the workspace; undefined when it does not exist. */
  readWorkspace(path: string): Promise<string | undefined>;
  secretExists(name: string): Promise<boolean>;
  /** Requests of the component; undefined when its capabilities allow none. */
  readonly http: HttpBoundary | undefined;
  /** Ends with the execution. */
  readonly signal?: AbortSignal | undefined;
}

/** A function of the host, with arguments in the form of the glue code. */
export type GuestFunction = (...args: readonly unknown[]) => Promise<unknown>;

/** An error of a function of the host that has a text. */
export class GuestError extends Error {}

/**
 * Returns the functions that tools and channels have (WASM-023, WASM-026).
 * @param capabilities - permissions of the component
 * @param ports - services of the host
 * @param maximum - requests of one execution
 */
export function guestFunctions(
  { secretNames }: Capabilities,
  ports: GuestPorts,
  maximum: number,
): Readonly<Record<"secretExists" | "httpRequest", GuestFunction>> {
  const request = ports.http?.execution(maximum);
  return {
    async secretExists(name) {
      return isSecretAllowed(String(name), secretNames)
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
  };
}

/**
 * Returns the functions in the form in which a worker calls them.
 * @param world - world of the component
 * @param functions - functions by name
 * @param log - receives the lines of the component
 */
export function answering(
  { kind, errors }: ComponentWorld,
  functions: Readonly<Record<string, GuestFunction>>,
  log: GuestPorts["log"],
): HostFunctions {
  return {
    log,
    async call(name, args): Promise<HostAnswer> {
      const found = Object.hasOwn(functions, name) ? functions[name] : undefined;
      if (found === undefined) return { error: `${name} is not offered to ${kind}s` };
      try {
        return { value: await found(...args) };
      } catch (error) {
        if (error instanceof HttpFailure) return { error: error.payload(errors) };
        return { error: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
