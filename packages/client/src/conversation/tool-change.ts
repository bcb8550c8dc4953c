/** Change that the arguments of a tool call describe. */
export interface DescribedChange {
  /** Diff: lines with the signs `+` and `-`, or the text of a patch. */
  readonly diff: string;
  /** Arguments that the diff does not show. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** Names of an earlier and a later text, as the tools of this project and of others have them. */
const REPLACEMENTS = [
  ["old_string", "new_string"],
  ["oldText", "newText"],
  ["old_str", "new_str"],
] as const;
/** Names of a file. */
const PATHS = ["path", "file_path"] as const;
/** First lines of a patch: of the patch format of `apply_patch`, of a file in a unified diff, or of a change in one. */
const PATCH = /^(?:\*\*\* Begin Patch$|--- \S.*\n\+\+\+ \S|diff --git |@@ -\d)/m;

/**
 * Returns the change that the arguments of a call describe: a patch, replacements of strings, or the content of a file. It shows what was called for; the lines around it, and what the file had before, are not in the arguments.
 * @param params - arguments of a call
 * @returns undefined for arguments without a change
 */
export function changeOfArguments(params: unknown): DescribedChange | undefined {
  if (!isRecord(params)) return undefined;
  const patch = Object.entries(params).find(([, value]) => isPatch(value));
  if (patch !== undefined) return { diff: String(patch[1]), others: without(params, [patch[0]]) };
  const pathName = PATHS.find((name) => typeof params[name] === "string");
  if (pathName === undefined) return undefined;
  const path = String(params[pathName]);
  const single = replacementOf(params);
  if (single !== undefined) {
    const diff = `${head(path)}${single.lines}`;
    return { diff, others: without(params, [pathName, ...single.names]) };
  }
  if (Array.isArray(params.edits)) {
    // An edit that says more than its texts is shown as it is.
    const edits = params.edits.map((edit) =>
      isRecord(edit) && Object.keys(edit).length === 2 ? replacementOf(edit) : undefined,
    );
    if (edits.length === 0 || edits.includes(undefined)) return undefined;
    const lines = edits.map((edit) => edit?.lines ?? "").join("@@\n");
    return { diff: `${head(path)}${lines}`, others: without(params, [pathName, "edits"]) };
  }
  if (typeof params.content !== "string") return undefined;
  const diff = `+++ ${path}\n${signed("+", params.content)}`;
  return { diff, others: without(params, [pathName, "content"]) };
}

function replacementOf(params: unknown) {
  if (!isRecord(params)) return undefined;
  for (const names of REPLACEMENTS) {
    const [before, after] = names.map((name) => params[name]);
    if (typeof before !== "string" || typeof after !== "string") continue;
    return { names, lines: `${signed("-", before)}${signed("+", after)}` };
  }
  return undefined;
}

function head(path: string): string {
  return `--- ${path}\n+++ ${path}\n`;
}

function signed(sign: string, text: string): string {
  if (text === "") return "";
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((line) => `${sign}${line}\n`).join("");
}

function isPatch(value: unknown): boolean {
  return typeof value === "string" && PATCH.test(value);
}

function without(params: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
