import { headerFault } from "@openclaw/foundation/header-text";
import {
  ProviderAddressInvalidError,
  ProviderSettingInvalidError,
  ProviderSettingMissingError,
} from "../errors.js";
import type { JsonSchema } from "../schema/json.js";
import type { ProviderCredential } from "./credential.js";

/** Configuration properties of a provider plugin: a JSON Schema for each key. */
export type ProviderProperties = { readonly [key: string]: JsonSchema };

/** Configuration type inferred from the properties; each key is optional. */
export type ProviderConfig<Properties> = {
  readonly [Key in keyof Properties]?: PropertyValue<Properties[Key]>;
};

type PropertyValue<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly properties: infer Inner }
    ? ProviderConfig<Inner>
    : Schema extends { readonly type: "string" }
      ? string
      : Schema extends { readonly type: "number" | "integer" }
        ? number
        : Schema extends { readonly type: "boolean" }
          ? boolean
          : unknown;

type PathOf<Properties, Wanted> = {
  [Key in keyof Properties & string]: Properties[Key] extends { readonly properties: infer Inner }
    ? `${Key}.${PathOf<Inner, Wanted>}`
    : Properties[Key] extends Wanted
      ? Key
      : never;
}[keyof Properties & string];

/** Path of a string setting, for example `apiKey` or `ollama.baseURL`. */
export type ProviderSettingPath<Properties> = PathOf<Properties, { readonly type: "string" }>;

/**
 * Environment variable of each setting that has one, or several of which the first that is set counts. A setting with a `default` cannot have one: the host
 * fills the default in before the variable is read, so the variable would never count.
 */
export type ProviderVariables<Properties> = {
  readonly [Path in ProviderSettingPath<Properties>]?: Path extends PathOf<
    Properties,
    { readonly default: unknown }
  >
    ? never
    : string | readonly string[];
};

/** Setting with its value and source. */
export interface ProviderSetting {
  /** Value, trimmed. */
  readonly value: string;
  /** Name of the environment variable, or path of the key in `openclaw.json`. */
  readonly source: string;
}

/** Wording of the error for a setting that is missing. */
export interface MissingSettingOptions {
  /** Name of the setting in the message, for example `API key`; default its path. */
  readonly label?: string;
  /** Code of the error; default `PROVIDER_SETTING_MISSING`. */
  readonly code?: string;
}

/** Wording of the error for a setting that is not a URL. */
export interface UrlSettingOptions {
  /** Valid URL shown in the message as an example; default `https://example.com/v1`. */
  readonly example?: string;
  /** Code of the error; default `PROVIDER_ADDRESS_INVALID`. */
  readonly code?: string;
}

/** Settings of a provider plugin: the configuration first, then the environment; blank counts as unset. */
export interface ProviderSettings<Properties> {
  /** Configuration as the operator wrote it, without the environment. */
  readonly config: ProviderConfig<Properties>;
  /**
   * Returns a setting; undefined when it is in neither place.
   * @param path - for example `model`
   */
  find(path: ProviderSettingPath<Properties>): ProviderSetting | undefined;
  /**
   * Returns the value of a setting that the provider cannot do without.
   * @param path - for example `apiKey`
   * @param options - wording of the error
   * @throws ProviderSettingMissingError when it is in neither place
   */
  require(path: ProviderSettingPath<Properties>, options?: MissingSettingOptions): string;
  /**
   * Returns a setting that is sent in an HTTP header, for example a key; undefined when it is in neither place. Call it
   * in `create`, so that a wrong value is reported at the start.
   * @param path - for example `apiKey`
   * @throws ProviderSettingInvalidError when HTTP cannot carry its value
   */
  headerValue(path: ProviderSettingPath<Properties>): string | undefined;
  /**
   * Returns a setting that is an HTTP URL; undefined when it is in neither place.
   * @param path - for example `baseURL`
   * @param options - wording of the error
   * @throws ProviderAddressInvalidError when its value is not an `http://` or `https://` URL
   */
  httpUrl(path: ProviderSettingPath<Properties>, options?: UrlSettingOptions): string | undefined;
  /**
   * Returns a setting that has one of a few values; undefined when it is in neither place.
   * @param path - for example `api`
   * @param values - allowed values
   * @throws ProviderSettingInvalidError when it has another value
   */
  choice<const Value extends string>(
    path: ProviderSettingPath<Properties>,
    values: readonly Value[],
  ): Value | undefined;
  /**
   * Returns where the first of some settings was found, for the `credential` of a provider; never its value.
   * @param paths - settings of which any makes the provider usable
   */
  credential(...paths: readonly ProviderSettingPath<Properties>[]): ProviderCredential | undefined;
}

/** Sources of the settings of a plugin. */
export interface ProviderSettingSources<Properties> {
  readonly pluginId: string;
  readonly config: ProviderConfig<Properties>;
  readonly variables: ProviderVariables<Properties>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the settings of a provider plugin. The variables are read once, so that a later change of the environment does
 * not mix old and new settings.
 * @param sources - configuration and environment of the plugin
 */
export function providerSettings<Properties>(
  sources: ProviderSettingSources<Properties>,
): ProviderSettings<Properties> {
  type Path = ProviderSettingPath<Properties>;
  const { pluginId, config, environment } = sources;
  const variables: Readonly<Record<string, unknown>> = sources.variables;
  const variablesOf = (path: string) =>
    Object.hasOwn(variables, path) ? [variables[path]].flat().map(String) : [];
  const values = new Map(
    Object.keys(variables)
      .flatMap(variablesOf)
      .map((name) => [name, environment[name]?.trim()]),
  );
  const keyOf = (path: string) => `plugins.entries.${pluginId}.config.${path}`;

  function find(path: Path): ProviderSetting | undefined {
    const configured = stringAt(config, path)?.trim();
    if (configured) return { value: configured, source: keyOf(path) };
    for (const source of variablesOf(path)) {
      const value = values.get(source);
      if (value) return { value, source };
    }
    return undefined;
  }

  return {
    config,
    find,
    require(path, { label = path, code } = {}) {
      const found = find(path);
      if (found !== undefined) return found.value;
      const places = [...variablesOf(path), keyOf(path)];
      throw new ProviderSettingMissingError(pluginId, label, places, code);
    },
    headerValue(path) {
      const found = find(path);
      const fault = found && headerFault(found.value);
      if (found === undefined || fault === undefined) return found?.value;
      throw new ProviderSettingInvalidError(pluginId, found, fault);
    },
    httpUrl(path, { example = "https://example.com/v1", code } = {}) {
      const found = find(path);
      if (found === undefined || isHttpUrl(found.value)) return found?.value;
      throw new ProviderAddressInvalidError(pluginId, found, example, code);
    },
    choice(path, values) {
      const found = find(path);
      const value = values.find((allowed) => allowed === found?.value);
      if (found === undefined || value !== undefined) return value;
      throw new ProviderSettingInvalidError(pluginId, found, values);
    },
    credential(...paths) {
      for (const path of paths) {
        const found = find(path);
        if (found !== undefined) return { source: found.source };
      }
      return undefined;
    },
  };
}

function isHttpUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

function stringAt(config: unknown, path: string): string | undefined {
  let value = config;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return typeof value === "string" ? value : undefined;
}
