import { isSection } from "@openclaw/messaging";
import type { AdapterChannel } from "@openclaw/plugin-sdk/channel-core";

/** Function of an adapter; it is of a plugin, so that its result is checked by the caller. */
export type AdapterMethod = (...given: readonly unknown[]) => unknown;

/**
 * Returns a function of an adapter of a channel, bound to the adapter; undefined when the channel does not have it.
 * @param channel - channel of an older plugin
 * @param path - names from the channel to the function, for example `outbound`, `sendText`
 */
export function adapterMethod(
  channel: AdapterChannel,
  ...path: readonly [string, ...string[]]
): AdapterMethod | undefined {
  let owner: unknown = channel;
  let found: unknown = channel;
  for (const name of path) {
    if (!isSection(found)) return undefined;
    owner = found;
    found = found[name];
  }
  return typeof found === "function" ? bound(found, owner) : undefined;
}

/**
 * Returns a function that a plugin passed, called as a method of the object that it is from.
 * @param value - value that may be a function
 * @param owner - its object
 */
export function boundMethod(value: unknown, owner: unknown): AdapterMethod | undefined {
  return typeof value === "function" ? bound(value, owner) : undefined;
}

function bound(found: CallableFunction, owner: unknown): AdapterMethod {
  return (...given) => Reflect.apply(found, owner, [...given]);
}

/**
 * Returns a value of an adapter of a channel.
 * @param channel - channel of an older plugin
 * @param path - names from the channel to the value
 */
export function adapterValue(
  channel: AdapterChannel,
  ...path: readonly [string, ...string[]]
): unknown {
  let found: unknown = channel;
  for (const name of path) found = isSection(found) ? found[name] : undefined;
  return found;
}
