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
 * Returns the location of the innermost stack frame in a folder as `file:line:column`.
 * @param stack - stack of an error
 * @param folder - absolute path
 */
export function framePlace(stack: string, folder: string): string | undefined {
  const frames = /(?:file:\/\/)?((?:\/|[A-Z]:)[^\s():]*):(\d+):(\d+)/g;
  for (const [, path, line, column] of stack.slice(0, SEARCHED).matchAll(frames)) {
    const file = filePath(path);
    if (file.startsWith(folder)) return `${file}:${line}:${column}`;
  }
  return undefined;
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
