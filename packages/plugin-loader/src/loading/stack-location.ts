import { sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Number of characters of a stack that are searched, because messages may be long. */
const SEARCHED = 8_192;

/**
 * Returns the location at the start of a syntax error report as `file:line`; undefined when there is none.
 * @param report - stack of an error, or standard error of Node
 */
export function headlinePlace(report: string): string | undefined {
  const match = /^(?:file:\/\/)?((?:\/|[A-Z]:)[^\n]*?):(\d+)$/m.exec(report.slice(0, SEARCHED));
  return match === null ? undefined : `${filePath(match[1])}:${match[2]}`;
}

/**
 * Returns the lines of a stack, the innermost frame first.
 * @param stack - stack of an error
 */
export function stackLines(stack: string): string[] {
  return stack.slice(0, SEARCHED).split("\n");
}

/**
 * Returns the location of the innermost stack frame in a folder as `file:line:column`.
 * @param stack - stack of an error
 * @param folder - absolute path
 */
export function framePlace(stack: string, folder: string): string | undefined {
  const path = folder + sep;
  const url = pathToFileURL(path).href;
  for (const line of stackLines(stack)) {
    const place = placeAfter(line, path) ?? placeAfter(line, url);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Returns the location that begins with a prefix, which may contain spaces and parentheses, unlike a pattern. */
function placeAfter(line: string, prefix: string): string | undefined {
  for (let at = line.indexOf(prefix); at !== -1; at = line.indexOf(prefix, at + 1)) {
    // Otherwise the prefix is the end of another path.
    if (at > 0 && !" (".includes(line.charAt(at - 1))) continue;
    const match = /^(.*?):(\d+):(\d+)(?!\d)/.exec(line.slice(at + prefix.length));
    if (match !== null) return `${locationPath(prefix + match[1])}:${match[2]}:${match[3]}`;
  }
  return undefined;
}

/** Returns the path of a file URL or path, without the query of a reload. */
function locationPath(location: string): string {
  if (!location.startsWith("file:")) return location;
  const url = location.replace(/\?.*$/, "");
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

/** Returns the path of a URL without the query of a reload. */
function filePath(address: string | undefined): string {
  const path = (address ?? "").replace(/\?.*$/, "");
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
