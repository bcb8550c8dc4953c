/** Names of this project in the npm registry; until it publishes there, they belong to another publisher. */
const FIRST_PARTY = /^(?:openclaw|create-openclaw-plugin|@openclaw\/[^@]+)$/;

/**
 * Returns true for the name of a package of this project, which is taken from the installation and never from a
 * registry.
 * @param name - package name without version
 */
export function isFirstParty(name: string): boolean {
  return FIRST_PARTY.test(name);
}

/**
 * Returns the package name of a specifier for the npm registry; undefined for the URL of an archive.
 * @param specifier - for example `@scope/name@1.2.3`, with or without `npm:`
 */
export function registryName(specifier: string): string | undefined {
  return /^(?:npm:)?((?:@[\w.~-]+\/)?[\w.~-]+)(?:@.*)?$/.exec(specifier)?.[1];
}
