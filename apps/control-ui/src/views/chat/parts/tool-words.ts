/** Parameters that say in one line what a call is about, most telling first. */
const TELLING = [
  "command",
  "path",
  "file_path",
  "pattern",
  "query",
  "url",
  "name",
  "task",
] as const;

/** Tools that only read, of which consecutive calls are folded. */
const READING: ReadonlySet<string> = new Set([
  ..."read list glob grep search find_files memory_search memory_get web_fetch".split(" "),
]);

/**
 * Returns what a call is about, in one line.
 * @param params - parameters of the call
 */
export function subjectOf(params: unknown): string {
  if (typeof params !== "object" || params === null) return "";
  for (const name of TELLING) {
    const value: unknown = Reflect.get(params, name);
    if (typeof value === "string" && value !== "") return value.split("\n", 1)[0] ?? "";
  }
  const first = Object.values(params).find((value) => typeof value === "string");
  return typeof first === "string" ? (first.split("\n", 1)[0] ?? "") : "";
}

/**
 * Returns the command of a call of a shell tool.
 * @param params - parameters of the call
 */
export function commandOf(params: unknown): string | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const value: unknown = Reflect.get(params, "command");
  return typeof value === "string" ? value : undefined;
}

/**
 * Returns true for a tool that only reads.
 * @param name - name of the tool
 */
export function isReading(name: string): boolean {
  return READING.has(name);
}

/**
 * Returns the session of the subagent that a call started.
 * @param output - result of the call
 */
export function subagentOf(output: string): string | undefined {
  return /\bagent:[\w.-]+:subagent:[0-9a-f-]{36}\b/.exec(output)?.[0];
}
