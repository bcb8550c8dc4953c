import { fieldsOf, pathIn } from "@openclaw/plugin-discovery";
import { MarketplacePluginError } from "../errors.js";
import type { StageableSpecifier } from "../source.js";
import type { MarketplaceEntry, MarketplaceFile } from "./marketplace-file.js";
import type { MarketplaceRecord } from "./records.js";

/** Marketplace with its contents on disk. */
export interface OpenMarketplace {
  readonly record: MarketplaceRecord;
  readonly file: MarketplaceFile;
  /** Real path of its folder. */
  readonly folder: string;
}

const COMMIT = /^[0-9a-f]{40}$/;
const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;
const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const RELEASE = /^[A-Za-z0-9.^~<>=|*+ -]+$/;

/**
 * Determines where the plugin of an entry is fetched from.
 * @throws MarketplacePluginError for a path that leads out of the marketplace, and for other sources that are not used
 */
export function sourceOfEntry(
  market: OpenMarketplace,
  entry: MarketplaceEntry,
): StageableSpecifier {
  const { source } = entry;
  if (typeof source === "string") return folderSource(market, entry, source);
  const { source: kind, ...fields } = fieldsOf(source);
  switch (kind) {
    case "github": {
      const { repo } = fields;
      if (typeof repo !== "string" || !/^[\w-][\w.-]*\/[\w.-]+$/.test(repo)) {
        throw refusal(market, entry, "its repo is not owner/name");
      }
      return gitSource(market, entry, `https://github.com/${repo}.git`, fields);
    }
    case "url":
    case "git-subdir":
      if (typeof fields.url !== "string") throw refusal(market, entry, "its source has no url");
      return gitSource(market, entry, fields.url, fields);
    case "npm":
      return npmSource(market, entry, fields);
    default:
      throw refusal(
        market,
        entry,
        `its source is of the kind ${JSON.stringify(kind) ?? "unknown"}, expected a path, github, url, git-subdir or npm`,
      );
  }
}

function folderSource(
  market: OpenMarketplace,
  entry: MarketplaceEntry,
  path: string,
): StageableSpecifier {
  const { record, file, folder } = market;
  if (record.kind === "url") {
    throw refusal(
      market,
      entry,
      `its source is the folder ${path}, and only the list of the marketplace was fetched; add the marketplace by its repository`,
    );
  }
  const relative = path.startsWith("./") ? path : `${file.pluginRoot}/${path}`;
  const found = pathIn(folder, `./${relative}`);
  if (found === undefined) {
    throw refusal(market, entry, `the folder ${path} does not exist in the marketplace`);
  }
  return { kind: "plugin-dir", path: found, copied: true };
}

function gitSource(
  market: OpenMarketplace,
  entry: MarketplaceEntry,
  url: string,
  { ref, sha, path }: Readonly<Record<string, unknown>>,
): StageableSpecifier {
  const address = url.replace(/^git\+/, "");
  const isLocal = address.startsWith("file://") && market.record.kind === "folder";
  if (!address.startsWith("https://") && !isLocal && !isPlainHttp(market, address)) {
    throw refusal(market, entry, `its URL is ${address}, and only https is used`);
  }
  if (sha !== undefined && (typeof sha !== "string" || !COMMIT.test(sha))) {
    throw refusal(market, entry, "its sha is not the ID of a commit");
  }
  if (ref !== undefined && (typeof ref !== "string" || !REFERENCE.test(ref))) {
    throw refusal(market, entry, "its ref is not the name of a branch or tag");
  }
  const at = sha ?? ref;
  const specifier = at === undefined ? address : `${address}#${at}`;
  if (path === undefined) return { kind: "plugin-git", specifier, checked: true };
  if (typeof path !== "string" || !isPathWithin(path)) {
    throw refusal(market, entry, `the path ${JSON.stringify(path)} leads out of the repository`);
  }
  return { kind: "plugin-git", specifier, checked: true, subfolder: path };
}

/** The network check decides about `http`, which only hosts of the configuration may use. */
function isPlainHttp({ record }: OpenMarketplace, address: string): boolean {
  return address.startsWith("http://") && record.source.startsWith("http://");
}

function npmSource(
  market: OpenMarketplace,
  entry: MarketplaceEntry,
  { package: name, version, registry }: Readonly<Record<string, unknown>>,
): StageableSpecifier {
  if (typeof name !== "string" || !PACKAGE.test(name)) {
    throw refusal(market, entry, "its package is not a name of npm");
  }
  if (version !== undefined && (typeof version !== "string" || !RELEASE.test(version))) {
    throw refusal(market, entry, "its version is not a version or range of npm");
  }
  if (registry !== undefined) {
    throw refusal(
      market,
      entry,
      `it names the registry ${String(registry)}; set the registry of its scope in your .npmrc, and ask the owner to leave the field out`,
    );
  }
  return { kind: "plugin-npm", specifier: version === undefined ? name : `${name}@${version}` };
}

function isPathWithin(path: string): boolean {
  return !path.startsWith("/") && !path.includes("\\") && !path.split("/").includes("..");
}

function refusal(
  { record }: OpenMarketplace,
  { name }: MarketplaceEntry,
  problem: string,
): MarketplacePluginError {
  return new MarketplacePluginError(`${name}@${record.name}`, problem);
}
