import { ChannelStartupFailedError } from "@openclaw/plugin-sdk/channel-core";
import { isRecord } from "@openclaw/plugin-sdk/kit";
import type { ChannelCapability } from "@openclaw/wasm-host";

/** Path of the gateway at which a channel receives requests. */
export interface ChannelEndpoint {
  /** Path below `/webhook`. */
  readonly path: string;
  /** In upper case. */
  readonly methods: readonly string[];
  readonly requiresSecret: boolean;
}

/** Result of `on-start`, within what the capabilities allow. */
export interface ChannelConfiguration {
  readonly displayName: string;
  readonly endpoints: readonly ChannelEndpoint[];
  /** Milliseconds between two callbacks of polling; undefined without polling. */
  readonly pollMs: number | undefined;
}

const PATH = /^\/webhook(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/;
const METHOD = /^[A-Z]{1,16}$/;
const MAX_ENDPOINTS = 20;

/**
 * Checks the result of `on-start` (WASM-033, WASM-038).
 * @param name - name of the channel, for errors
 * @param value - result in the form of the glue code
 * @param capability - permissions of the channel
 * @throws ChannelStartupFailedError for a path that is not one, or that the capabilities do not allow
 */
export function readConfiguration(
  name: string,
  value: unknown,
  { allowedPaths, allowPolling, minPollIntervalMs }: ChannelCapability,
): ChannelConfiguration {
  const { displayName, httpEndpoints, poll } = isRecord(value) ? value : {};
  const given = Array.isArray(httpEndpoints) ? httpEndpoints.filter(isRecord) : [];
  if (given.length > MAX_ENDPOINTS) {
    throw new ChannelStartupFailedError(
      name,
      `it declares ${given.length} endpoints, more than ${MAX_ENDPOINTS}; declare fewer`,
    );
  }
  const endpoints = given.map(({ path, methods, requireSecret }) => {
    const place = String(path);
    if (!PATH.test(place)) {
      const problem = `it declares the endpoint ${JSON.stringify(place)}, but expected is a path below /webhook; correct its on-start`;
      throw new ChannelStartupFailedError(name, problem);
    }
    if (!isAllowed(place, allowedPaths)) {
      const allowed = allowedPaths.join(", ") || "none";
      const problem = `it declares the endpoint ${place}, but channel.allowed_paths allows ${allowed}; add the path to its capabilities file, and install it again`;
      throw new ChannelStartupFailedError(name, problem);
    }
    const names = (Array.isArray(methods) ? methods : []).map((each) => String(each).toUpperCase());
    const wrong = names.find((method) => !METHOD.test(method));
    if (wrong !== undefined) {
      const problem = `its endpoint ${place} has the method ${JSON.stringify(wrong)}; correct its on-start`;
      throw new ChannelStartupFailedError(name, problem);
    }
    return {
      path: place,
      methods: names.length === 0 ? ["POST"] : names,
      requiresSecret: requireSecret !== false,
    };
  });
  const polls = isRecord(poll) && poll.enabled === true;
  if (polls && !allowPolling) {
    const problem =
      "it polls, but channel.allow_polling is not true; allow it in its capabilities file, and install it again";
    throw new ChannelStartupFailedError(name, problem);
  }
  return {
    displayName: typeof displayName === "string" && displayName !== "" ? displayName : name,
    endpoints,
    pollMs: polls ? Math.max(Number(poll.intervalMs) || 0, minPollIntervalMs) : undefined,
  };
}

/** A path that ends with `*` allows all paths that begin as it does. */
function isAllowed(path: string, allowed: readonly string[]): boolean {
  return allowed.some((each) =>
    each.endsWith("*") ? path.startsWith(each.slice(0, -1)) : path === each,
  );
}
