import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import { describeMissing, type SdkPart } from "../sdk-use/sdk-use.js";

/**
 * Names all parts of the SDK that a failed plugin imports and this host lacks, because the failure shows only the first.
 * @param parts - parts that the plugin imports
 */
export function allMissing(parts: readonly SdkPart[]): string {
  const missing = parts.filter(({ offered }) => !offered);
  return missing.length < 2
    ? ""
    : `; in all it imports ${missing.length} parts that this host does not have: ${describeMissing(missing).join("; ")}`;
}

/** Names that a notice shows. */
const SHOWN_NAMES = 20;

/**
 * Reports functions that a plugin imports and that have no effect on this host (PLUG-522).
 * @param source - its entry
 * @param inert - the functions
 */
export function tellInert(
  pluginId: string,
  source: string,
  inert: readonly SdkPart[],
): PluginDiagnostic {
  const names = [...new Set(inert.map(({ name }) => `"${name}"`))];
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : "";
  return {
    level: "info",
    code: "sdk-parts-inert",
    message: `plugin "${pluginId}" imports functions that only a set-up of older hosts uses, and that have no effect here: ${names.slice(0, SHOWN_NAMES).join(", ")}${more}`,
    pluginId,
    source,
    hint: "configure it with `openclaw channels add` or `openclaw config set`",
  };
}

/**
 * Reports a plugin that runs without parts of the SDK that this host lacks (PLUG-140).
 * @param source - its entry
 */
export function tellLimited(
  pluginId: string,
  source: string,
  missing: readonly SdkPart[],
): PluginDiagnostic {
  const count = missing.length === 1 ? "a part" : `${missing.length} parts`;
  return {
    level: "warn",
    code: "sdk-parts-missing",
    message: `plugin "${pluginId}" is limited: this host does not have ${count} of the SDK that it imports: ${describeMissing(missing).join("; ")}`,
    pluginId,
    source,
    hint: "what needs them fails when it is used, and its hooks that decide then deny; install a version of the plugin for this host, or update the host",
  };
}
