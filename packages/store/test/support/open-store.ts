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

/** Engine under test. */
type EngineUnderTest = "sqlite" | "postgres" | "libsql file" | "libsql server";

function engineUnderTest(): EngineUnderTest {
  if (inject("postgresUrl") !== undefined) return "postgres";
  if (inject("libsqlUrl") !== undefined) return "libsql server";
  return inject("isLibsql") === true ? "libsql file" : "sqlite";
}

/** Returns an empty database of the engine under test: a file, or a database of the test server. */
export function newDatabase(): StorePlace {
  const engine = engineUnderTest();
  if (engine === "sqlite") return { file: newFile() };
  return engine === "libsql file" ? { url: `libsql:${newFile()}` } : newServerDatabase();
}

/** Content of a database file without rows. Migrating each file would take ten times as long as copying this one. */
const emptyStore = engineUnderTest() === "postgres" ? undefined : await migratedFile();

async function migratedFile(): Promise<Buffer> {
  using folder = folderOfProcess("empty-store");
  const file = join(folder.path, "store.db");
  await (await openStore({ file, durability: "process" })).close();
  return readFileSync(file);
}

/** Returns the content of a file that a store has migrated and that has no rows. */
export async function emptyContent(): Promise<Buffer> {
  return emptyStore ?? (await migratedFile());
}

/** Returns a database for the stores of one test, without rows: a file, or a schema of the test server. */
export function storeDatabase(): StorePlace {
  const engine = engineUnderTest();
  if (emptyStore === undefined) return { url: takeSchema() };
  if (engine === "libsql server") {
    const name = randomUUID();
    writeFileSync(join(`${inject("libsqlFolder")}`, `${name}.db`), emptyStore);
    return { url: libsqlURL(name) };
  }
  const file = newFile();
  writeFileSync(file, emptyStore, { mode: 0o600 });
  return engine === "libsql file" ? { url: `libsql:${file}` } : { file };
}

/** Returns an empty database of the test server. */
export function newServerDatabase(): { readonly url: string } {
  if (inject("libsqlUrl") !== undefined) return { url: libsqlURL(randomUUID()) };
  return { url: `${inject("postgresUrl")}?schema=test_${randomUUID()}` };
}

function libsqlURL(name: string): string {
  return `${inject("libsqlUrl")}`.replace("NAME", name);
}

/** Returns the path of a database that is a file; undefined on a server. */
export function fileOf(place: StorePlace): string | undefined {
  return "file" in place ? place.file : databasePlace(place.url).file;
}

let briefFolder: ReturnType<typeof folderOfProcess> | undefined;

/** Returns the folder of databases that no single test owns; it goes with the process. */
function brief(): ReturnType<typeof folderOfProcess> {
  briefFolder ??= folderOfProcess("brief-store");
  return briefFolder;
}

/** Returns an empty database for one of many short runs, in memory if the engine supports it. */
export function briefDatabase(): StorePlace {
  const engine = engineUnderTest();
  if (engine === "sqlite") return { file: ":memory:" };
  return engine === "libsql file"
    ? { url: `libsql:${join(brief().path, `${randomUUID()}.db`)}` }
    : engine === "libsql server"
      ? storeDatabase()
      : newServerDatabase();
}

/** Limits the number of runs, because creating a schema of a server takes longer. */
export function affordable(runs: number): number {
  return onServer() ? Math.ceil(runs / 5) : runs;
}

function onServer(): boolean {
  return ["postgres", "libsql server"].includes(engineUnderTest());
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
