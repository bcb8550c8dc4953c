import type { AssistantMessage, JsonObject, ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import type { ErrorRecord } from "../database/error-record.js";
import { isJsonObject } from "../database/json-column.js";

/** A tool call whose arguments the model did not write as JSON, and what was wrong with them. */
export interface MalformedCallRecord {
  readonly toolCallId: string;
  readonly problem: string;
}

/** What of a conversation a model is shown, by its places; the texts lie in the transcript. */
export interface ShownHistory {
  /** Stands for what came before. */
  readonly summary?:
    | {
        readonly text: string;
        /** When it was made, in milliseconds since the epoch. */
        readonly at: number;
      }
    | undefined;
  /** First and last entry of the transcript; absent when none is shown. */
  readonly entries?: { readonly from: number; readonly to: number } | undefined;
  /** Index of the first message of a history that the message itself brought. */
  readonly broughtFrom?: number | undefined;
}

/** What a turn runs with and keeps to its end (TURN-012). */
export interface TurnGround {
  /** Number of the generation of plugins, in the process that held it. */
  readonly generation: number;
  /** Names the configuration. */
  readonly configRevision: string;
}

/** A call that waits for a person's answer. */
export interface WaitingCall {
  readonly approvalId: string;
  /** The final arguments with their true values, which nothing else keeps (APPR-011). */
  readonly params: JsonObject;
  /** What plugins want the model to know with the call's answer. */
  readonly guidance: readonly { readonly pluginId: string; readonly text: string }[];
}

/** One step of a turn, as the journal keeps it (TURN-054). */
export type JournalStep =
  /** The final prompt, which its gate has let pass. */
  | ({
      readonly kind: "turn-prepared";
      /** `provider/model`. */
      readonly model: string;
      readonly prompt: { readonly system: string; readonly user: string };
      readonly history: ShownHistory;
      /** Names of the tools that the model is offered. */
      readonly tools?: readonly string[] | undefined;
      /** What hooks left of the tools. */
      readonly toolsAllow?: readonly string[] | undefined;
      /** Whether texts are in it that plugins left for this turn. */
      readonly holdsInjections: boolean;
      /** What the turn was asked and given, for a replay; the store does not look into it. */
      readonly asked?: JsonObject | undefined;
    } & TurnGround)
  /** The turn went on after a pause or the end of a process. */
  | ({ readonly kind: "turn-resumed" } & TurnGround)
  | {
      readonly kind: "message-stored";
      /** The transcript entry that holds the message. */
      readonly entryId: string;
      readonly sessionId: string;
      readonly seq: number;
      readonly role: string;
    }
  /** A plugin kept a message out of the transcript. */
  | { readonly kind: "message-dropped"; readonly role: string }
  /** A message that came in during the turn became part of it. */
  | {
      readonly kind: "message-steered";
      /** The turn that would have answered it. */
      readonly steeredRunId: string;
      readonly text: string;
    }
  /** The conversation was too long for the model; from here on it is shown less. */
  | { readonly kind: "conversation-shortened"; readonly history: ShownHistory }
  | {
      readonly kind: "model-requested";
      readonly callId: string;
      /** `provider/model`. */
      readonly model: string;
      /** SHA-256 of what the model was sent, in hexadecimal. */
      readonly digest: string;
      readonly messageCount: number;
      /** Absent when it is asked for the answer. */
      readonly purpose?: "summary" | undefined;
    }
  | {
      readonly kind: "model-answered";
      readonly callId: string;
      readonly message: AssistantMessage;
      /** Those of its calls that cannot be run. */
      readonly malformedCalls?: readonly MalformedCallRecord[] | undefined;
    }
  | { readonly kind: "model-failed"; readonly callId: string; readonly error: ErrorRecord }
  /** Plugins want an answer done better. */
  | {
      readonly kind: "answer-revised";
      /** What the model is told. */
      readonly instruction: string;
      /** Under which the passes of these wishes are counted. */
      readonly keys: readonly string[];
    }
  | {
      readonly kind: "tool-intended";
      readonly toolCallId: string;
      readonly toolName: string;
      /** The final arguments. */
      readonly params: JsonObject;
      /** What plugins want the model to know with the answer. */
      readonly guidance?: WaitingCall["guidance"] | undefined;
    }
  | {
      readonly kind: "tool-answered";
      readonly toolCallId: string;
      readonly message: ToolResultMessage;
      /** True when the host made the answer and the tool did not run to its end. */
      readonly isSynthetic: boolean;
      /** True when the answer ends the model loop. */
      readonly terminate: boolean;
      /** How many parts at its end are guidance of plugins, and not the tool's; none when absent. */
      readonly guidanceParts?: number | undefined;
      /** Set when the call was returned to be reconsidered: names it, so that it is returned once. */
      readonly reconsidered?: string | undefined;
      /** What loaded skills leave of the tools from here on. */
      readonly skillTools?: readonly string[] | undefined;
    }
  | {
      readonly kind: "approval-asked";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly title: string;
      /** The question that waits, and what was to run; absent from questions of earlier versions. */
      readonly waiting?: WaitingCall | undefined;
    }
  | {
      readonly kind: "approval-decided";
      readonly toolCallId: string;
      /** What the person answered. */
      readonly decision: string;
    }
  /** How the turn ended; what follows is the host's. */
  | { readonly kind: "turn-concluded"; readonly outcome: JsonObject }
  /** The reply was made into parts, which go out one by one. */
  | { readonly kind: "reply-divided"; readonly outboxId: string; readonly parts: number }
  /** A channel is about to be given a part, and cannot tell it from a repeat. */
  | { readonly kind: "part-sending"; readonly outboxId: string; readonly part: number }
  | { readonly kind: "reply-stored"; readonly outboxId: string; readonly part: number }
  | {
      readonly kind: "part-settled";
      readonly outboxId: string;
      readonly part: number;
      readonly state: "delivered" | "suppressed" | "failed";
    };

/** The kinds of steps there are. */
export type JournalStepKind = JournalStep["kind"];

type FieldType = "string" | "number" | "boolean" | "object" | "array";

/** What a reader relies on, by kind. */
const FIELDS: Readonly<Record<JournalStepKind, Readonly<Record<string, FieldType>>>> = {
  "turn-prepared": {
    model: "string",
    prompt: "object",
    history: "object",
    holdsInjections: "boolean",
    generation: "number",
    configRevision: "string",
  },
  "turn-resumed": { generation: "number", configRevision: "string" },
  "message-dropped": { role: "string" },
  "message-steered": { steeredRunId: "string", text: "string" },
  "conversation-shortened": { history: "object" },
  "answer-revised": { instruction: "string", keys: "array" },
  "turn-concluded": { outcome: "object" },
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
  "reply-divided": { outboxId: "string", parts: "number" },
  "part-sending": { outboxId: "string", part: "number" },
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
  return Object.entries(FIELDS[kind]).every(([name, type]) => isOfType(value[name], type));
}

function isOfType(value: unknown, type: FieldType): boolean {
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isJsonObject(value) : typeof value === type;
}

function isKind(kind: string): kind is JournalStepKind {
  return Object.hasOwn(FIELDS, kind);
}
