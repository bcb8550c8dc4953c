import type { ApproverPresence } from "@openclaw/messaging";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";

/** Approvers of a node that requests of every session reach. */
export type SharedApprovers = ApproverPresence["shared"];

/**
 * Returns the approvers of a node as one of its facts.
 * @param approvers - approvers of the node; undefined before its host is open
 */
export function approverFacts(approvers: SharedApprovers | undefined): JsonObject {
  if (approvers === undefined) return {};
  const { all, targets } = approvers;
  return { approvers: { all, targets: [...targets] } };
}

/**
 * Returns the approvers that nodes have told of; a node of another version may tell nothing.
 * @param facts - facts of each node
 */
export function approversOf(facts: readonly JsonObject[]): SharedApprovers {
  const told = facts.map(({ approvers }) => approvers).filter(isObject);
  const targets = told.flatMap((each) => (Array.isArray(each.targets) ? each.targets : []));
  return {
    all: told.some(({ all }) => all === true),
    targets: targets.filter((target) => typeof target === "string"),
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
