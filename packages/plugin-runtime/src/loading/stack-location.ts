/** How far into a stack a place is looked for, in characters; messages may be long. */
const SEARCHED = 8_192;

/**
 * The place that heads the report of a syntax error, `file:line`; undefined when there is none.
 * @param report - an error's stack, or what Node wrote to its standard error
 */
export function headlinePlace(report: string): string | undefined {
  const match = /^(?:file:\/\/)?((?:\/|[A-Z]:)[^\n]*?):(\d+)$/m.exec(report.slice(0, SEARCHED));
  return match === null ? undefined : `${filePath(match[1])}:${match[2]}`;
}

/**
 * The innermost frame of a stack that lies below a folder, `file:line:column`.
 * @param stack - an error's stack
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

/** The path in an address, without the mark of a reload. */
function filePath(address: string | undefined): string {
  const path = (address ?? "").replace(/\?.*$/, "");
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
