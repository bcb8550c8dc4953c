import type { NodeSummary } from "@openclaw/protocol";
import type { StoredNode } from "@openclaw/store";
import { factsOf } from "./facts.js";

/** Properties that nodes must have in common. */
export type Drift = NodeSummary["differs"][number];

const COMPARED: readonly Drift[] = ["version", "configuration", "plugins", "policy"];

/**
 * Compares the live gateways of a database (SCALE-022).
 * @returns properties of each node that at most half of the live ones have in the same form, by its ID; without a majority
 *   they are those of every node
 */
export function driftOf(nodes: readonly StoredNode[]): ReadonlyMap<string, readonly Drift[]> {
  const live = nodes.filter((node) => node.isLive && factsOf(node).role === "gateway");
  const drift = new Map<string, Drift[]>();
  for (const name of COMPARED) {
    const values = live.map((node) => sharedValue(node, name));
    for (const [index, { nodeId }] of live.entries()) {
      const value = values[index];
      const same = values.filter((other) => other === value).length;
      // A node that has just started may not have told it yet.
      if (value === undefined || same * 2 > live.length || same === live.length) continue;
      drift.set(nodeId, [...(drift.get(nodeId) ?? []), name]);
    }
  }
  return drift;
}

function sharedValue(node: StoredNode, name: Drift): string | undefined {
  return name === "version" ? node.version : factsOf(node).revisions[name];
}
