import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder as folderOfProcess } from "@openclaw/foundation/testing";
import { inject, onTestFinished } from "vitest";
import { databasePlace } from "../../src/engine/database-url.js";
import type { Engine } from "../../src/engine/engine.js";
import { openEngine } from "../../src/engine/open-engine.js";
import {
  type InboundMessage,
  type NewTurn,
  type OpenStoreOptions,
  openStore,
  type Session,
  type Store,
  type StorePlace,
} from "../../src/index.js";
import { takeSchema } from "./schema-pool.js";
import { temporaryFolder } from "./temporary-folder.js";

/** Initial time of every test. */
export const START = 1_700_000_000_000;

/** Creates a clock that advances by one millisecond each time it is read. */
export function tickingClock(): () => number {
  let time = START;
  return () => time++;
}

/** Returns a database file path in a new folder. */
export function newFile(): string {
  return join(temporaryFolder(), "store.db");
}

/** Returns an empty database of the engine under test: a file, or a schema of the test server. */
export function newDatabase(): StorePlace {
  return onServer() ? newServerDatabase() : { file: newFile() };
}

/** Content of a database file without rows. Migrating each file would take ten times as long as copying this one. */
const emptyStore = onServer() ? undefined : await migratedFile();

async function migratedFile(): Promise<Buffer> {
  using folder = folderOfProcess("empty-store");
  const file = join(folder.path, "store.db");
  await (await openStore({ file, durability: "process" })).close();
  return readFileSync(file);
}

/** Returns a database for the stores of one test, without rows: a file, or a schema of the test server. */
export function storeDatabase(): StorePlace {
  if (emptyStore === undefined) return { url: takeSchema() };
  const file = newFile();
  writeFileSync(file, emptyStore, { mode: 0o600 });
  return { file };
}

/** Returns an empty schema of the test server. */
export function newServerDatabase(): { readonly url: string } {
  return { url: `${inject("postgresUrl")}?schema=test_${randomUUID()}` };
}

/** Returns an empty database for one of many short runs, in memory if the engine supports it. */
export function briefDatabase(): StorePlace {
  return onServer() ? newDatabase() : { file: ":memory:" };
}

/** Limits the number of runs, because creating a schema of a server takes longer. */
export function affordable(runs: number): number {
  return onServer() ? Math.ceil(runs / 5) : runs;
}

function onServer(): boolean {
  return inject("postgresUrl") !== undefined;
}

/** Opens a database without its tables, and closes it at the end of the test. */
export async function openTestEngine(place: StorePlace): Promise<Engine> {
  const found = "url" in place ? databasePlace(place.url) : databasePlace(`file:${place.file}`);
  const engine = await openEngine(found, { durability: "process", now: tickingClock() });
  onTestFinished(() => engine.unit.close());
  return engine;
}

/**
 * Opens a store and closes it at the end of the test.
 * @param options - uses a new database unless they name one
 */
export async function openTestStore(options: Partial<OpenStoreOptions> = {}): Promise<Store> {
  const place = "file" in options || "url" in options ? {} : storeDatabase();
  const now = options.now ?? tickingClock();
  const store = await openStore({
    now,
    databaseClock: now,
    ...place,
    ...options,
  } as OpenStoreOptions);
  onTestFinished(() => store.close());
  return store;
}

/** Returns a message as a channel would send it. */
export function inbound(message: Partial<InboundMessage> = {}): InboundMessage {
  return {
    id: "message",
    channel: "test",
    accountId: "account",
    conversationId: "conversation",
    senderId: "sender",
    content: "hello",
    attachments: [],
    receivedAt: START,
    metadata: {},
    ...message,
  };
}

/** Stores a session with a queued turn. */
export async function queueTurn(
  store: Store,
  turn: Partial<NewTurn> = {},
): Promise<{ session: Session; turn: NewTurn }> {
  const { inboxId = "message", sessionKey = "session" } = turn;
  await store.messages.inbox.accept(inbound({ id: inboxId }));
  const { session } = await store.sessions.open(sessionKey, { agentId: "agent" });
  const { sessionId, agentId } = session;
  const queued: NewTurn = {
    runId: "run",
    sessionKey,
    sessionId,
    agentId,
    inboxId,
    trigger: "user",
    ...turn,
  };
  await store.turns.enqueue(queued);
  return { session, turn: queued };
}
