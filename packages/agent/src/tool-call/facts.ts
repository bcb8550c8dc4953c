import { defined } from "@openclaw/foundation";
import type { ToolCallFacts } from "@openclaw/plugin-runtime";
import { commandAmong } from "@openclaw/safety";
import { canonicalToolName } from "@openclaw/tool-policy";
import type { ToolEntry } from "./tool-entry.js";

/** Lines of a patch that name a file, in the tool's patch format and in unified diffs. */
const PATCHED_FILE =
  /^(?:\*\*\* (?:Add File|Update File|Delete File|Move to): |(?:---|\+\+\+) (?:[ab]\/)?)(.*\S)/gm;

/**
 * Returns the facts about a call's arguments that hooks and policies receive (TURN-033).
 * @param entry - its tool
 * @param params - any arguments, also invalid ones
 */
export function factsOf(
  { name, parameters }: Pick<ToolEntry, "name" | "parameters">,
  params: Record<string, unknown>,
): ToolCallFacts {
  const command = commandAmong(params, { schema: parameters });
  return { ...pathsOf(name, params), ...defined({ command }) };
}

/**
 * Returns the files that a call may change, as written in its arguments; best effort, for the tools that
 * write files.
 * @param toolName - any spelling
 * @param params - any arguments
 */
export function pathsOf(
  toolName: string,
  { path, input }: Record<string, unknown>,
): Pick<ToolCallFacts, "derivedPaths"> {
  const name = canonicalToolName(toolName);
  if (name !== "write" && name !== "edit" && name !== "apply_patch") return {};
  const patched =
    typeof input === "string"
      ? Array.from(input.matchAll(PATCHED_FILE), ([, file = ""]) => file)
      : [];
  const named = typeof path === "string" ? [path, ...patched] : patched;
  const derivedPaths = [...new Set(named)].filter((file) => file !== "/dev/null");
  return derivedPaths.length === 0 ? {} : { derivedPaths };
}
