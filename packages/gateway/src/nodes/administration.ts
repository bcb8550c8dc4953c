import { defined } from "@openclaw/foundation";
import type { NodeSummary } from "@openclaw/protocol";
import type { Store, StoredNode } from "@openclaw/store";
import { driftOf } from "./drift.js";
import { LastNodeError, NodeNotFoundError } from "./errors.js";
import { factsOf } from "./facts.js";
import { LEADER, NODE_CHANGES } from "./membership.js";

/** Store that the nodes of a database are administered in. */
export type NodeStore = Pick<Store, "nodes" | "leases" | "topics" | "transaction">;

/** Shows the nodes of a database to the operator, and changes what they do (SCALE-510). */
export class NodeAdministration {
  readonly #store: NodeStore;

  /** @param store - store of the host */
  constructor(store: NodeStore) {
    this.#store = store;
  }

  /** True if other gateways can work on the database. */
  get isShared(): boolean {
    return this.#store.nodes.own !== undefined;
  }

  /** Returns the gateways of the database, oldest first; none for one that has it alone. */
  async list(): Promise<readonly NodeSummary[]> {
    if (!this.isShared) return [];
    const nodes = await this.#gateways(this.#store);
    const leader = await this.#store.leases.owner(LEADER);
    const drift = driftOf(nodes);
    return nodes.map((node) => this.#summary(node, leader, drift.get(node.nodeId)));
  }

  /**
   * Lets a node take no new turns.
   * @param reference - ID of the node, the end of it, or its name
   * @throws NodeNotFoundError when no live node has it
   * @throws LastNodeError when no other node takes work
   */
  async drain(reference: string): Promise<NodeSummary> {
    return await this.#change(reference, "draining");
  }

  /**
   * Lets a node take turns again.
   * @param reference - ID of the node, the end of it, or its name
   * @throws NodeNotFoundError when no live node has it
   */
  async resume(reference: string): Promise<NodeSummary> {
    return await this.#change(reference, "active");
  }

  async #change(reference: string, state: StoredNode["state"]): Promise<NodeSummary> {
    const changed = await this.#store.transaction(async (unit) => {
      const nodes = (await this.#gateways(unit)).filter(({ isLive }) => isLive);
      const { nodeId, name } = find(reference, nodes);
      const others = nodes.filter((node) => node.state === "active" && node.nodeId !== nodeId);
      if (state === "draining" && others.length === 0) throw new LastNodeError(name);
      await unit.nodes.setState(nodeId, state);
      unit.topics.publish(NODE_CHANGES);
      return nodeId;
    });
    const summary = (await this.list()).find(({ nodeId }) => nodeId === changed);
    if (summary === undefined) throw new NodeNotFoundError(reference);
    return summary;
  }

  async #gateways({ nodes }: Pick<NodeStore, "nodes">): Promise<readonly StoredNode[]> {
    return (await nodes.list()).filter((node) => factsOf(node).role === "gateway");
  }

  #summary(
    node: StoredNode,
    leader: string | undefined,
    differs: NodeSummary["differs"] = [],
  ): NodeSummary {
    const { nodeId, name, version, startedAt, seenAt, isLive } = node;
    const { url, turns, sessions, revisions } = factsOf(node);
    return {
      ...{ nodeId, name, version, state: isLive ? node.state : "gone" },
      isSelf: nodeId === this.#store.nodes.own,
      isLeading: nodeId === leader,
      ...defined({ url, turns, sessions }),
      ...{ startedAt, seenAt, revisions, differs },
    };
  }
}

/** Finds the node that an operator names. */
function find(reference: string, nodes: readonly StoredNode[]): StoredNode {
  const exact = nodes.filter(({ nodeId, name }) => nodeId === reference || name === reference);
  const found = exact.length > 0 ? exact : nodes.filter(({ nodeId }) => nodeId.endsWith(reference));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new NodeNotFoundError(
    reference,
    found.map(({ name }) => name),
  );
}
