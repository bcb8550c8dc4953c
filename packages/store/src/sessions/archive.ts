import { randomUUID } from "node:crypto";
import { defined } from "@openclaw/foundation";
import { isJsonValue, readJson, readOptionalWord, writeJson } from "../database/json-column.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { SessionArchiveError } from "../errors.js";
import { isInEffect } from "../messages/compactions.js";
import { isAgentMessage } from "../messages/transcript-entry.js";
import {
  ARCHIVE_VERSION,
  type ArchivedIncarnation,
  type SessionArchive,
} from "./archive-format.js";
import { QUEUE_MODES, SESSION_END_REASONS } from "./session.js";

/** Export and import of sessions. */
export interface SessionArchives {
  /**
   * Exports a consistent snapshot of a session as one document.
   * @returns undefined when the session does not exist
   */
  export(sessionKey: string): Promise<SessionArchive | undefined>;
  /**
   * Imports a session from a document.
   * @param document - a document from {@link SessionArchives.export}, as parsed JSON
   * @param options - `as` imports it under another key with new ids; otherwise it keeps its key and
   *   ids
   * @returns the key of the imported session
   * @throws SessionArchiveError when the document is not an archive or is one of a newer version,
   *   or when its key or an id is taken
   */
  import(document: unknown, options?: { as?: string | undefined }): Promise<{ sessionKey: string }>;
}

/** The archives of a database. */
export class SessionArchiveTables implements SessionArchives {
  readonly #unit: UnitOfWork;
  readonly #newId: (now: number) => string;

  constructor(unit: UnitOfWork, newId: (now: number) => string) {
    this.#unit = unit;
    this.#newId = newId;
  }

  async export(sessionKey: string): Promise<SessionArchive | undefined> {
    const session_key = encodeText(sessionKey);
    return await this.#unit.atomic(async (unit) => {
      const row = await unit
        .query()
        .selectFrom("sessions")
        .selectAll()
        .where("session_key", "=", session_key)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return {
        format: "openclaw-session",
        version: ARCHIVE_VERSION,
        session: defined({
          sessionKey,
          agentId: decodeText(row.agent_id),
          channel: decodeOptionalText(row.channel),
          label: decodeOptionalText(row.label),
          model: decodeOptionalText(row.model),
          queueMode: readOptionalWord(
            row.queue_mode,
            QUEUE_MODES,
            "sessions.queue_mode",
            sessionKey,
          ),
          createdAt: row.created_at,
          updatedAt: row.updated_at,
        }),
        incarnations: await incarnationsOf(session_key, row.session_id, unit),
        extensions: await extensionsOf(session_key, unit),
      };
    });
  }

  async import(
    document: unknown,
    { as }: { as?: string | undefined } = {},
  ): Promise<{ sessionKey: string }> {
    // Loaded on demand: it is rarely used, and loading the document checker takes longer than the
    // rest of this file.
    const { readSessionArchive } = await import("./archive-document.js");
    const { session, incarnations, extensions } = readSessionArchive(document);
    const sessionKey = as ?? session.sessionKey;
    const session_key = encodeText(sessionKey);
    const renamed = incarnations.map((incarnation) => ({
      ...incarnation,
      sessionId: as === undefined ? incarnation.sessionId : randomUUID(),
    }));
    return await this.#unit.atomic(async (unit) => {
      await requireFree(sessionKey, renamed, unit);
      await unit
        .query()
        .insertInto("sessions")
        .values({
          session_key,
          session_id: encodeText(renamed.at(-1)?.sessionId ?? ""),
          agent_id: encodeText(session.agentId),
          channel: encodeOptionalText(session.channel),
          label: encodeOptionalText(session.label),
          model: encodeOptionalText(session.model),
          queue_mode: session.queueMode ?? null,
          created_at: session.createdAt,
          updated_at: session.updatedAt,
        })
        .execute();
      const idOf = (entryId: string) => (as === undefined ? entryId : this.#newId(unit.now()));
      for (const incarnation of renamed) {
        await addIncarnation(session_key, incarnation, idOf, unit);
      }
      for (const { pluginId, namespace, value, updatedAt } of extensions) {
        await unit
          .query()
          .insertInto("session_extensions")
          .values({
            session_key,
            plugin_id: encodeText(pluginId),
            namespace: encodeText(namespace),
            value: writeJson(value, "session_extensions.value", sessionKey),
            updated_at: updatedAt,
          })
          .execute();
      }
      return { sessionKey };
    });
  }
}

async function incarnationsOf(
  session_key: string,
  current: string,
  unit: UnitOfWork,
): Promise<readonly ArchivedIncarnation[]> {
  const rows = await unit
    .query()
    .selectFrom("session_incarnations")
    .selectAll()
    .where("session_key", "=", session_key)
    .orderBy("opened_at")
    .orderBy("session_id")
    .execute();
  const ordered = rows.toSorted(
    (one, other) => Number(one.session_id === current) - Number(other.session_id === current),
  );
  const archived: ArchivedIncarnation[] = [];
  for (const { session_id, opened_at, ended_at, end_reason, last_seq } of ordered) {
    const id = decodeText(session_id);
    const column = "session_incarnations.end_reason";
    const incarnation = {
      sessionId: id,
      openedAt: opened_at,
      endedAt: ended_at ?? undefined,
      endReason: readOptionalWord(end_reason, SESSION_END_REASONS, column, id),
      lastSeq: last_seq,
      tokens: await tokensOf(session_id, unit),
      transcript: await transcriptOf(session_id, unit),
      compactions: await compactionsOf(session_id, unit),
    };
    archived.push(defined(incarnation));
  }
  return archived;
}

async function tokensOf(session_id: string, unit: UnitOfWork): Promise<number> {
  const row = await unit
    .query()
    .selectFrom("token_totals")
    .select("tokens")
    .where("scope", "=", "session")
    .where("id", "=", session_id)
    .executeTakeFirst();
  return row?.tokens ?? 0;
}

async function transcriptOf(
  session_id: string,
  unit: UnitOfWork,
): Promise<ArchivedIncarnation["transcript"]> {
  const rows = await unit
    .query()
    .selectFrom("transcript")
    .selectAll()
    .where("session_id", "=", session_id)
    // What was taken back is not part of the conversation.
    .where("hidden_by", "is", null)
    .orderBy("seq")
    .execute();
  return rows.map((row) =>
    defined({
      entryId: row.entry_id,
      seq: row.seq,
      runId: decodeOptionalText(row.run_id),
      message: readJson(row.message, isAgentMessage, "transcript.message", row.entry_id),
      createdAt: row.created_at,
    }),
  );
}

async function compactionsOf(
  session_id: string,
  unit: UnitOfWork,
): Promise<ArchivedIncarnation["compactions"]> {
  const rows = await unit
    .query()
    .selectFrom("compactions")
    .selectAll()
    .where("session_id", "=", session_id)
    .where(isInEffect)
    .orderBy("up_to_seq")
    .execute();
  return rows.map((row) =>
    defined({
      upToSeq: row.up_to_seq,
      runId: decodeOptionalText(row.run_id),
      strategy: row.strategy === "summarise" ? ("summarise" as const) : ("truncate" as const),
      summary: decodeOptionalText(row.summary),
      annotation: decodeOptionalText(row.annotation),
      compactedCount: row.compacted_count,
      createdAt: row.created_at,
    }),
  );
}

async function extensionsOf(
  session_key: string,
  unit: UnitOfWork,
): Promise<SessionArchive["extensions"]> {
  const rows = await unit
    .query()
    .selectFrom("session_extensions")
    .selectAll()
    .where("session_key", "=", session_key)
    .orderBy("plugin_id")
    .orderBy("namespace")
    .execute();
  return rows.map((row) => ({
    pluginId: decodeText(row.plugin_id),
    namespace: decodeText(row.namespace),
    value: readJson(row.value, isJsonValue, "session_extensions.value", row.namespace),
    updatedAt: row.updated_at,
  }));
}

async function requireFree(
  sessionKey: string,
  incarnations: readonly ArchivedIncarnation[],
  unit: UnitOfWork,
): Promise<void> {
  const taken = await unit
    .query()
    .selectFrom("session_incarnations")
    .select("session_key")
    .where((where) =>
      where.or([
        where("session_key", "=", encodeText(sessionKey)),
        where(
          "session_id",
          "in",
          incarnations.map(({ sessionId }) => encodeText(sessionId)),
        ),
      ]),
    )
    .executeTakeFirst();
  if (taken === undefined) return;
  const found = decodeText(taken.session_key);
  throw new SessionArchiveError(
    found === sessionKey
      ? `session ${sessionKey} already exists`
      : `its conversations already exist in session ${found}`,
    "import it under another key (`--as`)",
  );
}

async function addIncarnation(
  session_key: string,
  incarnation: ArchivedIncarnation,
  idOf: (entryId: string) => string,
  unit: UnitOfWork,
): Promise<void> {
  const { transcript, compactions, tokens } = incarnation;
  const session_id = encodeText(incarnation.sessionId);
  await unit
    .query()
    .insertInto("session_incarnations")
    .values({
      session_id,
      session_key,
      opened_at: incarnation.openedAt,
      message_count: transcript.length,
      last_seq: incarnation.lastSeq,
      ended_at: incarnation.endedAt ?? null,
      end_reason: incarnation.endReason ?? null,
    })
    .execute();
  for (const { entryId, seq, runId, message, createdAt } of transcript) {
    await unit
      .query()
      .insertInto("transcript")
      .values({
        session_id,
        seq,
        entry_id: idOf(entryId),
        run_id: encodeOptionalText(runId),
        message: writeJson(message, "transcript.message", entryId),
        created_at: createdAt,
      })
      .execute();
  }
  for (const { upToSeq, runId, strategy, summary, annotation, ...counted } of compactions) {
    await unit
      .query()
      .insertInto("compactions")
      .values({
        session_id,
        up_to_seq: upToSeq,
        run_id: encodeOptionalText(runId),
        strategy,
        summary: encodeOptionalText(summary),
        annotation: encodeOptionalText(annotation),
        compacted_count: counted.compactedCount,
        created_at: counted.createdAt,
      })
      .execute();
  }
  if (tokens > 0) {
    await unit
      .query()
      .insertInto("token_totals")
      // What the session cost there does not count against a budget here.
      .values({ scope: "session", id: session_id, tokens, cost: 0 })
      .execute();
  }
}
