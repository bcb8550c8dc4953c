import { CORE_TOOL_NAMES, MESSAGE, WEB_SEARCH } from "@openclaw/core-tools";
import { JOB_TOOL_NAMES } from "@openclaw/jobs";
import { ROUTINE_TOOL_NAMES } from "@openclaw/routines";
import { GATEWAY } from "./gateway.js";

/** Names of the tools that every host offers. */
export const CONSTANT_TOOL_NAMES: readonly string[] = distinct([
  ...CORE_TOOL_NAMES,
  ...JOB_TOOL_NAMES,
  ...ROUTINE_TOOL_NAMES,
  GATEWAY,
]);

/** Names of all tools of the host, also of those that it offers only with a provider, a channel or deferred definitions. */
export const HOST_TOOL_NAMES: readonly string[] = distinct([
  ...CONSTANT_TOOL_NAMES,
  ...[WEB_SEARCH, MESSAGE, "tool_search"],
]);

/** The names of the core tools include some that other packages implement. */
function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
