import {
  type ConfigurationDocument,
  ConfigurationError,
  type ConfigurationProblem,
  checkedDocument,
  composeConfiguration,
  configurationDocument,
  DATABASE,
  hashOfSources,
  type LoadedConfiguration,
  type LoadOptions,
  mergeLocated,
  namesSecret,
  withSectionsOf,
} from "@openclaw/configuration";
import type { Setting } from "@openclaw/store";

/** A setting of the database. */
export type StoredValue = Pick<Setting, "path" | "value" | "source">;

/** Name of the settings instead of a file, for messages and origins. */

/** Keys that are read before the database is open, and the reason. The longest one that matches a setting counts. */
const NOT_IN_DATABASE: readonly (readonly [path: readonly string[], reason: string])[] = [
  [["$schema"], "names the schema of a file"],
  [["store"], "says where the database is"],
  [["gateway"], "is read before the database is open"],
  [["agents", "defaults", "workspace"], "is read before the database is open"],
];

/**
 * Lays the settings of the database over the configuration of the file, below the variables of the environment (HOST-007).
 * @param loaded - configuration of the file
 * @param settings - settings of the database
 * @param options - checks and variables
 * @throws ConfigurationError when the configuration with the settings is not valid
 */
export async function withSettings(
  loaded: LoadedConfiguration,
  settings: readonly StoredValue[],
  { checks, environment = process.env }: Pick<LoadOptions, "checks" | "environment">,
): Promise<LoadedConfiguration> {
  if (settings.length === 0) return loaded;
  const problems = settings.flatMap(({ path, value }) => settingProblem(path, value) ?? []);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const layers: ConfigurationDocument[] = [];
  for (const source of new Set(settings.map((setting) => setting.source))) {
    const own = settings.filter((setting) => setting.source === source);
    const name = `${DATABASE} (${source})`;
    layers.push(await composeConfiguration(JSON.stringify(treeOf(own)), name, environment));
  }
  const { document, file, warnings } = loaded;
  const roots = layers.map(({ root }) => root);
  const root = (document === undefined ? roots : [document.root, ...roots]).reduce(mergeLocated);
  const main = { file: document?.file ?? DATABASE, text: "" };
  const merged = {
    ...configurationDocument(
      root,
      [main],
      layers.flatMap(({ problems: found }) => found),
    ),
    // The database is not a source that could be edited or followed.
    sources: document?.sources ?? [],
    hash: document?.hash ?? hashOfSources([]),
  };
  const checked = await checkedDocument(merged, checks);
  return {
    ...checked,
    value: withSectionsOf(checked.value, environment),
    file,
    warnings: checked.warnings.length === 0 ? warnings : checked.warnings,
  };
}

/**
 * Returns the problem of a setting that cannot be in the database; undefined when it can.
 * @param path - keys from the root
 */
function settingProblem(path: readonly string[], value: unknown): ConfigurationProblem | undefined {
  const early = NOT_IN_DATABASE.find(([above]) => above.every((key, index) => key === path[index]));
  const hasInclude =
    path.includes("$include") || JSON.stringify(value ?? null).includes('"$include"');
  const place = { key: path.join("."), file: DATABASE, line: 1, column: 1 };
  if (early !== undefined || hasInclude) {
    const reason = early?.[1] ?? "includes a file";
    return {
      ...place,
      message: `cannot be stored in the database: it ${reason}`,
      suggestion: "set it in the configuration file, without --db",
    };
  }
  if (!hasSecret(path, value)) return undefined;
  return {
    ...place,
    message: "cannot be stored in the database: it is a secret",
    suggestion:
      "store it with openclaw secrets set, and write a reference to it (docs/operate/secrets.md)",
  };
}

/** Secrets are encrypted in the database; a setting is not. A reference is not a secret. */
function hasSecret(path: readonly string[], value: unknown): boolean {
  if (typeof value === "string") return namesSecret(path) && !/^\$\{[^}]+\}$/.test(value.trim());
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => hasSecret([...path, key], member));
}

/**
 * Returns the settings of a value: one for each scalar and list in it, so that a later one replaces only that.
 * @param path - keys from the root
 * @param value - any JSON value
 * @param source - command or file that the value comes from
 */
export function settingsOf(
  path: readonly string[],
  value: unknown,
  source: string,
): readonly StoredValue[] {
  const members =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : [];
  if (members.length > 0) {
    return members.flatMap(([key, each]) => settingsOf([...path, key], each, source));
  }
  const json: StoredValue["value"] = JSON.parse(JSON.stringify(value ?? null));
  return [{ path, value: json, source }];
}

/**
 * Returns the settings after changes.
 * @param changes - path and value of each; an undefined value removes the settings at and below the path
 * @param source - command that makes the changes
 */
export function changedSettings(
  settings: readonly StoredValue[],
  changes: readonly (readonly [path: readonly string[], value: unknown])[],
  source: string,
): readonly StoredValue[] {
  let current = settings;
  for (const [path, value] of changes) {
    const added = value === undefined ? [] : settingsOf(path, value, source);
    const isReplaced = (other: readonly string[]) =>
      isBelow(other, path) || (value !== undefined && isBelow(path, other));
    current = [...current.filter((setting) => !isReplaced(setting.path)), ...added];
  }
  return current;
}

function isBelow(path: readonly string[], other: readonly string[]): boolean {
  return path.length >= other.length && other.every((key, index) => key === path[index]);
}

function treeOf(settings: readonly StoredValue[]): unknown {
  const root: Tree = new Map();
  for (const { path, value } of settings) {
    const last = path.at(-1);
    if (last === undefined) continue;
    let tree = root;
    for (const key of path.slice(0, -1)) {
      const next = tree.get(key);
      const below: Tree = next instanceof Map ? next : new Map();
      tree.set(key, below);
      tree = below;
    }
    tree.set(last, value);
  }
  return plain(root);
}

type Tree = Map<string, unknown>;

function plain(tree: Tree): unknown {
  return Object.fromEntries(
    [...tree].map(([key, value]) => [key, value instanceof Map ? plain(value) : value]),
  );
}
