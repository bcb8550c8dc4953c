import { randomBytes } from "node:crypto";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { PluginKeyValueStore } from "@openclaw/plugin-sdk/store";
import { type Static, Type } from "typebox";
import { defineGuard } from "../guard.js";
import type { GuardApi, GuardHost } from "../guard-host.js";
import { FIRST } from "../order.js";
import { UNCHANGED } from "../preview.js";
import { AuditFile } from "./audit-file.js";
import type { AuditEvent } from "./entry.js";
import { auditFilePath } from "./guard-file.js";
import { AUDIT_POINTS } from "./points.js";
import { AuditWriter } from "./writer.js";

const NAME = "audit_logger";
const DAY_MS = 86_400_000;
const MIB = 1_048_576;
/** Names of sessions, senders and tools that are remembered as free of secrets. */
const MOST_NAMES = 1000;

const schema = Type.Object(
  {
    file: Type.Union([Type.Boolean(), Type.String({ minLength: 1 })], {
      default: false,
      description:
        "True also appends each entry to guardrails/audit.jsonl in the state folder; a path names another file.",
    }),
    maxFileMiB: Type.Integer({
      minimum: 1,
      maximum: 10_240,
      default: 10,
      description: "Size at which the file is closed and a new one begun.",
    }),
    keepFiles: Type.Integer({
      minimum: 0,
      maximum: 1000,
      default: 5,
      description: "Number of closed files that are kept.",
    }),
    keepDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 36_500,
        description: "Days after which entries are deleted from the database; kept when absent.",
      }),
    ),
    points: Type.Array(Type.Enum([...AUDIT_POINTS]), {
      default: [...AUDIT_POINTS],
      description: "Points to record.",
    }),
  },
  { additionalProperties: false },
);

/** Records what happens, with digests instead of content, in a chain that shows changes (DHOOK-039). */
export const auditLogger = defineGuard({
  name: NAME,
  schema,
  install(settings, host) {
    const { api, counters, now, database, writeBehind } = host;
    const withoutSecrets = cleaner(api);
    const writer = new AuditWriter({
      database,
      writeBehind,
      now,
      file: auditFile(settings, api),
      digestKey: keyOf(api.store.kv),
      keepMs: settings.keepDays === undefined ? undefined : settings.keepDays * DAY_MS,
      onPlaceChange(place, error) {
        if (error === undefined) {
          api.logger.warn(`${NAME}: ${place} can be written again; nothing is missing`);
          return;
        }
        counters.failed();
        const problem = errorMessage(error);
        api.logger.error(
          `${NAME}: ${place} cannot be written: ${problem}; entries wait until it can be`,
        );
      },
      onDropped: () => counters.failed(),
    });
    api.lifecycle.onDispose(() => writer.flush());
    observe(settings.points, host, (event, content) => {
      const time = { at: now(), ...withoutSecrets(event) };
      writer.add(content === undefined ? { event: time } : { event: time, content });
    });
  },
});

type Observed = Omit<AuditEvent, "at" | "digest">;
type Record = (event: Observed, content?: unknown) => void;
type Point = Static<typeof schema>["points"][number];

/** Registers the handlers of the points. None of them returns a result, and a failing one changes nothing. */
function observe(points: readonly Point[], { api, counters }: GuardHost, record: Record): void {
  const options = { priority: FIRST.audit, mode: "fail-open", id: NAME } as const;
  const replyOptions = { ...options, preview: () => UNCHANGED };
  const has = (point: Point) => points.includes(point);
  if (has("message_receiving")) {
    api.on(
      "message_receiving",
      ({ content, attachments }, context) =>
        counters.run(() => {
          record({ point: "message_receiving", ...whereOf(context), outcome: "received" }, [
            content,
            attachments ?? [],
          ]);
        }),
      options,
    );
    api.on("request_post", ({ outcome, sessionKey }, context) => {
      record({ point: "request_post", ...whereOf({ ...context, sessionKey }), outcome });
    });
  }
  if (has("message_sending")) {
    api.on(
      "message_sending",
      ({ content, to }, context) =>
        counters.run(() => {
          record({ point: "message_sending", ...whereOf(context), outcome: "offered" }, [
            content,
            to,
          ]);
        }),
      replyOptions,
    );
    api.on("message_sent", ({ content, to, success }, context) => {
      const outcome = success ? "delivered" : "failed";
      record({ point: "message_sent", ...whereOf(context), outcome }, [content, to]);
    });
  }
  if (has("before_tool_call")) {
    api.on(
      "before_tool_call",
      ({ toolName: tool, params }, context) =>
        counters.run(() => {
          record(
            { point: "before_tool_call", ...whereOf(context), tool, outcome: "requested" },
            params,
          );
        }),
      options,
    );
    api.on("after_tool_call", ({ toolName: tool, params, outcome }, context) => {
      record({ point: "after_tool_call", ...whereOf(context), tool, outcome }, params);
    });
    api.on("tool_result_persist", ({ toolName, isSynthetic, message }, context) => {
      if (isSynthetic !== true) return;
      const tool = toolName ?? context.toolName;
      record(
        { point: "tool_result_persist", ...whereOf(context), tool, outcome: "not-executed" },
        message.content,
      );
    });
  }
  if (has("transform_response")) {
    api.on(
      "transform_response",
      ({ content }, context) =>
        counters.run(() => {
          record(
            { point: "transform_response", ...whereOf(context), outcome: "produced" },
            content,
          );
        }),
      replyOptions,
    );
  }
  if (has("transcribe_audio")) {
    api.on(
      "transcribe_audio",
      ({ audio: { mimeType, bytes } }, context) =>
        counters.run(() => {
          const content = { mimeType, bytes };
          record({ point: "transcribe_audio", ...whereOf(context), outcome: "received" }, content);
        }),
      options,
    );
  }
  if (has("session_start")) {
    api.on("session_start", ({ reason: outcome }, context) =>
      counters.run(() => record({ point: "session_start", ...whereOf(context), outcome })),
    );
  }
  if (has("session_end")) {
    api.on("session_end", ({ reason: outcome }, context) =>
      counters.run(() => record({ point: "session_end", ...whereOf(context), outcome })),
    );
  }
}

/** Session and sender of an event. */
interface Place {
  readonly sessionKey?: string | undefined;
  readonly messageProvider?: string;
  readonly senderId?: string;
}

function whereOf({ sessionKey, messageProvider, senderId }: Place) {
  const sender = senderId === undefined ? undefined : `${messageProvider ?? ""}:${senderId}`;
  return { sessionKey, sender };
}

/** Returns a function that removes secrets from the fields that are stored as they are. */
function cleaner({ runtime }: Pick<GuardApi, "runtime">): (event: Observed) => Observed {
  // The same few names occur in each event of a session.
  const known = new Map<string, string>();
  const clean = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const found = known.get(text);
    if (found !== undefined) return found;
    const cleaned = runtime.safety.findSecrets(text).length === 0 ? text : "[REDACTED]";
    if (known.size >= MOST_NAMES) known.clear();
    known.set(text, cleaned);
    return cleaned;
  };
  return (event) => ({
    ...event,
    sessionKey: clean(event.sessionKey),
    sender: clean(event.sender),
    tool: clean(event.tool),
  });
}

/** Returns the file of a configuration; undefined when entries are only in the database. */
function auditFile(settings: Static<typeof schema>, api: GuardApi): AuditFile | undefined {
  const path = auditFilePath(settings, api);
  if (path === undefined) return undefined;
  return new AuditFile(path, { maxBytes: settings.maxFileMiB * MIB, keep: settings.keepFiles });
}

/** Returns a function that returns the key of the digests, which is created once for this host. */
function keyOf(kv: PluginKeyValueStore): () => Promise<Uint8Array> {
  let known: Promise<Uint8Array> | undefined;
  const read = async () => {
    await kv.compareAndSet("audit-digest-key", undefined, randomBytes(32).toString("hex"));
    return Buffer.from(String(await kv.get("audit-digest-key")), "hex");
  };
  return () => {
    known ??= read().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
