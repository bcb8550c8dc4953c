import { systemClock } from "@openclaw/foundation";
import type { StartSequence } from "../host/start-sequence.js";
import { NodeMembership, type NodeMembershipDependencies } from "./membership.js";

/**
 * Makes a host one of the nodes of its database, until the start is undone.
 * @param dependencies - store, log, and what the node tells of itself
 * @param sequence - steps of the start
 * @param isForCommand - true for a host of one command, which never leads
 * @returns undefined for a host that has its database alone
 */
export async function joinNodes(
  dependencies: Omit<NodeMembershipDependencies, "timers">,
  sequence: StartSequence,
  isForCommand = false,
): Promise<NodeMembership | undefined> {
  if (dependencies.store.nodes.own === undefined) return undefined;
  const node = new NodeMembership({ ...dependencies, timers: systemClock });
  sequence.add(() => node.leave());
  await node.join({ mayLead: !isForCommand });
  return node;
}
