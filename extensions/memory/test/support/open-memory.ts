import type { PluginStore } from "@openclaw/plugin-sdk/store";
import { openTestStore } from "@openclaw/plugin-testkit";
import { onTestFinished } from "vitest";
import { Notes } from "../../src/documents/notes.js";
import { type MemoryOptions, openMemory } from "../../src/memory.js";
import type { MemoryServices } from "../../src/services.js";

/** Time at which every test begins: a Monday, 23:30 in Lisbon. */
export const START = Date.UTC(2026, 2, 9, 23, 30, 15);

/** The owner of the host, with the default agent. */
export const OWNER = { user: "owner", agent: "main" };

/** Location of the database of a test. */
export interface TestPlace {
  readonly folder?: string;
  readonly files?: "libsql";
  readonly url?: string;
  /** Store that the test closes, instead of one of the test kit. */
  readonly store?: Pick<PluginStore, "database">;
}

/** Clock that a test moves. */
export interface MovedClock {
  now: number;
}

/**
 * Opens a memory, and closes it at the end of the test.
 * @param place - location of its database; in memory when empty
 * @param options - embedder, sizes and clock
 */
export async function openTestMemory(
  place: TestPlace = {},
  options: MemoryOptions & { readonly clock?: MovedClock } = {},
): Promise<MemoryServices> {
  const { clock = { now: START }, ...rest } = options;
  const { store, close } =
    place.store === undefined
      ? await openTestStore(place)
      : { store: place.store, close: async () => undefined };
  const memory = await openMemory(store, { now: () => clock.now, ...rest });
  onTestFinished(async () => {
    await memory.close();
    await close();
  });
  return { ...memory, notes: new Notes(memory.documents, memory.now, "Europe/Lisbon") };
}

/**
 * Writes documents, and waits until they are embedded.
 * @param contents - contents by path
 * @param owner - user and agent
 */
export async function fill(
  memory: MemoryServices,
  contents: Readonly<Record<string, string>>,
  owner = OWNER,
): Promise<void> {
  const writes = Object.entries(contents).map(([path, content]) => ({ path, content }));
  await memory.documents.writeAll(owner, writes);
  await memory.embeddings?.idle();
}

/**
 * Searches, and returns the paths of the hits.
 * @param more - filter and limit
 */
export async function pathsFor(
  memory: MemoryServices,
  query: string,
  more: Partial<Parameters<MemoryServices["search"]["search"]>[1]> = {},
): Promise<string[]> {
  const { hits } = await memory.search.search(OWNER, { query, ...more });
  return hits.map(({ path }) => path);
}
