import type { PolicyEntry } from "../layers/layer.js";
import { EntryList } from "../matching/entry-list.js";
import { GroupIndex } from "../matching/group-index.js";
import type { PolicyTool } from "../matching/tool.js";
import { CORE_TOOL_NAMES } from "../matching/tool-group.js";
import { normalizeName } from "../matching/tool-name.js";

/** Tools that one group of one channel may use (SAFE-052). */
export interface GroupPolicy {
  /** The group's id, compared exactly. */
  readonly group: string;
  readonly channel: string;
  /** If not empty, denies what it does not match. */
  readonly allowed: readonly PolicyEntry[];
  readonly denied: readonly PolicyEntry[];
  readonly requireApproval: readonly PolicyEntry[];
  readonly enabled: boolean;
}

/** Permissions of a group policy for a tool, from the least to the most strict. */
const PERMISSIONS = ["Allowed", "RequiresApproval", "Denied"] as const;

/** Permission of a group policy for a tool. */
export type GroupPermission = (typeof PERMISSIONS)[number];

/** A call to evaluate with a group policy. */
export interface GroupPolicyQuestion {
  readonly group: string;
  readonly channel: string;
  /** Name of a core tool, or a tool. */
  readonly tool: string | PolicyTool;
}

const BUILT_IN_INDEX = new GroupIndex([], CORE_TOOL_NAMES);

function permissionOf(policy: GroupPolicy, tool: PolicyTool): GroupPermission {
  const facts = BUILT_IN_INDEX.factsOf(tool);
  const matches = (entries: readonly PolicyEntry[]) =>
    new EntryList(entries, CORE_TOOL_NAMES).find(facts) !== undefined;
  if (matches(policy.denied)) return "Denied";
  if (matches(policy.requireApproval)) return "RequiresApproval";
  return policy.allowed.length === 0 || matches(policy.allowed) ? "Allowed" : "Denied";
}

/**
 * Evaluates the policies of groups for one call (SAFE-052). Only enabled policies of exactly this
 * channel and group count; if several do, the strictest wins.
 * @param policies - policies of any channels and groups
 * @param query - the call
 */
export function evaluateGroupPolicy(
  policies: readonly GroupPolicy[],
  { group, channel, tool }: GroupPolicyQuestion,
): GroupPermission {
  const subject: PolicyTool =
    typeof tool === "string" ? { name: tool, origin: "core", optional: false, aliases: [] } : tool;
  const permissions = policies
    .filter((policy) => policy.enabled && policy.group === group)
    .filter((policy) => normalizeName(policy.channel) === normalizeName(channel))
    .map((policy) => permissionOf(policy, subject));
  return PERMISSIONS.findLast((permission) => permissions.includes(permission)) ?? "Allowed";
}
