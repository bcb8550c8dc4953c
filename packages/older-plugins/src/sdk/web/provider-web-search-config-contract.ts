import { asOptionalRecord } from "../string-coerce-runtime.js";

/** Configuration of web search in the form of older hosts, `tools.web.search`. */
export type SearchConfigRecord = Readonly<Record<string, unknown>> & {
  readonly apiKey?: unknown;
  readonly maxResults?: number;
  readonly timeoutSeconds?: number;
  readonly cacheTtlMinutes?: number;
};

type Config = object;
type Fields = Record<string, unknown>;

/** Tool of a provider of web search. */
export interface WebSearchProviderToolDefinition {
  readonly description: string;
  readonly parameters: unknown;
  execute(
    args: Record<string, unknown>,
    context?: { readonly signal?: AbortSignal },
  ): Promise<Record<string, unknown>>;
}

/** Provider of web search of an older plugin. */
export interface WebSearchProviderPlugin {
  readonly id: string;
  readonly label?: string;
  readonly envVars?: readonly string[];
  readonly credentialPath?: string;
  createTool(context: {
    readonly config?: Readonly<Record<string, unknown>>;
    readonly searchConfig?: SearchConfigRecord;
  }): WebSearchProviderToolDefinition | null;
  readonly [field: string]: unknown;
}

/** Position of a credential in the configuration of web search. */
export type SearchCredential =
  | { readonly type: "none" }
  | { readonly type: "top-level" }
  | { readonly type: "scoped"; readonly scopeId: string };

/**
 * Returns the part `webSearch` of a plugin's configuration.
 * @param config - host configuration
 * @deprecated Read `api.pluginConfig`.
 */
export function resolveProviderWebSearchPluginConfig(
  config: unknown,
  pluginId: string,
): Fields | undefined {
  const path = ["plugins", "entries", pluginId, "config", "webSearch"];
  return path.reduce<Fields | undefined>(
    (section, key) => asOptionalRecord(section === undefined ? undefined : ownField(section, key)),
    asOptionalRecord(config),
  );
}

/**
 * Returns the configuration of web search with that of one provider in it.
 * @param searchConfig - configuration of web search
 * @param key - key of the provider
 * @param pluginConfig - settings of the provider, which have precedence
 * @param options - `mirrorApiKeyToTopLevel` also puts the key of the provider at the top
 * @deprecated Read `api.pluginConfig`.
 */
export function mergeScopedSearchConfig(
  searchConfig: SearchConfigRecord | undefined,
  key: string,
  pluginConfig: Readonly<Record<string, unknown>> | undefined,
  options: { readonly mirrorApiKeyToTopLevel?: boolean } = {},
): SearchConfigRecord | undefined {
  if (pluginConfig === undefined) return searchConfig;
  const scoped = { ...asOptionalRecord(searchConfig?.[key]), ...pluginConfig };
  const isMirrored = options.mirrorApiKeyToTopLevel === true && pluginConfig.apiKey !== undefined;
  return {
    ...searchConfig,
    [key]: scoped,
    ...(isMirrored ? { apiKey: pluginConfig.apiKey } : {}),
  };
}

/**
 * Returns the key at the top of the configuration of web search.
 * @param searchConfig - configuration of web search
 * @deprecated Read `api.pluginConfig`.
 */
export function getTopLevelCredentialValue(searchConfig?: Readonly<Fields>): unknown {
  return searchConfig?.apiKey;
}

/**
 * Puts a key at the top of the configuration of web search.
 * @param searchConfig - configuration of web search, which is changed
 * @deprecated Store a secret with `openclaw secrets set`.
 */
export function setTopLevelCredentialValue(searchConfig: Fields, value: unknown): void {
  searchConfig.apiKey = value;
}

/**
 * Returns the key of one provider in the configuration of web search.
 * @param searchConfig - configuration of web search
 * @param key - key of the provider
 * @deprecated Read `api.pluginConfig`.
 */
export function getScopedCredentialValue(
  searchConfig: Readonly<Fields> | undefined,
  key: string,
): unknown {
  return asOptionalRecord(searchConfig === undefined ? undefined : ownField(searchConfig, key))
    ?.apiKey;
}

/**
 * Puts a key for one provider into the configuration of web search.
 * @param searchConfig - configuration of web search, which is changed
 * @param key - key of the provider
 * @deprecated Store a secret with `openclaw secrets set`.
 */
export function setScopedCredentialValue(searchConfig: Fields, key: string, value: unknown): void {
  Object.assign(section(searchConfig, key), { apiKey: value });
}

/**
 * Puts a setting into the part `webSearch` of a plugin's configuration.
 * @param config - host configuration, which is changed
 * @param key - name of the setting
 * @deprecated Use `api.runtime.config.mutateConfigFile`.
 */
export function setProviderWebSearchPluginConfigValue(
  config: Config,
  pluginId: string,
  key: string,
  value: unknown,
): void {
  const path = ["plugins", "entries", pluginId, "config", "webSearch"];
  const target = path.reduce<Fields>(section, config as Fields);
  Object.assign(target, { [key]: value });
}

/**
 * Returns the part of a provider of web search that finds its key.
 * @param options - position of the key in the configuration, and the plugin in whose configuration it can be
 * @deprecated Read `api.pluginConfig`, and implement `missing` of `WebSearchProvider`.
 */
export function createWebSearchProviderContractFields(options: {
  readonly credentialPath: string;
  readonly inactiveSecretPaths?: readonly string[];
  readonly searchCredential: SearchCredential;
  readonly configuredCredential?: { readonly pluginId: string; readonly field?: string };
}) {
  const { credentialPath, inactiveSecretPaths = [credentialPath] } = options;
  const { searchCredential: found, configuredCredential: configured } = options;
  const field = configured?.field ?? "apiKey";
  return {
    inactiveSecretPaths: [...inactiveSecretPaths],
    getCredentialValue(searchConfig?: Readonly<Fields>): unknown {
      if (found.type === "none") return undefined;
      return found.type === "top-level"
        ? getTopLevelCredentialValue(searchConfig)
        : getScopedCredentialValue(searchConfig, found.scopeId);
    },
    setCredentialValue(searchConfig: Fields, value: unknown): void {
      if (found.type === "top-level") setTopLevelCredentialValue(searchConfig, value);
      if (found.type === "scoped") setScopedCredentialValue(searchConfig, found.scopeId, value);
    },
    ...(configured === undefined
      ? {}
      : {
          getConfiguredCredentialValue: (config?: unknown): unknown =>
            resolveProviderWebSearchPluginConfig(config, configured.pluginId)?.[field],
          setConfiguredCredentialValue: (config: Config, value: unknown): void =>
            setProviderWebSearchPluginConfigValue(config, configured.pluginId, field, value),
        }),
  };
}

function ownField(object: Readonly<Fields>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns the object at a key, which is created when there is none. */
function section(parent: Fields, key: string): Fields {
  const known = asOptionalRecord(ownField(parent, key));
  if (known !== undefined) return known;
  const created: Fields = {};
  Object.defineProperty(parent, key, {
    value: created,
    enumerable: true,
    writable: true,
    configurable: true,
  });
  return created;
}
