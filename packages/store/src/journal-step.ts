import type { AssistantMessage, JsonObject, ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import type { ErrorRecord } from "./error-record.js";
import { isJsonObject } from "./json-column.js";

/** A tool call whose arguments the model did not write as JSON, and what was wrong with them. */
export interface MalformedCallRecord {
  readonly toolCallId: string;
  readonly problem: string;
}

/** One step of a turn, as the journal keeps it (TURN-054). */
export type JournalStep =
  | {
      readonly kind: "message-stored";
      /** The transcript entry that holds the message. */
      readonly entryId: string;
      readonly sessionId: string;
      readonly seq: number;
      readonly role: string;
    }
  | {
      readonly kind: "model-requested";
      readonly callId: string;
      /** `provider/model`. */
      readonly model: string;
      /** SHA-256 of what the model was sent, in hexadecimal. */
      readonly digest: string;
      readonly messageCount: number;
    }
  | {
      readonly kind: "model-answered";
      readonly callId: string;
      readonly message: AssistantMessage;
      /** Those of its calls that cannot be run. */
      readonly malformedCalls?: readonly MalformedCallRecord[];
    }
  | { readonly kind: "model-failed"; readonly callId: string; readonly error: ErrorRecord }
  | {
      readonly kind: "tool-intended";
      readonly toolCallId: string;
      readonly toolName: string;
      /** The final arguments. */
      readonly params: JsonObject;
    }
  | {
      readonly kind: "tool-answered";
      readonly toolCallId: string;
      readonly message: ToolResultMessage;
      /** True when the host made the answer and the tool did not run to its end. */
      readonly isSynthetic: boolean;
      /** True when the answer ends the model loop. */
      readonly terminate: boolean;
    }
  | {
      readonly kind: "approval-asked";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly title: string;
    }
  | {
      readonly kind: "approval-decided";
      readonly toolCallId: string;
      /** What the person answered. */
      readonly decision: string;
    }
  | { readonly kind: "reply-stored"; readonly outboxId: string; readonly part: number }
  | {
      readonly kind: "part-settled";
      readonly outboxId: string;
      readonly part: number;
      readonly state: "delivered" | "suppressed" | "failed";
    };

/** The kinds of steps there are. */
export type JournalStepKind = JournalStep["kind"];

type FieldType = "string" | "number" | "boolean" | "object";

/** What a reader relies on, by kind. */
const FIELDS: Readonly<Record<JournalStepKind, Readonly<Record<string, FieldType>>>> = {
  "message-stored": { entryId: "string", sessionId: "string", seq: "number", role: "string" },
  "model-requested": {
    callId: "string",
    model: "string",
    digest: "string",
    messageCount: "number",
  },
  "model-answered": { callId: "string", message: "object" },
  "model-failed": { callId: "string", error: "object" },
  "tool-intended": { toolCallId: "string", toolName: "string", params: "object" },
  "tool-answered": {
    toolCallId: "string",
    message: "object",
    isSynthetic: "boolean",
    terminate: "boolean",
  },
  "approval-asked": { toolCallId: "string", toolName: "string", title: "string" },
  "approval-decided": { toolCallId: "string", decision: "string" },
  "reply-stored": { outboxId: "string", part: "number" },
  "part-settled": { outboxId: "string", part: "number", state: "string" },
};

/**
 * Whether a value read back is a step of the journal.
 * @param value - parsed JSON
 */
export function isJournalStep(value: unknown): value is JournalStep {
  if (!isJsonObject(value)) return false;
  const { kind } = value;
  if (typeof kind !== "string" || !isKind(kind)) return false;
  return Object.entries(FIELDS[kind]).every(([name, type]) =>
    type === "object" ? isJsonObject(value[name]) : typeof value[name] === type,
  );
}

function isKind(kind: string): kind is JournalStepKind {
  return Object.hasOwn(FIELDS, kind);
}
