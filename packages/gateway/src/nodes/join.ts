import { systemClock } from "@openclaw/foundation";
import { approverFacts, type SharedApprovers } from "./approvers.js";
import type { NodeFacts } from "./facts.js";
import { NodeMembership, type NodeMembershipDependencies } from "./membership.js";

/** Steps of a start, of which each one that is done can be undone. */
interface StartSequence {
  /** @param undo - undoes a step */
  add(undo: () => unknown): void;
}

/** Host whose state its node tells. */
interface WorkingHost {
  readonly queueDepth: number;
  readonly sessionCount: number;
  readonly revisions: NodeFacts["revisions"];
  readonly sharedApprovers: SharedApprovers;
}

/** Dependencies of {@link joinNodes}. */
export interface JoinDependencies extends Omit<NodeMembershipDependencies, "timers" | "facts"> {
  /** Returns the host; undefined before it is open. */
  host(): WorkingHost | undefined;
  /** Returns the URL of the listener; undefined without one. */
  url(): string | undefined;
}

/**
 * Makes a host one of the nodes of its database, until the start is undone.
 * @param dependencies - store, log, and what the node tells of itself
 * @param sequence - steps of the start
 * @param isForCommand - true for a host of one command, which never leads
 * @returns undefined for a host that has its database alone
 */
export async function joinNodes(
  { host, url, ...dependencies }: JoinDependencies,
  sequence: StartSequence,
  isForCommand = false,
): Promise<NodeMembership | undefined> {
  if (dependencies.store.nodes.own === undefined) return undefined;
  const facts = (): NodeFacts => {
    const open = host();
    return {
      role: isForCommand ? "command" : "gateway",
      url: url(),
      turns: open?.queueDepth,
      sessions: open?.sessionCount,
      revisions: open?.revisions ?? {},
      approvers: approverFacts(open?.sharedApprovers),
    };
  };
  const node = new NodeMembership({ ...dependencies, facts, timers: systemClock });
  sequence.add(() => node.leave());
  await node.join({ mayLead: !isForCommand });
  return node;
}
