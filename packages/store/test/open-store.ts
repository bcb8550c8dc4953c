import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type InboundMessage,
  type NewTurn,
  type OpenStoreOptions,
  openStore,
  type Session,
  type Store,
} from "../src/index.js";
import { temporaryFolder } from "./temporary-folder.js";

/** The time every test begins at. */
export const START = 1_700_000_000_000;

/** A clock that goes one millisecond further each time it is read. */
export function tickingClock(): () => number {
  let time = START;
  return () => time++;
}

/** A database file path in a folder of its own. */
export function newFile(): string {
  return join(temporaryFolder(), "store.db");
}

/** Opens a store on a real file and closes it at the end of the test. */
export async function openTestStore(options: Partial<OpenStoreOptions> = {}): Promise<Store> {
  const store = await openStore({ file: newFile(), now: tickingClock(), ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A message as a channel would hand it over. */
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

/** A session and a turn waiting in it. */
export async function queueTurn(
  store: Store,
  turn: Partial<NewTurn> = {},
): Promise<{ session: Session; turn: NewTurn }> {
  const { inboxId = "message", sessionKey = "session" } = turn;
  await store.inbox.accept(inbound({ id: inboxId }));
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
