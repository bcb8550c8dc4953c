import {
  type ChannelCapabilities,
  ChannelStartupFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { headerFault } from "@openclaw/plugin-sdk/plugin-entry";
import type { BridgeLogger } from "./adapter/logger.js";
import type { AdapterPackage } from "./adapter/package.js";
import type { BridgeSettings, Preset } from "./presets/preset.js";

/** Text limit of an adapter that the bridge does not know, in characters; every platform accepts it. */
const SAFE_LIMIT = 2000;

/**
 * Returns the platform of a channel that the configuration names by the package of its adapter.
 * @param channel - name of the channel
 * @param section - `channels.<channel>`, with `adapter`
 */
export function configuredPlatform(channel: string, section: BridgeSettings): Preset {
  const { adapter, factory, capabilities } = section;
  return {
    channel,
    adapter: adapterOf(String(adapter), textOf(factory)),
    capabilities: capabilitiesOf(fieldsOf(capabilities)),
    required: {},
    optional: [],
  };
}

/**
 * Returns the options of an adapter for one account: the settings of the preset, with `options` of the account over
 * them.
 * @param preset - the platform
 * @param settings - section of the account
 * @param logger - log for the adapter and its libraries
 * @throws ChannelStartupFailedError that names a missing setting, or one that cannot be sent
 */
export function adapterOptions(
  preset: Preset,
  settings: BridgeSettings,
  logger: BridgeLogger,
): BridgeSettings {
  const { channel, required, optional, instead = {} } = preset;
  const options: Record<string, unknown> = { ...preset.fixed?.(logger), logger };
  for (const [key, where] of Object.entries(required)) {
    const other = instead[key];
    if (settings[key] === undefined && other !== undefined && settings[other] !== undefined)
      continue;
    // An ID of digits may be written as a number.
    const value = Number.isSafeInteger(settings[key]) ? String(settings[key]) : settings[key];
    if (typeof value !== "string" || value.trim() === "") {
      const problem = `channels.${channel}.${key} is missing: set it to ${where}, for example as \${secret:NAME} after openclaw secrets set NAME`;
      throw new ChannelStartupFailedError(channel, problem);
    }
    assertHeader(preset, key, value, `set it to ${where}`);
    options[key] = value;
  }
  for (const key of optional) {
    const value = settings[key];
    if (value === undefined) continue;
    assertHeader(preset, key, value, "correct it");
    options[key] = value;
  }
  return { ...options, ...fieldsOf(settings.options) };
}

/** Rejects a value that would be sent in a header and cannot be. */
function assertHeader(
  { channel, inHeaders = [] }: Preset,
  key: string,
  value: unknown,
  advice: string,
): void {
  if (!inHeaders.includes(key)) return;
  const fault = typeof value === "string" ? headerFault(value) : "it is not a text";
  if (fault === undefined) return;
  const problem = `channels.${channel}.${key} is not valid: ${fault}; ${advice}`;
  throw new ChannelStartupFailedError(channel, problem);
}

/** Splits `@scope/name@1.2.3` into name and version. */
function adapterOf(specifier: string, factory: string | undefined): AdapterPackage {
  const at = specifier.indexOf("@", 1);
  if (at === -1) return { name: specifier, factory };
  return { name: specifier.slice(0, at), version: specifier.slice(at + 1), factory };
}

function capabilitiesOf({ textLimit, buttons, streaming }: BridgeSettings): ChannelCapabilities {
  return {
    textLimit: typeof textLimit === "number" && textLimit > 0 ? textLimit : SAFE_LIMIT,
    buttons: buttons === true,
    streaming: streaming === true,
  };
}

function fieldsOf(value: unknown): BridgeSettings {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
