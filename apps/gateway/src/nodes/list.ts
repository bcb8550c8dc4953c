import type { GatewayMethodResult, NodeSummary } from "@openclaw/protocol";
import { printRows } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";

/** Digits at the end of an ID, which differ also for nodes that started together. */
const SHOWN_DIGITS = 8;

/**
 * Prints the nodes of a database, and what differs between them.
 * @param cluster - the nodes
 * @param terminal - where they are printed
 */
export function printNodes(
  { isShared, nodes }: GatewayMethodResult<"nodes.list">,
  terminal: Terminal,
): void {
  if (!isShared) {
    terminal.print(
      "This gateway has its database alone; several nodes need PostgreSQL (docs/operate/nodes.md).",
    );
    return;
  }
  const rows = nodes.map((node) => [
    ...[node.nodeId.slice(-SHOWN_DIGITS), node.name, stateOf(node), node.version],
    ...[countOf(node.turns), countOf(node.sessions), node.differs.join(", ") || "nothing"],
  ]);
  const titles = ["ID", "NAME", "STATE", "VERSION", "TURNS", "SESSIONS", "DIFFERS IN"];
  printRows(rows, terminal, { titles });
  const different = nodes.filter(({ differs }) => differs.length > 0);
  if (different.length === 0) return;
  const names = different.map(({ name }) => name).join(", ");
  terminal.print(
    `Give every node the same configuration, plugins and version; most others differ from: ${names}.`,
  );
}

/** Returns the state of a node, for example `active, leads`. */
function stateOf({ state, isLeading, isSelf }: NodeSummary): string {
  return [state, ...(isLeading ? ["leads"] : []), ...(isSelf ? ["this one"] : [])].join(", ");
}

function countOf(count: number | undefined): string {
  return count === undefined ? "-" : String(count);
}
