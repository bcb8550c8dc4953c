import { entrySource, entryValue, type PolicyEntry } from "../layers/layer.js";
import { type PolicyProblem, placeOf } from "../layers/problem.js";
import type { PolicySource } from "../layers/source.js";
import { parseEntry } from "./entry.js";
import type { ToolOrigin } from "./tool.js";

/** A named set of tools, written `group:<name>` in lists (POL-018). */
export interface PolicyGroup {
  /** Without `group:`. */
  readonly name: string;
  /** Entries as in a list; other groups included. */
  readonly members: readonly PolicyEntry[];
  readonly source?: PolicySource;
}

const GATEWAY_TOOLS = [
  "gateway",
  "tool_search",
  "tool_list",
  "tool_install",
  "tool_auth",
  "tool_activate",
  "tool_remove",
  "build_software",
];

/** The groups that ship with the product and list their members. */
export const BUILT_IN_GROUPS: readonly PolicyGroup[] = [
  { name: "fs", members: ["read", "write", "edit", "apply_patch", "list", "grep"] },
  { name: "runtime", members: ["exec", "process"] },
  { name: "web", members: ["http", "web_fetch", "web_search"] },
  { name: "util", members: ["time", "json", "echo", "skill"] },
  { name: "memory", members: ["memory_*"] },
  { name: "sessions", members: ["sessions_*", "session_status", "subagents"] },
  { name: "messaging", members: ["message"] },
  {
    name: "automation",
    members: ["cron", "routine_*", "create_job", "list_jobs", "job_status", "cancel_job"],
  },
  { name: "gateway", members: GATEWAY_TOOLS },
];

/** The groups that mean all tools of one origin. */
export const GROUP_OF_ORIGIN: Readonly<Record<ToolOrigin, string>> = {
  core: "core",
  plugin: "plugins",
  mcp: "mcp",
  wasm: "wasm",
  client: "client",
};

/** Names of all groups that ship with the product. */
export const BUILT_IN_GROUP_NAMES: ReadonlySet<string> = new Set([
  ...BUILT_IN_GROUPS.map((group) => group.name),
  ...Object.values(GROUP_OF_ORIGIN),
]);

/** Exact names of core tools that the built-in groups list. */
export const CORE_TOOL_NAMES: ReadonlySet<string> = new Set(
  BUILT_IN_GROUPS.flatMap((group) => group.members.map(entryValue)).filter(
    (member) => !member.includes("*"),
  ),
);

/** The tools only owners may use, besides those registered so (POL-015). */
export const OWNER_ONLY_NAMES: ReadonlySet<string> = new Set([...GATEWAY_TOOLS, "cron"]);

interface Visit {
  readonly name: string;
  readonly remaining: PolicyEntry[];
}

/**
 * Finds groups that contain themselves, directly or through others.
 * @param groups - by normalised name
 * @returns one problem per entry that closes a cycle
 */
export function groupCycles(groups: ReadonlyMap<string, PolicyGroup>): readonly PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  const finished = new Set<string>();
  for (const [start, { members }] of groups) {
    if (finished.has(start)) continue;
    // An explicit stack: a chain of thousands of groups must not exhaust the call stack.
    const path: Visit[] = [{ name: start, remaining: [...members] }];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const member = visit.remaining.pop();
      if (member === undefined) {
        finished.add(visit.name);
        path.pop();
        continue;
      }
      const entry = parseEntry(entryValue(member), CORE_TOOL_NAMES);
      if (entry.kind !== "group" || finished.has(entry.group)) continue;
      const group = groups.get(entry.group);
      if (group === undefined) continue;
      const at = path.findIndex((step) => step.name === entry.group);
      if (at < 0) {
        path.push({ name: entry.group, remaining: [...group.members] });
        continue;
      }
      const cycle = [...path.slice(at).map((step) => step.name), entry.group];
      problems.push({
        code: "POLICY_GROUP_CYCLE",
        ...placeOf(entrySource(member) ?? { key: `groups.${visit.name}` }),
        message: `group "${entry.group}" contains itself: ${cycle.join(" → ")}`,
        suggestion: `remove "group:${entry.group}" from the members of group "${visit.name}"`,
      });
    }
  }
  return problems;
}
