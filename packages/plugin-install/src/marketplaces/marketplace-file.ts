import { join } from "node:path";
import { fieldsOf, pathIn, readJson, textsOf } from "@openclaw/plugin-discovery";
import { MarketplaceUnusableError } from "../errors.js";

/** Place of the list of a marketplace, relative to its folder. */
export const MARKETPLACE_FILE = ".claude-plugin/marketplace.json";

/** Largest list of a marketplace, in bytes. */
const LARGEST_FILE = 5_000_000;
/** Maximum number of plugins of a marketplace. */
const MOST_PLUGINS = 2000;
/** Longest description that is kept, in characters. */
const LONGEST_TEXT = 1000;

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
/** Names that `<package>@<name>` of npm uses for releases. */
const TAGS = new Set(["latest", "next", "beta", "alpha", "canary", "rc", "dev", "stable"]);

/** Parts that an entry of a marketplace declares for its plugin. */
export const COMPONENTS = ["skills", "commands", "agents", "hooks", "mcpServers"] as const;

/** Plugin that a marketplace offers. */
export interface MarketplaceEntry {
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  readonly category?: string;
  readonly keywords: readonly string[];
  /** Place of the plugin, as it is written. */
  readonly source: unknown;
  /** False when the entry, and not the plugin, declares the parts. */
  readonly strict: boolean;
  /** Declared parts, as they are written. */
  readonly components: Readonly<Record<string, unknown>>;
}

/** Contents of a `marketplace.json`. */
export interface MarketplaceFile {
  readonly name: string;
  readonly owner?: string;
  readonly description?: string;
  /** Folder that relative sources begin in. */
  readonly pluginRoot: string;
  readonly plugins: readonly MarketplaceEntry[];
  /** Entries that cannot be used, each with the reason. */
  readonly problems: readonly string[];
}

/**
 * Returns true for text that can be the name of a marketplace.
 * @param text - part of a specifier after `@`
 */
export function isMarketplaceName(text: string): boolean {
  return NAME.test(text) && !TAGS.has(text.toLowerCase()) && !/^v?\d+(?:\.|$)/.test(text);
}

/**
 * Reads the list of a marketplace. An entry that cannot be used costs only that entry.
 * @param folder - real path of its folder
 * @param source - source as the operator wrote it, for errors
 * @throws MarketplaceUnusableError
 */
export function readMarketplace(folder: string, source: string): MarketplaceFile {
  const path = pathIn(folder, MARKETPLACE_FILE);
  if (path === undefined) {
    throw new MarketplaceUnusableError(
      source,
      `it has no ${MARKETPLACE_FILE}`,
      "name the folder or repository of a marketplace; a single plugin is installed with `openclaw plugins install`",
    );
  }
  const read = readJson(path, LARGEST_FILE);
  if ("problem" in read) throw unusable(source, `${MARKETPLACE_FILE} ${read.problem}`);
  const { name, owner, description, metadata, plugins } = fieldsOf(read.value);
  if (typeof name !== "string" || !isMarketplaceName(name)) {
    throw unusable(
      source,
      `its name is ${JSON.stringify(name) ?? "missing"}, expected letters, digits and hyphens that are not a version or tag`,
    );
  }
  if (!Array.isArray(plugins)) throw unusable(source, `${MARKETPLACE_FILE} has no list "plugins"`);
  const details = fieldsOf(metadata);
  const entries: MarketplaceEntry[] = [];
  const problems: string[] = [];
  for (const [index, written] of plugins.slice(0, MOST_PLUGINS).entries()) {
    const entry = entryOf(fieldsOf(written));
    if (typeof entry === "string") problems.push(`plugins[${index}] ${entry}`);
    else if (entries.some((each) => each.name === entry.name)) {
      problems.push(`plugins[${index}] has the name "${entry.name}" of an earlier one`);
    } else entries.push(entry);
  }
  if (plugins.length > MOST_PLUGINS) {
    problems.push(`${plugins.length - MOST_PLUGINS} plugins after the first ${MOST_PLUGINS}`);
  }
  return {
    name,
    ...textField("owner", fieldsOf(owner).name ?? owner),
    ...textField("description", details.description ?? description),
    pluginRoot: typeof details.pluginRoot === "string" ? details.pluginRoot : ".",
    plugins: entries,
    problems,
  };
}

/**
 * Returns the folder of a marketplace for a path that an operator names: its folder, or its `marketplace.json`.
 * @param path - absolute path
 */
export function marketplaceFolder(path: string): string {
  if (path.endsWith(`/${MARKETPLACE_FILE}`)) return path.slice(0, -MARKETPLACE_FILE.length - 1);
  return path.endsWith("/marketplace.json") ? join(path, "..") : path;
}

function entryOf(fields: Readonly<Record<string, unknown>>): MarketplaceEntry | string {
  const { name, version, source, strict, keywords, tags } = fields;
  if (typeof name !== "string" || !NAME.test(name)) {
    return `has the name ${JSON.stringify(name) ?? "undefined"}, expected letters, digits and hyphens`;
  }
  if (source === undefined) return `("${name}") has no source`;
  return {
    name,
    source,
    strict: strict !== false,
    ...textField("description", fields.description),
    ...textField("version", version),
    ...textField("category", fields.category),
    keywords: [...textsOf(keywords), ...textsOf(tags)].slice(0, 50).map(plain),
    components: Object.fromEntries(
      COMPONENTS.flatMap((key) => (fields[key] === undefined ? [] : [[key, fields[key]]])),
    ),
  };
}

function textField<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: string } {
  if (typeof value !== "string" || value.trim() === "") return {};
  // The key is one of the literal type, which a computed name widens.
  return { [key]: plain(value) } as { readonly [K in Key]?: string };
}

/** Strings of a marketplace are shown on terminals. */
function plain(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
    .slice(0, LONGEST_TEXT);
}

function unusable(source: string, problem: string): MarketplaceUnusableError {
  return new MarketplaceUnusableError(source, problem, "ask its owner to correct the file");
}
