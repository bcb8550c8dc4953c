/** Name under which the source of a stand-in module reaches its values. */
const VALUES = Symbol.for("openclaw.sdk-stand-ins");

type Values = Map<string, Readonly<Record<string, unknown>>>;

const sources = new Map<string, string>();

/** Values by number of the stand-in; shared by every copy of this module, so that the numbers differ. */
function sharedValues(): Values {
  const shared = globalThis as { [VALUES]?: Values };
  shared[VALUES] ??= new Map();
  return shared[VALUES];
}

/**
 * Creates a module with the exports of an entry point of the SDK and with values for names that it lacks. The exports of
 * the entry point are passed on, so that all importers share them.
 * @param real - URL of the entry point; undefined when this host lacks all of it
 * @param hasDefault - true when the entry point has a default export
 * @param missing - values by name
 * @returns the URL of the module, whose source {@link standInSource} returns
 */
export function createStandIn(
  real: string | undefined,
  hasDefault: boolean,
  missing: Readonly<Record<string, unknown>>,
): string {
  const values = sharedValues();
  const key = String(values.size + 1);
  // A file URL, because `require` turns the URL of a module into a path; the file does not exist.
  const url = new URL(`./stand-ins/${key}.mjs`, real ?? import.meta.url).href;
  values.set(key, missing);
  const names = Object.keys(missing);
  sources.set(
    url,
    [
      ...(real === undefined ? [] : [`export * from ${JSON.stringify(real)};`]),
      ...(real === undefined || !hasDefault
        ? []
        : [`export { default } from ${JSON.stringify(real)};`]),
      `const values = globalThis[Symbol.for(${JSON.stringify(VALUES.description)})].get("${key}");`,
      ...names.map((name, index) => `const v${index} = values[${JSON.stringify(name)}];`),
      `export { ${names.map((name, index) => `v${index} as ${name}`).join(", ")} };`,
    ].join("\n"),
  );
  return url;
}

/**
 * Returns the source of a stand-in module; undefined for every other URL.
 * @param url - URL of a module
 */
export function standInSource(url: string): string | undefined {
  return sources.get(url);
}
