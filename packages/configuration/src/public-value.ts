import type { PluginGeneration } from "@openclaw/plugin-runtime";
import { type RuleSet, redactLogFields } from "@openclaw/safety";

/** Text that replaces a secret; a value that contains it cannot be written back. */
export const REDACTED = /\[redacted\]/i;

type Fields = Record<string, unknown>;

/**
 * Returns a configuration without secrets: values that their name or form shows to be secret, and the settings that plugins mark as
 * sensitive (GW-029).
 * @param value - configuration as commands show it, with references as they are written
 * @param plugins - plugins whose hints count
 * @param rules - rules in force; the built-in ones when undefined
 */
export function publicConfiguration(
  value: unknown,
  { plugins }: Pick<PluginGeneration, "plugins">,
  rules: RuleSet | undefined,
): unknown {
  const copy: unknown = structuredClone(value);
  for (const { id, uiHints = {} } of plugins) {
    for (const [path, hint] of Object.entries(uiHints)) {
      if (!isSensitive(hint)) continue;
      redactAt(copy, ["plugins", "entries", id, "config", ...path.split(".")]);
    }
  }
  return redactLogFields(copy, { rules });
}

function isSensitive(hint: unknown): boolean {
  return isFields(hint) && hint.sensitive === true;
}

function redactAt(value: unknown, [key, ...rest]: readonly string[]): void {
  if (key === undefined || !isFields(value) || !Object.hasOwn(value, key)) return;
  if (rest.length > 0) redactAt(value[key], rest);
  else value[key] = "[redacted]";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
