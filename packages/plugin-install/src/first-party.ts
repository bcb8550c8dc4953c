import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

/** Names of this project in all imports; in the npm registry they may belong to another publisher. */
const FIRST_PARTY = /^(?:openclaw|create-openclaw-plugin|@openclaw\/[^@]+)$/;
const ALIAS = /^npm:(?<published>.+)@[^@]*$/;

/** Names under which this installation was published to their names in imports, when they differ. */
const importNames = readAliases();

/**
 * Returns the name of a package of this project in imports; undefined for a package of others.
 * @param name - package name without version, that of an import or that of the registry
 */
export function firstPartyName(name: string): string | undefined {
  return FIRST_PARTY.test(name) ? name : importNames.get(name);
}

/**
 * Returns true for the name of a package of this project, which is taken from the installation and never from a
 * registry.
 * @param name - package name without version
 */
export function isFirstParty(name: string): boolean {
  return firstPartyName(name) !== undefined;
}

/**
 * Returns the package name of a specifier for the npm registry; undefined for the URL of an archive.
 * @param specifier - for example `@scope/name@1.2.3`, with or without `npm:`
 */
export function registryName(specifier: string): string | undefined {
  return /^(?:npm:)?((?:@[\w.~-]+\/)?[\w.~-]+)(?:@.*)?$/.exec(specifier)?.[1];
}

/** Reads the aliases of the package that contains this module, under which it depends on the others (SDK-900). */
function readAliases(): ReadonlyMap<string, string> {
  const file = findPackageJSON("..", import.meta.url);
  const { dependencies = {} }: { dependencies?: Readonly<Record<string, string>> } =
    file === undefined ? {} : JSON.parse(readFileSync(file, "utf8"));
  return new Map(
    Object.entries(dependencies).flatMap(([name, range]) => {
      const published = ALIAS.exec(range)?.groups?.published;
      return published === undefined || !FIRST_PARTY.test(name) ? [] : [[published, name]];
    }),
  );
}
