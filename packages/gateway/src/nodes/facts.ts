import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { StoredNode } from "@openclaw/store";

const REVISIONS = ["configuration", "plugins", "policy"] as const;

/** Revisions with which a node runs its turns (SCALE-022). */
export type NodeRevisions = { readonly [Name in (typeof REVISIONS)[number]]?: string };

/** State and revisions of a node, which it reports with its name and its version. */
export interface NodeFacts {
  /** `command` for a host of one command, which takes no work. */
  readonly role: "gateway" | "command";
  readonly url?: string | undefined;
  /** Number of turns that run or wait. */
  readonly turns?: number | undefined;
  /** Number of sessions that it has. */
  readonly sessions?: number | undefined;
  readonly revisions: NodeRevisions;
  /** Facts about the approvers that it reaches. */
  readonly approvers?: JsonObject | undefined;
}

/**
 * Writes facts for the row of a node.
 * @param facts - state and revisions of the node
 */
export function storedFacts({
  role,
  url,
  turns,
  sessions,
  revisions,
  approvers,
}: NodeFacts): JsonObject {
  return {
    role,
    url: url ?? null,
    turns: turns ?? null,
    sessions: sessions ?? null,
    revisions: { ...revisions },
    ...approvers,
  };
}

/**
 * Reads the facts of a node, also one of another version: what it does not tell, or tells in another form, is absent.
 * @param node - the node as stored
 */
export function factsOf({ facts }: Pick<StoredNode, "facts">): NodeFacts {
  const { role, url, turns, sessions, revisions } = facts;
  return {
    role: role === "command" ? "command" : "gateway",
    url: typeof url === "string" ? url : undefined,
    turns: typeof turns === "number" ? turns : undefined,
    sessions: typeof sessions === "number" ? sessions : undefined,
    revisions: revisionsOf(revisions),
  };
}

function revisionsOf(stored: unknown): NodeRevisions {
  if (typeof stored !== "object" || stored === null) return {};
  const found: Record<string, unknown> = { ...stored };
  const told = REVISIONS.flatMap((name) => {
    const value = found[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(told);
}
