import type { PluginRuntime } from "@openclaw/plugin-runtime";
import { configurationMethods, type GatewayMethodParameters } from "@openclaw/protocol";
import { InvalidRequestError, MethodRegistry } from "@openclaw/protocol/registry";
import type { RuleSet } from "@openclaw/safety";
import {
  type ConfigurationChange,
  changeConfiguration,
  currentHash,
} from "../configuration/change.js";
import { loadConfiguration } from "../configuration/configuration.js";
import { readableConfiguration } from "../configuration/explanation.js";
import { mergedSchema } from "../configuration/plugin-schemas.js";
import { publicConfiguration, REDACTED } from "../configuration/public-value.js";

/** Dependencies of {@link createConfigurationMethods}. */
export interface ConfigurationMethodDependencies {
  /** Path of `openclaw.json`; created when it is missing. */
  readonly configurationFile: string;
  readonly plugins: Pick<PluginRuntime, "current" | "reload">;
  /** Returns the rules with which secrets are found; undefined stands for the built-in ones. */
  rules(): RuleSet | undefined;
}

type Change = GatewayMethodParameters<"config.set">["changes"][number];

/**
 * Creates the configuration methods (GW-029).
 * @param dependencies - file, plugins and rules
 */
export function createConfigurationMethods({
  configurationFile,
  plugins,
  rules,
}: ConfigurationMethodDependencies): MethodRegistry<typeof configurationMethods> {
  /** Reloads the plugins whose settings changed, with the whole new configuration. */
  const reload = async (changes: readonly Change[], config: object): Promise<string[]> => {
    const known = new Set(plugins.current.plugins.map(({ id }) => id));
    const changed = new Set(changes.flatMap(({ path }) => pluginOf(path) ?? []));
    const reloaded = [...changed].filter((id) => known.has(id));
    for (const id of reloaded) await plugins.reload(id, { config: { ...config } });
    return reloaded;
  };

  return MethodRegistry.of(configurationMethods, {
    "config.get": async () => {
      const configuration = await loadConfiguration(configurationFile);
      const value = readableConfiguration(configuration, { environment: process.env });
      return {
        value: publicConfiguration(value, plugins.current, rules()),
        baseHash: await currentHash(configurationFile),
        exists: configuration.file !== undefined,
      };
    },
    "config.schema": async () => mergedSchema(plugins.current),
    "config.set": async ({ baseHash, changes }) => {
      refuseRedacted(changes);
      const edits = changes.map(editOf);
      const { value } = await changeConfiguration(configurationFile, edits, { baseHash });
      const reloaded = await reload(changes, value);
      const pending = changes.filter(({ path }) => !reloaded.includes(pluginOf(path) ?? ""));
      return {
        baseHash: await currentHash(configurationFile),
        reloaded,
        pending: pending.map(({ path }) => path.join(".")),
      };
    },
  });
}

function editOf({ path: [first = "", ...rest], value }: Change): ConfigurationChange {
  return [[first, ...rest], value];
}

/** Returns the plugin to which a setting belongs. */
function pluginOf([section, list, id]: readonly string[]): string | undefined {
  return section === "plugins" && list === "entries" ? id : undefined;
}

/** A client that writes back what `config.get` returned would destroy the secret. */
function refuseRedacted(changes: readonly Change[]): void {
  const index = changes.findIndex(({ value }) => REDACTED.test(JSON.stringify(value) ?? ""));
  if (index === -1) return;
  const message =
    "contains [redacted], which stands for a secret; leave out settings that do not change";
  throw new InvalidRequestError("config.set", [{ path: `/changes/${index}/value`, message }]);
}
