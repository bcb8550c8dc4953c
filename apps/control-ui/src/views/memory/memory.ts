import type { GatewayMethodResult } from "@openclaw/protocol";
import { effect, signal } from "@preact/signals";
import { isRecord } from "../../components/schema-form/schema.js";
import { token } from "../../state/credential.js";
import { call, onEvent } from "../../state/link.js";
import { watched } from "../../state/watched.js";

/** Document or folder of the tree. */
export interface MemoryEntry {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
  readonly bytes: number;
  readonly updatedAt: string;
  readonly documents: number;
  readonly children: readonly MemoryEntry[];
}

/** Document with its content. */
export type MemoryDocument = GatewayMethodResult<"memory.read">;
/** Connection between two documents. */
export type MemoryConnection = GatewayMethodResult<"memory.connections">["connections"][number];

/** Levels that the tree is read with. */
const DEPTH = 10;

/** Agent whose memory is shown; empty for the default one. */
export const agent = signal("");
/** Path of the document that is shown; empty without one. */
export const path = signal("");
/** Search that is shown. */
export const asked = signal<{ readonly query: string; readonly space: string }>({
  query: "",
  space: "",
});
/** Space whose documents are shown. */
export const openSpace = signal("");

/** Changed contents that a person has not saved, by agent and path. */
export const drafts = new Map<string, string>();

let followedNames: ReadonlySet<string> = new Set();

/**
 * Returns true for a document that agents follow as instructions.
 * @param path - path of the document
 */
export function isFollowed(path: string): boolean {
  return followedNames.has(path.toLowerCase());
}

/** Documents as a tree. */
export const tree = watched(async () => {
  const { entries, followed } = await call("memory.tree", { depth: DEPTH, ...ofAgent() });
  followedNames = new Set(followed.map((name) => name.toLowerCase()));
  return entries.map(entryOf);
});
/** Document that is shown, with its connections. */
export const document = watched(async () => {
  const wanted = path.peek();
  if (wanted === "") return undefined;
  const [read, { connections }] = await Promise.all([
    call("memory.read", { path: wanted, ...ofAgent() }),
    call("memory.connections", { path: wanted, ...ofAgent() }),
  ]);
  return { wanted, document: read, connections };
});
/** Hits of the search. */
export const found = watched(async () => {
  const { query, space } = asked.peek();
  if (query === "") return undefined;
  const began = performance.now();
  const result = await call("memory.search", {
    ...{ query, limit: 50, ...ofAgent() },
    ...(space === "" ? {} : { space }),
  });
  return { query, result, tookMs: performance.now() - began };
});
/** Facts about the operator. */
export const profile = watched(async () => (await call("memory.profile", ofAgent())).facts);
/** Spaces, with the documents of the one that is open. */
export const spaces = watched(async () => {
  const space = openSpace.peek();
  const [listed, contents] = await Promise.all([
    call("memory.spaces", ofAgent()),
    space === "" ? undefined : call("memory.space", { space, ...ofAgent() }),
  ]);
  return { spaces: listed.spaces, space, documents: contents?.documents ?? [] };
});
/** Every connection. */
export const connections = watched(
  async () => (await call("memory.connections", ofAgent())).connections,
);

/** Returns the parameter that names the agent. */
export function ofAgent(): { agentId?: string } {
  return agent.peek() === "" ? {} : { agentId: agent.peek() };
}

/** Returns the documents below entries of the tree, in its order. */
export function documentsOf(entries: readonly MemoryEntry[]): readonly MemoryEntry[] {
  return entries.flatMap((entry) => (entry.isFolder ? documentsOf(entry.children) : [entry]));
}

/** Reads what is shown again, after a change of the memory. */
export function refreshMemory(): void {
  for (const part of [tree, document, found, profile, spaces, connections]) part.refresh();
}

function entryOf(entry: unknown): MemoryEntry {
  const {
    name,
    path: own,
    kind,
    bytes,
    updatedAt,
    documents,
    children,
  } = isRecord(entry) ? entry : {};
  return {
    name: String(name ?? ""),
    path: String(own ?? ""),
    isFolder: kind === "folder",
    bytes: Number(bytes ?? 0),
    updatedAt: String(updatedAt ?? ""),
    documents: Number(documents ?? 0),
    children: Array.isArray(children) ? children.map(entryOf) : [],
  };
}

for (const name of ["chat.final", "chat.error", "plugins.changed", "config.changed"] as const) {
  onEvent(name, refreshMemory);
}
effect(() => {
  if (token.value === undefined) drafts.clear();
});
