import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { SessionArchiveError } from "../errors.js";
import { ARCHIVE_VERSION, type SessionArchive } from "./archive-format.js";
import { QUEUE_MODES, SESSION_END_REASONS } from "./session.js";

const closed = { additionalProperties: false };
const name = Type.String({ minLength: 1 });
const time = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const count = time;
const optionalText = Type.Optional(Type.String());

const archiveSchema = Type.Object(
  {
    format: Type.Literal("openclaw-session"),
    version: Type.Literal(ARCHIVE_VERSION),
    session: Type.Object(
      {
        sessionKey: name,
        agentId: name,
        channel: optionalText,
        label: optionalText,
        model: optionalText,
        queueMode: Type.Optional(Type.Enum([...QUEUE_MODES])),
        createdAt: time,
        updatedAt: time,
      },
      closed,
    ),
    incarnations: Type.Array(
      Type.Object(
        {
          sessionId: name,
          openedAt: time,
          endedAt: Type.Optional(time),
          endReason: Type.Optional(Type.Enum([...SESSION_END_REASONS])),
          lastSeq: count,
          tokens: count,
          transcript: Type.Array(
            Type.Object(
              {
                entryId: name,
                seq: Type.Integer({ minimum: 1 }),
                runId: optionalText,
                message: Type.Object({
                  role: Type.Enum(["user", "assistant", "toolResult"]),
                  content: Type.Array(Type.Unknown()),
                }),
                createdAt: time,
              },
              closed,
            ),
          ),
          compactions: Type.Array(
            Type.Object(
              {
                upToSeq: count,
                runId: optionalText,
                strategy: Type.Enum(["summarise", "truncate"]),
                summary: optionalText,
                annotation: optionalText,
                compactedCount: count,
                createdAt: time,
              },
              closed,
            ),
          ),
        },
        closed,
      ),
      { minItems: 1 },
    ),
    extensions: Type.Array(
      Type.Object(
        { pluginId: name, namespace: name, value: Type.Unknown(), updatedAt: time },
        closed,
      ),
    ),
  },
  closed,
);

/**
 * Checks that a document is the archive of a session.
 * @param document - parsed JSON
 * @throws SessionArchiveError when it is not an archive, or is one of a newer version
 */
export function readSessionArchive(document: unknown): SessionArchive {
  const problem = problemOf(document);
  if (problem === undefined) return document as SessionArchive;
  const { format, version } = Object(document) as { format?: unknown; version?: unknown };
  if (format === "openclaw-session" && Number(version) > ARCHIVE_VERSION) {
    throw new SessionArchiveError(
      `it has version ${String(version)}, but this version of OpenClaw reads only versions up to ${ARCHIVE_VERSION}`,
      "import it with the version that exported it, or a newer one",
    );
  }
  throw new SessionArchiveError(problem, "use a file that `openclaw sessions export` wrote");
}

function problemOf(document: unknown): string | undefined {
  const schema = Compile(archiveSchema);
  if (!schema.Check(document)) {
    const [first] = schema.Errors(document);
    const { instancePath = "", message = "is not an archive" } = first ?? {};
    const place = instancePath === "" ? "the document" : instancePath;
    // Message of the checker for an unknown field.
    return `${place} ${message === "schema is false" ? "is not a field of an archive" : message}`;
  }
  for (const [index, { transcript, lastSeq }] of document.incarnations.entries()) {
    const place = `/incarnations/${index}/transcript`;
    let before = 0;
    for (const { seq } of transcript) {
      if (seq <= before) return `${place} has message ${seq} after message ${before}`;
      before = seq;
    }
    if (before > lastSeq) return `${place} continues after lastSeq ${lastSeq}`;
  }
  return undefined;
}
