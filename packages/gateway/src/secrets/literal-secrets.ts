import {
  type ConfigurationChange,
  type LoadedConfiguration,
  mayHoldSecrets,
  namesSecret,
} from "@openclaw/configuration";
import { secretReferences } from "./references.js";

/** Changes that refer to their secrets, which are stored. */
export interface StoredChanges {
  readonly changes: readonly ConfigurationChange[];
  /** Names of the secrets. */
  readonly secrets: readonly string[];
}

/** Context of {@link storeLiteralSecrets}. */
export interface LiteralSecretContext {
  /** Dotted keys whose values are secrets, whatever their names say. */
  readonly always?: readonly string[] | undefined;
  /**
   * Checks the changes as they were written.
   * @returns the configuration with them
   * @throws ConfigurationError when they are not valid; nothing is stored then
   */
  check(): Promise<Pick<LoadedConfiguration, "document">>;
  /** Stores the values, by the name of the secret. */
  store(secrets: ReadonlyMap<string, string>): Promise<void>;
}

interface LiteralSecretOptions {
  readonly always?: readonly string[];
  readonly used?: UsedSecrets;
}

type UsedSecrets = ReadonlyMap<string, readonly (readonly string[])[]>;

interface SecretSink {
  isSecret(path: readonly string[]): boolean;
  /** Keeps a value, and returns the reference to it. */
  store(path: readonly string[], value: string): string;
}

/** Leaves room for a number after a name. */
const LONGEST_NAME = 120;

interface ChangesWithoutSecrets {
  readonly changes: readonly ConfigurationChange[];
  /** Values to store, by the name of the secret. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Keys of the path of a setting that say nothing about it. */
const STRUCTURE = new Set(["accounts", "entries", "config", "providers", "http", "tools"]);

/** First words of the names of secrets; those of channels begin with the name of the channel. */
const SECTIONS: Readonly<Record<string, string>> = {
  channels: "",
  plugins: "plugin",
  mcpServers: "mcp",
  webhooks: "webhook",
  models: "model",
};

/**
 * Stores the literal secrets of changes encrypted, so that the configuration only refers to them: in a file they would be
 * in every copy of it. A value that refers to a secret or a variable stays as it is. Every way to change the configuration
 * value by value passes here, from the command line and over the wire (GW-782, GW-901).
 * @param changes - changes of the configuration as they were written
 * @param context - check of the changes, and store of the secrets
 * @throws ConfigurationError when the changes are not valid, and the errors of the store
 */
export async function storeLiteralSecrets(
  changes: readonly ConfigurationChange[],
  { always = [], check, store }: LiteralSecretContext,
): Promise<StoredChanges> {
  if (withoutLiteralSecrets(changes, { always }).secrets.size === 0)
    return { changes, secrets: [] };
  const { document } = await check();
  const used = secretReferences(document);
  const { changes: kept, secrets } = withoutLiteralSecrets(changes, { always, used });
  await store(secrets);
  return { changes: kept, secrets: [...secrets.keys()] };
}

/** A new secret must not replace one that is in use by another key. */
function withoutLiteralSecrets(
  changes: readonly ConfigurationChange[],
  { always = [], used = new Map() }: LiteralSecretOptions,
): ChangesWithoutSecrets {
  const secrets = new Map<string, string>();
  const store = (path: readonly string[], value: string): string => {
    const name = freeName(path, (each) => secrets.has(each) || isUsedElsewhere(used, each, path));
    secrets.set(name, value);
    return `\${secret:${name}}`;
  };
  const isSecret = (path: readonly string[]) =>
    always.includes(path.join(".")) || holdsLiteralSecret(path);
  const kept = changes.map(
    ([path, value]): ConfigurationChange => [path, moved(value, path, { isSecret, store })],
  );
  return { changes: kept, secrets };
}

/**
 * Returns true for a key whose literal value is stored as a secret.
 * @param path - keys from the root
 */
export function holdsLiteralSecret(path: readonly string[]): boolean {
  const key = path.findLast((each) => !/^\d+$/.test(each)) ?? "";
  return mayHoldSecrets(path) && namesSecret([key]);
}

function moved(value: unknown, path: readonly string[], into: SecretSink): unknown {
  if (typeof value === "string") {
    const isLiteral = value !== "" && !value.includes("${");
    return isLiteral && into.isSecret(path) ? into.store(path, value) : value;
  }
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => moved(each, [...path, String(index)], into));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, moved(each, [...path, key], into)]),
  );
}

/** Returns the name of a secret of a key, such as `TELEGRAM_BOT_TOKEN`. */
function nameOf([section = "", ...below]: readonly string[]): string {
  const first = SECTIONS[section] ?? section;
  return [first, ...below.filter((key) => !STRUCTURE.has(key))]
    .filter((word) => word !== "")
    .join("_")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, LONGEST_NAME)
    .toUpperCase();
}

/** Two keys may have one name, such as accounts that differ only in case. */
function freeName(path: readonly string[], isTaken: (name: string) => boolean): string {
  const name = nameOf(path);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}

function isUsedElsewhere(used: UsedSecrets, name: string, path: readonly string[]): boolean {
  const key = path.join("\0");
  return (used.get(name) ?? []).some((each) => each.join("\0") !== key);
}
