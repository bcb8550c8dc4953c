import { defined, nearestName } from "@openclaw/foundation";
import { SessionNotFoundError } from "@openclaw/messaging";
import { openStore, type Session, type Store, type TranscriptEntry } from "@openclaw/store";
import { openStateFolder } from "../../state/folder.js";
import { openExistingStore, storePlace } from "../../state/store.js";
import type { DatabaseOwner } from "../../upkeep/database.js";

/** Beginning and length of a conversation. */
export interface SessionOutline {
  /** Text of the first message of the user; undefined before it. */
  readonly beginning: string | undefined;
  /** Messages of the user that were not taken back. */
  readonly turns: number;
}

/** Entries of a conversation that are read at a time. */
const PAGE = 500;

/** Stored sessions of a host, which may have the database open. No plugin is loaded. */
export interface StoredSessions {
  /** Lists sessions, most recently used first. */
  list(options: { limit: number; agentId?: string }): Promise<readonly Session[]>;
  /**
   * Returns a session and the last messages of its conversation.
   * @throws SessionNotFoundError
   */
  show(
    sessionKey: string,
    options: { last: number },
  ): Promise<{ session: Session; messages: readonly TranscriptEntry[] }>;
  /**
   * Returns the beginning and the length of the conversation of a session; undefined for a session that does not exist
   * yet.
   */
  outline(sessionKey: string): Promise<SessionOutline | undefined>;
  /**
   * Returns a session as one JSON document.
   * @throws SessionNotFoundError
   */
  export(sessionKey: string): Promise<object>;
  /**
   * Adds a session from a document.
   * @param document - parsed JSON
   * @param options - `as` is the new key of the session, with new IDs
   * @throws SessionArchiveError
   */
  import(document: unknown, options: { as?: string }): Promise<{ sessionKey: string }>;
  close(): Promise<void>;
}

/**
 * Opens the stored sessions of a host; without a database there are none.
 * @param owner - owner of the database
 * @param options - `writable` creates a missing database
 * @throws StoreUnavailableError, SchemaTooNewError
 */
export async function openStoredSessions(
  { state, configuration }: DatabaseOwner,
  { writable = false }: { writable?: boolean } = {},
): Promise<StoredSessions> {
  if (writable) openStateFolder(state.dir);
  const store = writable
    ? await openStore(storePlace(state, configuration))
    : await openExistingStore({ state, configuration });
  return {
    list: (options) => store.sessions.list(options),
    async show(sessionKey, { last }) {
      const session = await store.sessions.get(sessionKey);
      if (session === undefined) return await refuse(sessionKey, store);
      const messages = await store.messages.transcript.load(session.sessionId, { limit: last });
      return { session, messages };
    },
    async outline(sessionKey) {
      const session = await store.sessions.get(sessionKey);
      if (session === undefined) return undefined;
      const { sessionId } = session;
      const first = await store.messages.transcript.firstOfUser(sessionId, 1);
      return {
        beginning: first === undefined ? undefined : textOf(first.message),
        turns: await turnsOf(store, sessionId),
      };
    },
    export: async (sessionKey) =>
      (await store.sessions.archives.export(sessionKey)) ?? (await refuse(sessionKey, store)),
    import: (document, options) => store.sessions.archives.import(document, options),
    close: () => store.close(),
  };
}

async function turnsOf(store: Store, sessionId: string): Promise<number> {
  let turns = 0;
  let beforeSeq: number | undefined;
  for (;;) {
    const options = { limit: PAGE, ...defined({ beforeSeq }) };
    const entries = await store.messages.transcript.load(sessionId, options);
    turns += entries.filter(({ message }) => message.role === "user").length;
    if (entries.length < PAGE) return turns;
    beforeSeq = entries[0]?.seq;
  }
}

function textOf({ content }: TranscriptEntry["message"]): string {
  return content.flatMap((part) => (part.type === "text" ? part.text : [])).join(" ");
}

async function refuse(sessionKey: string, store: Store): Promise<never> {
  const known = await store.sessions.list({ limit: 100 });
  const keys = known.map((each) => each.sessionKey);
  throw new SessionNotFoundError(sessionKey, nearestName(sessionKey, keys));
}
