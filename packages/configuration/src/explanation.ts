import { isModelOf } from "@openclaw/models";
import { type Applies, appliesOf } from "./applies.js";
import type { LoadedConfiguration } from "./configuration.js";
import { databaseSource } from "./database-source.js";
import { ENVIRONMENT_SETTINGS, findVariable, shownVariable } from "./environment.js";
import { type ConfigurationPlace, type LocatedValue, locatedAt } from "./located-value.js";
import { schemaAt } from "./schema-path.js";
import { namesSecret } from "./secret-keys.js";

/** Place that a value comes from. */
export type ValueOrigin =
  | { readonly layer: "environment"; readonly variable: string }
  | { readonly layer: "database"; readonly source: string }
  | ({ readonly layer: "file" } & ConfigurationPlace)
  | { readonly layer: "default" };

/** Value with its origin. */
export interface OriginatedValue {
  readonly origin: ValueOrigin;
  /** Undefined for an object or list, whose parts have different origins, when it is in the file. */
  readonly value: unknown;
}

/** Effective value of a key, and everything that it takes precedence over (HOST-012). */
export interface ExplainedKey extends OriginatedValue {
  readonly key: string;
  /** Keys and indexes from the root. */
  readonly path: readonly string[];
  readonly applies: Applies;
  readonly shadowed: readonly OriginatedValue[];
}

const HIDDEN = "[redacted]";

/** Options of reading a value. */
export interface ReadOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** True shows secrets and the values of variables; references to stored secrets are never resolved. */
  readonly reveal?: boolean | undefined;
}

/**
 * Returns the effective value of a key with its origin: environment, settings of the database, file, default (GW-004).
 * @param configuration - loaded configuration
 * @param path - keys and indexes from the root
 * @param options - environment, and whether secrets are shown
 * @returns undefined when no layer has a value
 */
export function explainKey(
  configuration: LoadedConfiguration,
  path: readonly string[],
  options: ReadOptions,
): ExplainedKey | undefined {
  const [effective, ...shadowed] = layersOf(configuration, path, options);
  if (effective === undefined) return undefined;
  return { key: path.join("."), path, ...effective, applies: appliesOf(path), shadowed };
}

/**
 * Returns every key that a variable, the database or the file sets, with its effective value and origin, in the order of
 * the configuration.
 * @param configuration - loaded configuration
 * @param options - environment, and whether secrets are shown
 */
export function explainAll(
  configuration: LoadedConfiguration,
  options: ReadOptions,
): readonly ExplainedKey[] {
  const paths = new Map<string, readonly string[]>();
  const root = configuration.document?.root;
  const visit = (value: LocatedValue, path: readonly string[]): void => {
    const { content } = value;
    const members = content.kind === "object" ? [...content.members] : [];
    if (members.length === 0 && path.length > 0) paths.set(path.join("\0"), path);
    for (const [key, member] of members) visit(member, [...path, key]);
  };
  if (root !== undefined) visit(root, []);
  for (const { path, variables } of ENVIRONMENT_SETTINGS) {
    if (findVariable(variables, options.environment) !== undefined)
      paths.set(path.join("\0"), path);
  }
  return [...paths.values()].flatMap((path) => explainKey(configuration, path, options) ?? []);
}

/**
 * Returns the whole configuration of the file and the environment, without secrets unless they are revealed.
 * @param configuration - loaded configuration
 * @param options - environment, and whether secrets are shown
 */
export function readableConfiguration(
  configuration: Pick<LoadedConfiguration, "document">,
  options: ReadOptions,
): unknown {
  const root = configuration.document?.root;
  return root === undefined ? {} : shown(root, [], options);
}

function layersOf(
  { document }: LoadedConfiguration,
  path: readonly string[],
  options: ReadOptions,
): OriginatedValue[] {
  const setting = ENVIRONMENT_SETTINGS.find(({ path: of }) => of.join(".") === path.join("."));
  const variable = setting && findVariable(setting.variables, options.environment);
  const fromVariable =
    setting === undefined || variable === undefined
      ? []
      : [
          {
            origin: { layer: "environment" as const, variable: variable.name },
            value:
              namesSecret(path) && options.reveal !== true
                ? HIDDEN
                : shownVariable(setting, variable),
          },
        ];
  const found = document && locatedAt(document.root, path);
  const fromFile = (found === undefined ? [] : [found, ...found.shadowed]).map((value) => ({
    origin: originOf(value),
    value: shown(value, path, options),
  }));
  const standard = schemaAt(path)?.default;
  const fromDefault =
    standard === undefined ? [] : [{ origin: { layer: "default" as const }, value: standard }];
  const [configured] = fromFile;
  const isRefined =
    path.join(".") === "agents.defaults.model" &&
    variable !== undefined &&
    typeof configured?.value === "string" &&
    isModelOf(configured.value, variable.value);
  const layers = isRefined ? [...fromFile, ...fromVariable] : [...fromVariable, ...fromFile];
  return [...layers, ...fromDefault];
}

function originOf(value: LocatedValue): ValueOrigin {
  const source = databaseSource(value);
  return source === undefined ? { layer: "file", ...value.place } : { layer: "database", source };
}

/** Returns a value for display: secrets hidden, and references as they are written. */
function shown(value: LocatedValue, path: readonly string[], options: ReadOptions): unknown {
  const { content } = value;
  if (content.kind === "list") {
    return content.items.map((item, index) => shown(item, [...path, String(index)], options));
  }
  if (content.kind === "object") {
    const members = [...content.members].map(([key, member]) => [
      key,
      shown(member, [...path, key], options),
    ]);
    return Object.fromEntries(members);
  }
  const { value: scalar, written } = content;
  if (options.reveal === true) return scalar;
  if (written !== undefined) return hasReference(written) ? written.text : scalar;
  return typeof scalar === "string" && isPrivate(path) ? HIDDEN : scalar;
}

function hasReference({
  variables,
  secrets,
}: {
  variables: readonly unknown[];
  secrets: readonly unknown[];
}) {
  return variables.length + secrets.length > 0;
}

/** Variables of plugins are credentials more often than not. */
function isPrivate(path: readonly string[]): boolean {
  const [section, list, , field] = path;
  const isVariable = section === "plugins" && list === "entries" && field === "env";
  return isVariable || namesSecret(path);
}

/** Returns an origin as it is shown: `file:line:column`, the name of the variable, the database, or `default`. */
export function formatOrigin(origin: ValueOrigin): string {
  if (origin.layer === "environment") return `environment variable ${origin.variable}`;
  if (origin.layer === "default") return "default";
  if (origin.layer === "database") return `the database (${origin.source})`;
  return `${origin.file}:${origin.line}:${origin.column}`;
}
