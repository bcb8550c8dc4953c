import { createRequire } from "node:module";
import { fileUrl } from "./file-url.js";

/** TypeBox under its present and its former name, which hosts of older versions had next to their plugins. */
const TYPEBOX = /^(?:@sinclair\/)?typebox(?=\/|$)/;

const { resolve } = createRequire(import.meta.url);

/**
 * Returns the URL of the host's copy of a package that plugins import without depending on it (PLUG-143).
 * @param specifier - specifier in an import of a plugin
 * @returns undefined for a package that the host does not share
 */
export function sharedDependency(specifier: string): string | undefined {
  if (!TYPEBOX.test(specifier)) return undefined;
  try {
    return fileUrl(resolve(specifier.replace(TYPEBOX, "typebox")));
  } catch {
    return undefined;
  }
}
