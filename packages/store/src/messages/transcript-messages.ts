import type { Selectable } from "kysely";
import { readJson } from "../database/json-column.js";
import { preparedQuery } from "../database/prepared-query.js";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { TranscriptColumns } from "./schema.js";
import { type KeptMessages, keptSize, type TranscriptCache } from "./transcript-cache.js";
import { isAgentMessage } from "./transcript-entry.js";

/** Messages of a transcript and their places in it, in the order they were written. */
export type TranscriptMessages = Pick<KeptMessages, "messages" | "places">;

/**
 * Reads the messages of a transcript that are visible. With a cache, only those that were added since they were read
 * last are read and parsed.
 * @param unit - the database or transaction
 * @param range - incarnation of the session, and the place before the first message
 * @param cache - messages that were read before
 */
export async function readMessages(
  unit: UnitOfWork,
  { sessionId, afterSeq }: { sessionId: string; afterSeq: number },
  cache: TranscriptCache | undefined,
): Promise<TranscriptMessages> {
  const session_id = encodeText(sessionId);
  const version = await versionOf(unit, { session_id, seq: afterSeq });
  const kept = await verified(unit, { session_id, version }, cache?.get(sessionId, afterSeq));
  const last = kept?.places.at(-1) ?? afterSeq;
  const rows = await messagesAfter(unit, { session_id, seq: last });
  if (rows.length === 0 && kept !== undefined) return kept;
  const added = rows.map(({ seq, message }) => {
    const id = `${sessionId}#${seq}`;
    const read = readJson(message, isAgentMessage, "transcript.message", id);
    // Every caller shares it.
    freezeInDepth(read);
    return read;
  });
  // An array literal with several spreads grows step by step, and takes three times the memory of its result.
  const messages = kept === undefined ? added : kept.messages.concat(added);
  const newPlaces = rows.map(({ seq }) => seq);
  const places = kept === undefined ? newPlaces : kept.places.concat(newPlaces);
  const bytes = (kept?.bytes ?? 0) + keptSize(rows.map(({ message }) => message));
  cache?.set(sessionId, { afterSeq, version, messages, places, bytes });
  return { messages, places };
}

/** Returns a text that changes when entries after a place are taken back, and when they are made visible again. */
async function versionOf(
  unit: UnitOfWork,
  place: { session_id: string; seq: number },
): Promise<string> {
  const [hidden] = await hiddenAfter(unit, place);
  return `${hidden?.entries ?? 0}:${hidden?.newest ?? 0}`;
}

/**
 * Returns kept messages if they are still what is visible. Entries are only removed from the first one on, by retention,
 * or all at once with their session.
 */
async function verified(
  unit: UnitOfWork,
  { session_id, version }: { session_id: string; version: string },
  kept: KeptMessages | undefined,
): Promise<KeptMessages | undefined> {
  const first = kept?.places[0];
  if (kept?.version !== version || first === undefined) return undefined;
  const [found] = await entryAt(unit, { session_id, seq: first });
  return found === undefined ? undefined : kept;
}

const messagesAfter = preparedQuery<
  { session_id: string; seq: number },
  Pick<Selectable<TranscriptColumns>, "seq" | "message">
>((query, parameter) =>
  query
    .selectFrom("transcript")
    .select(["seq", "message"])
    // Not "=", because SQLite would then plan the query again for each run.
    .where("session_id", "in", [parameter("session_id")])
    .where("seq", ">", parameter("seq"))
    .where("hidden_by", "is", null)
    .orderBy("seq"),
);

/** Number of entries after a place that were taken back, and the newest number that was given to one. */
const hiddenAfter = preparedQuery<
  { session_id: string; seq: number },
  { entries: number; newest: number | null }
>((query, parameter) =>
  query
    .selectFrom("transcript")
    .select(({ fn }) => [
      fn.countAll<number>().as("entries"),
      fn.max<number | null>("hidden_by").as("newest"),
    ])
    .where("session_id", "in", [parameter("session_id")])
    .where("seq", ">", parameter("seq"))
    .where("hidden_by", "is not", null),
);

const entryAt = preparedQuery<
  { session_id: string; seq: number },
  Pick<Selectable<TranscriptColumns>, "seq">
>((query, parameter) =>
  query
    .selectFrom("transcript")
    .select("seq")
    .where("session_id", "in", [parameter("session_id")])
    .where("seq", "in", [parameter("seq")])
    .where("hidden_by", "is", null),
);

function freezeInDepth(value: object): void {
  Object.freeze(value);
  for (const part of Object.values(value)) {
    if (typeof part === "object" && part !== null) freezeInDepth(part);
  }
}
