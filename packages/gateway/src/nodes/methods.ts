import { nodeMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import { NodeAdministration, type NodeStore } from "./administration.js";

/**
 * Creates the methods of the nodes of a database (SCALE-510).
 * @param dependencies - store of the host
 */
export function createNodeMethods({
  store,
}: {
  readonly store: NodeStore;
}): MethodRegistry<typeof nodeMethods> {
  const nodes = new NodeAdministration(store);
  return MethodRegistry.of(nodeMethods, {
    "nodes.list": async () => ({ isShared: nodes.isShared, nodes: await nodes.list() }),
    "nodes.drain": ({ nodeId }) => nodes.drain(nodeId),
    "nodes.resume": ({ nodeId }) => nodes.resume(nodeId),
  });
}
