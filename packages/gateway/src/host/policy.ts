import {
  candidateLayers,
  type LoadedConfiguration,
  policyLayers,
  subagentLimits,
} from "@openclaw/configuration";
import {
  type ConfigLayers,
  type ConfigLayersOptions,
  compilePolicy,
  type Policy,
  PolicyConfigError,
  type PolicyTool,
  type PolicyWarning,
} from "@openclaw/tool-policy";

/** Tools of a plugin as policy sees them. */
export interface OfferedTools {
  readonly names: readonly string[];
  readonly pluginId: string;
  readonly optional: boolean;
}

/** The ID of a plugin, and where it comes from. */
interface PluginSource {
  readonly id: string;
  readonly origin: string;
}

/**
 * Compiles the host's tool policy from its configuration; a policy that does not compile is never replaced by
 * a permissive one (POL-038).
 * @param configuration - configuration with the locations of its values
 * @param pluginTools - tools that plugins register or declare
 * @param plugins - the plugins; lists that hide those of the host are not reported
 * @throws PolicyConfigError with every error, each with file, line, column and key
 */
export function hostPolicy(
  configuration: LoadedConfiguration,
  coreTools: readonly string[],
  pluginTools: readonly OfferedTools[],
  plugins: readonly PluginSource[],
): Policy {
  const bundled = new Set(plugins.flatMap(({ id, origin }) => (origin === "bundled" ? id : [])));
  const tools: PolicyTool[] = [
    ...coreTools.map((name) => ({
      name,
      origin: "core" as const,
      optional: false,
      aliases: [],
    })),
    ...pluginTools.flatMap(({ names, pluginId, optional }) =>
      names.map((name) => ({
        ...{ name, origin: "plugin" as const, pluginId, optional, aliases: [] },
        preinstalled: bundled.has(pluginId),
      })),
    ),
  ];
  return candidatePolicy(configuration, tools);
}

/**
 * Returns the entries of `tools.search.defer` that match no tool: they are written as those of a list of the policy.
 * @param configuration - configuration with the locations of its values
 * @param pluginTools - tools that plugins register or declare
 */
export function deferralWarnings(
  configuration: LoadedConfiguration,
  coreTools: readonly string[],
  pluginTools: readonly OfferedTools[],
): readonly PolicyWarning[] {
  const { tools } = configuration.value;
  const deny = tools?.search?.defer;
  if (deny === undefined) return [];
  const deferred = {
    ...{ file: configuration.file, document: configuration.document, warnings: [] },
    value: { tools: { deny, ...(tools?.groups && { groups: tools.groups }) } },
    locate: ([section = "", list = "", ...rest]: readonly (string | number)[]) =>
      configuration.locate(
        list === "deny" ? ["tools", "search", "defer", ...rest] : [section, list, ...rest],
      ),
  };
  return hostPolicy(deferred, coreTools, pluginTools, []).warnings.flatMap((warning) =>
    warning.key.startsWith("tools.deny")
      ? { ...warning, key: warning.key.replace("tools.deny", "tools.search.defer") }
      : [],
  );
}

/**
 * Compiles the tool policy of a configuration for known tools.
 * @param configuration - configuration with the locations of its values
 * @param tools - existing tools
 * @throws PolicyConfigError with every error, each with file, line, column and key
 */
export function candidatePolicy(
  configuration: LoadedConfiguration,
  tools: readonly PolicyTool[],
): Policy {
  return compiled(policyLayers(configuration.value, layerOptions(configuration)), tools);
}

/**
 * Compiles the policy that is tried in addition to the one in force (POL-035).
 * @param configuration - configuration with the locations of its values
 * @param tools - existing tools
 * @returns undefined when no policy is tried
 * @throws PolicyConfigError with every error, each with file, line, column and key
 */
export function triedPolicy(
  configuration: LoadedConfiguration,
  tools: readonly PolicyTool[],
): Policy | undefined {
  const layers = candidateLayers(configuration.value, layerOptions(configuration));
  return layers && compiled(layers, tools);
}

function layerOptions(configuration: LoadedConfiguration): ConfigLayersOptions {
  return {
    locate: (path) => configuration.locate(path),
    maximumSubagentDepth: subagentLimits(configuration.value).maxDepth,
  };
}

function compiled({ layers, options, errors }: ConfigLayers, tools: readonly PolicyTool[]): Policy {
  if (errors.length > 0) throw new PolicyConfigError(errors);
  return compilePolicy(layers, { ...options, tools });
}
