import { pathToFileURL } from "node:url";

/** Characters that a URL represents without escaping. */
const PLAIN_PATH = /^\/[\w./@-]*$/;

/**
 * Returns the URL of a file. Avoids escaping for the frequent paths that do not need it.
 * @param path - absolute path
 */
export function fileUrl(path: string): string {
  return PLAIN_PATH.test(path) ? `file://${path}` : pathToFileURL(path).href;
}
