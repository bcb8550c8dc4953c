import { isDeepStrictEqual } from "node:util";
import { REDACTED } from "@openclaw/plugin-discovery";
import type { HostConfigChange } from "@openclaw/plugin-sdk/services";

/**
 * Returns the changes that turn one configuration into another. A value that was redacted for the plugin, and that the
 * plugin writes back, does not change.
 * @param before - the configuration as the plugin saw it
 * @param after - the configuration that the plugin wants
 */
export function configDifference(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly HostConfigChange[] {
  return differences(before, after, []);
}

function differences(before: unknown, after: unknown, path: readonly string[]): HostConfigChange[] {
  if (after === REDACTED || isDeepStrictEqual(before, after)) return [];
  const [first, ...rest] = path;
  if (!isRecord(before) || !isRecord(after)) {
    return first === undefined ? [] : [{ path: [first, ...rest], value: after }];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(own(before, key), own(after, key), [...path, key]));
}

function own(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
