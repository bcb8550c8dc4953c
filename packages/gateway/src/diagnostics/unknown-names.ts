import type { EntryProblem, LoadedConfiguration } from "@openclaw/configuration";
import { didYouMean, nearestName, quotedChoice } from "@openclaw/foundation";
import { providerIdOf } from "@openclaw/models";
import type { PolicyWarning } from "@openclaw/tool-policy";
import { deferralWarnings, type OfferedTools } from "../host/policy.js";
import { HOST_TOOL_NAMES } from "../host/tools/names.js";
import { type NamedKind, type NamedReference, namedReferences } from "./named-references.js";
import type { SettingName } from "./setting-names.js";

/** Names that exist, for comparison with those in a configuration. */
export interface KnownNames {
  readonly names: Readonly<
    Record<Exclude<NamedKind, "agent" | "model" | "skill">, readonly string[]>
  >;
  /** Skills that were found; absent when none were looked for. */
  readonly skills?: readonly string[] | undefined;
  /** Kinds of which a plugin may offer more than is known before it is loaded. */
  readonly open: ReadonlySet<NamedKind>;
  /** Models of providers that have no others, by provider. */
  readonly models: Readonly<Record<string, readonly string[]>>;
  /** Tools of plugins, for the tool policy. */
  readonly tools: readonly OfferedTools[];
}

/**
 * Compares the names in a configuration with what exists (GW-280): a name that resembles an existing one is an error, and so
 * is one that the gateway would use; a rule or a list may name what is installed later, which is a warning.
 * @param configuration - configuration with its locations
 * @param known - existing names
 * @param changed - paths whose names are compared; by default all
 * @param ofSettings - names in the settings of plugins
 */
export function unknownNames(
  configuration: LoadedConfiguration,
  known: KnownNames,
  changed: readonly (readonly string[])[] = [[]],
  ofSettings: readonly SettingName[] = [],
): readonly EntryProblem[] {
  const ofPlugins = ofSettings.flatMap(({ kind, name, path }) =>
    kind === "path" ? [] : [{ kind, name, path, isUsed: false }],
  );
  const named = [...namedReferences(configuration.value), ...ofPlugins]
    .filter(({ path }) => isTouched(dotted(path), changed))
    .flatMap((reference) => problemOf(reference, configuration, known) ?? []);
  const deferred = deferralWarnings(configuration, HOST_TOOL_NAMES, known.tools);
  return [...named, ...unknownEntries(configuration, deferred, changed, known.open)];
}

/**
 * Returns the entries of the tool policy that match no tool. One that resembles a tool is an error, unless a plugin can
 * offer tools that are known only while it runs.
 * @param configuration - configuration with its locations
 * @param warnings - warnings of the policy, compiled for every known tool
 * @param changed - paths of the change
 * @param open - kinds of which a plugin may offer more than is known
 */
export function unknownEntries(
  { value, file: main = "" }: LoadedConfiguration,
  warnings: readonly PolicyWarning[],
  changed: readonly (readonly string[])[],
  open: KnownNames["open"],
): readonly EntryProblem[] {
  return warnings
    .filter(
      ({ code, entry = "", key }) =>
        code === "POLICY_UNKNOWN_ENTRY" && !isServerTool(entry, value) && isTouched(key, changed),
    )
    .map(({ key, message, suggestion, near, file = main, line = 1, column = 1 }) => ({
      ...{ key, message, suggestion, file, line, column },
      severity: near === undefined || open.has("tool") ? "warning" : "error",
    }));
}

/**
 * Returns true for a key that a change writes, that is below one, or that is above one.
 * @param key - dotted key
 * @param changed - paths of the change
 */
export function isTouched(key: string, changed: readonly (readonly string[])[]): boolean {
  return changed.some((path) => {
    const above = dotted(path);
    return above === "" || isWithin(key, above) || isWithin(above, key);
  });
}

function isWithin(key: string, above: string): boolean {
  return key.startsWith(above) && ["", ".", "["].includes(key.charAt(above.length));
}

/** Problem of a name without its location. */
interface Unknown {
  readonly message: string;
  readonly suggestion: string;
  readonly severity: "error" | "warning";
}

function problemOf(
  reference: NamedReference,
  configuration: LoadedConfiguration,
  known: KnownNames,
): EntryProblem | undefined {
  // A reference to a variable or a secret is known when it is used.
  if (reference.name.includes("${")) return undefined;
  const unknown = findUnknown(reference, configuration, known);
  if (unknown === undefined) return undefined;
  const { path } = reference;
  const { file = "" } = configuration;
  const place = configuration.locate(path) ??
    configuration.locate(path.slice(0, -1)) ?? { file, line: 1, column: 1 };
  return { ...unknown, key: dotted(path), ...place };
}

function findUnknown(
  { kind, name, isUsed }: NamedReference,
  { value }: LoadedConfiguration,
  known: KnownNames,
): Unknown | undefined {
  const { names, open } = known;
  switch (kind) {
    case "agent":
      return compare(kind, name, agentsOf(value), isUsed ? "error" : "warning");
    case "model":
      return unknownModel(name, Object.keys(value.models?.providers ?? {}), known, isUsed);
    case "provider": {
      const [provider = ""] = name.split("/");
      const all = [...names.provider, ...Object.keys(value.models?.providers ?? {})];
      return compare(kind, providerIdOf(provider), all, "warning");
    }
    case "plugin":
      if (name === "none") return undefined;
      return compare(kind, name, names.plugin, isUsed ? "error" : "warning");
    case "skill":
      return known.skills && compare(kind, name, known.skills, "warning");
    case "tool":
      if (isServerTool(name, value)) return undefined;
      return compare(kind, name, names.tool, "warning", open.has(kind));
    default:
      return compare(kind, name, names[kind], isUsed && !open.has(kind) ? "error" : "warning");
  }
}

function compare(
  kind: NamedKind,
  name: string,
  existing: readonly string[],
  otherwise: "error" | "warning",
  isOpen = false,
): Unknown | undefined {
  if (existing.includes(name)) return undefined;
  const near = nearestName(name, existing);
  return {
    message: `${kind} "${name}" not found`,
    suggestion: didYouMean(near) ?? adviceFor(kind, existing, otherwise, isOpen),
    severity: near === undefined || isOpen ? otherwise : "error",
  };
}

function adviceFor(
  kind: NamedKind,
  existing: readonly string[],
  severity: "error" | "warning",
  isOpen: boolean,
): string {
  if (kind === "agent") return `add it to agents, or use one of: ${existing.join(", ")}`;
  if (kind === "log subsystem" || kind === "embedding model") {
    return `use one of: ${existing.join(", ")}`;
  }
  if (kind === "hook") return "it has no effect unless a plugin has a hook of this name";
  if (kind === "skill") return "it has no effect until a skill has this name";
  if (kind === "plugin") {
    return severity === "warning"
      ? "it has no effect until the plugin is installed"
      : "install it first with `openclaw plugins install`";
  }
  if (kind === "tool" && isOpen) return "it has no effect unless a plugin offers it while it runs";
  if (severity === "warning") return `it has no effect until a plugin with this ${kind} is enabled`;
  if (existing.length === 0) return `no plugin offers a ${kind}; install one first`;
  return `install its plugin first, or use one of: ${[...new Set(existing)].sort().join(", ")}`;
}

/** A name without a provider can be a model of the provider that has a key. */
function unknownModel(
  name: string,
  servers: readonly string[],
  { names, models, open }: KnownNames,
  isUsed: boolean,
): Unknown | undefined {
  const [first = "", ...rest] = name.trim().split("/");
  const providers = [...names.provider, ...servers];
  const provider = providerIdOf(first);
  const severity = isUsed && !open.has("model") ? "error" : "warning";
  if (!providers.includes(provider)) {
    const near = nearestName(provider, providers);
    if (rest.length === 0 && !isUsed) {
      const message = `"${name}" is the name of no model, which has its provider in front`;
      return { message, suggestion: "write provider/model", severity: "error" };
    }
    if (rest.length === 0 && near === undefined) {
      const message = `"${name}" has no provider in front, so that it is a model of the first provider with a key`;
      return { message, suggestion: `write provider/${name}`, severity: "warning" };
    }
    if (first === "") {
      const message = `"${name}" is not the name of a model; expected provider/model`;
      return { message, suggestion: "for example openai/gpt-5", severity: "error" };
    }
    return {
      message: `model "${name}" not found: provider "${first}" does not exist`,
      suggestion:
        didYouMean(near === undefined ? undefined : [near, ...rest].join("/")) ??
        `install its plugin, define models.providers.${provider}, or use one of: ${[...new Set(providers)].sort().join(", ")}`,
      severity: near === undefined ? severity : "error",
    };
  }
  const own = Object.hasOwn(models, provider) ? models[provider] : undefined;
  const model = rest.join("/");
  if (rest.length > 0 && model.trim() === "") {
    const message = `"${name}" names no model of the provider ${provider}`;
    return { message, suggestion: "write provider/model", severity: "error" };
  }
  if (own === undefined || rest.length === 0 || own.includes(model)) return undefined;
  return {
    message: `model "${name}" not found: the provider ${provider} has no model "${model}"`,
    suggestion: `use ${quotedChoice(own.map((each) => `${provider}/${each}`))}`,
    severity: "error",
  };
}

/** Tools of MCP servers are known when the server is connected. */
function isServerTool(name: string, { mcpServers = {} }: LoadedConfiguration["value"]): boolean {
  const separator = name.indexOf("__");
  return separator > 0 && Object.keys(mcpServers).length > 0;
}

function agentsOf({ agents = {} }: LoadedConfiguration["value"]): readonly string[] {
  const own = Object.keys(agents).filter((id) => id !== "defaults" && id !== "maxConcurrentTurns");
  return own.length === 0 ? ["main"] : [...new Set([...own, "main"])];
}

/**
 * Returns a path as a key that `config set` accepts.
 * @param path - keys and indexes from the root
 */
export function dotted(path: readonly (string | number)[]): string {
  return path
    .map((step, index) =>
      typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${step}`,
    )
    .join("");
}
