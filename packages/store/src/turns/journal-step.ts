import type {
  AssistantMessage,
  JsonObject,
  JsonValue,
  ToolResult,
  ToolResultMessage,
} from "@openclaw/plugin-sdk/tools";
import type { ErrorRecord } from "../database/error-record.js";
import { isJsonObject } from "../database/json-column.js";

/** A tool call whose arguments are not valid JSON, and the parse error. */
export interface MalformedCallRecord {
  readonly toolCallId: string;
  readonly problem: string;
}

/**
 * Parts of a conversation that are sent to the model, by position; their text is stored in the
 * transcript.
 */
export interface ShownHistory {
  /** Summary of the earlier conversation. */
  readonly summary?:
    | {
        readonly text: string;
        /** Time of creation, in milliseconds since the epoch. */
        readonly at: number;
      }
    | undefined;
  /** First and last transcript entry that are sent; absent when none is. */
  readonly entries?: { readonly from: number; readonly to: number } | undefined;
  /** Index of the first message of a history that the message itself included. */
  readonly broughtFrom?: number | undefined;
}

/** Plugins and configuration that a turn uses until it ends (TURN-012). */
export interface TurnGround {
  /** Number of the plugin generation within its process. */
  readonly generation: number;
  /** Revision of the configuration. */
  readonly configRevision: string;
  /** Revision of the loaded plugins, and hash of the policy; absent in steps of earlier versions. */
  readonly pluginRevision?: string | undefined;
  readonly policyHash?: string | undefined;
}

/** A call that waits for approval. */
export interface WaitingCall {
  readonly approvalId: string;
  /** The final arguments, unmasked; stored only here (APPR-011). */
  readonly params: JsonObject;
  /** Guidance of plugins that the model receives with the result of the call. */
  readonly guidance: readonly { readonly pluginId: string; readonly text: string }[];
}

/** A call that waits for input of a person, with which it runs once more. */
export interface AwaitedInput {
  readonly approvalId: string;
  /** Name of the input request. */
  readonly name: string;
  /** State of the tool. */
  readonly state?: JsonValue | undefined;
  /** The final arguments. */
  readonly params: JsonObject;
  /** Guidance of plugins that the model receives with the result of the call. */
  readonly guidance: WaitingCall["guidance"];
  /** Number of input requests of the call so far. */
  readonly round: number;
  /** Tools that remain from here on after loaded skills restricted them. */
  readonly skillTools?: readonly string[] | undefined;
}

/** The output of a call that ran, until a person decides whether the model may have it. */
export interface HeldOutput {
  readonly approvalId: string;
  /** The final arguments. */
  readonly params: JsonObject;
  /** Guidance of plugins that the model receives with the result of the call. */
  readonly guidance: WaitingCall["guidance"];
  /** The result, without secrets. */
  readonly result: ToolResult<JsonValue>;
  readonly durationMs: number;
  /** Reason of the failure; absent when the call succeeded. */
  readonly failure?: {
    readonly kind: "threw" | "timeout" | "aborted" | "result-error" | "outcome-unknown";
    readonly message: string;
  };
  /** Tools that remain from here on after loaded skills restricted them. */
  readonly skillTools?: readonly string[];
  /** Findings of the safety engine. */
  readonly remarks: readonly {
    readonly rule: string;
    readonly severity: "low" | "medium" | "high" | "critical";
    readonly action: "allow" | "warn" | "redact" | "sanitize" | "review" | "block";
  }[];
}

/** One step of a turn in the journal (TURN-054). */
export type JournalStep =
  /** The final prompt, after its hooks allowed it. */
  | ({
      readonly kind: "turn-prepared";
      /** `provider/model`. */
      readonly model: string;
      readonly prompt: { readonly system: string; readonly user: string };
      readonly history: ShownHistory;
      /** Names of the tools offered to the model. */
      readonly tools?: readonly string[] | undefined;
      /** Tools that remain after hooks restricted them. */
      readonly toolsAllow?: readonly string[] | undefined;
      /** True when the prompt includes text that plugins added to this turn. */
      readonly holdsInjections: boolean;
      /** ID of the agent harness that runs the turn; absent for the model loop of the host. */
      readonly harness?: string | undefined;
      /** Input of the turn, for a replay; the store does not interpret it. */
      readonly asked?: JsonObject | undefined;
    } & TurnGround)
  /** The turn resumed after a pause or a restart. */
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
  /** An inbound message was merged into the running turn. */
  | {
      readonly kind: "message-steered";
      /** The turn that would have answered it. */
      readonly steeredRunId: string;
      readonly text: string;
    }
  /** The conversation was too long for the model; from here on a shorter part of it is sent. */
  | { readonly kind: "conversation-shortened"; readonly history: ShownHistory }
  | {
      readonly kind: "model-requested";
      readonly callId: string;
      /** `provider/model`. */
      readonly model: string;
      /** SHA-256 of the request to the model, in hexadecimal. */
      readonly digest: string;
      readonly messageCount: number;
      /** Absent when the request is for the answer. */
      readonly purpose?: "summary" | undefined;
    }
  | {
      readonly kind: "model-answered";
      readonly callId: string;
      readonly message: AssistantMessage;
      /** Calls that cannot run. */
      readonly malformedCalls?: readonly MalformedCallRecord[] | undefined;
    }
  | { readonly kind: "model-failed"; readonly callId: string; readonly error: ErrorRecord }
  /** Plugins request a revision of an answer. */
  | {
      readonly kind: "answer-revised";
      /** Instruction to the model. */
      readonly instruction: string;
      /** Keys by which the revision passes are counted. */
      readonly keys: readonly string[];
    }
  | {
      readonly kind: "tool-intended";
      readonly toolCallId: string;
      readonly toolName: string;
      /** The final arguments. */
      readonly params: JsonObject;
      /** Guidance of plugins that the model receives with the result. */
      readonly guidance?: WaitingCall["guidance"] | undefined;
    }
  | {
      readonly kind: "tool-answered";
      readonly toolCallId: string;
      readonly message: ToolResultMessage;
      /** True when the host created the result and the tool did not finish. */
      readonly isSynthetic: boolean;
      /** True when the result ends the model loop. */
      readonly terminate: boolean;
      /** Parts at the end of the result that are guidance, in steps of earlier versions; now the message has them. */
      readonly guidanceParts?: number | undefined;
      /** Key of the reconsideration for which the call was returned, so that this happens once. */
      readonly reconsidered?: string | undefined;
      /** Tools that remain from here on after loaded skills restricted them. */
      readonly skillTools?: readonly string[] | undefined;
      /** True when the call was denied because no approver decided about it, or one denied it. */
      readonly unapproved?: boolean | undefined;
      /** True when an approver denied the call. */
      readonly refused?: boolean | undefined;
    }
  | {
      readonly kind: "approval-asked";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly title: string;
      /** The pending approval request and the call to run; absent in steps of earlier versions. */
      readonly waiting?: WaitingCall | undefined;
      /** The pending approval request and the output to release; absent when the call has not run. */
      readonly held?: HeldOutput | undefined;
      /** The pending request and the call to run once more; absent when no input was requested. */
      readonly awaited?: AwaitedInput | undefined;
    }
  | {
      readonly kind: "approval-decided";
      readonly toolCallId: string;
      /** Decision of the approver. */
      readonly decision: string;
    }
  /** Outcome of the turn; the host completes the remaining work. */
  | { readonly kind: "turn-concluded"; readonly outcome: JsonObject }
  /** The reply was divided into parts, which are sent one by one. */
  | { readonly kind: "reply-divided"; readonly outboxId: string; readonly parts: number }
  /** A part is about to be sent to a channel that cannot recognize duplicates. */
  | { readonly kind: "part-sending"; readonly outboxId: string; readonly part: number }
  | { readonly kind: "reply-stored"; readonly outboxId: string; readonly part: number }
  | {
      readonly kind: "part-settled";
      readonly outboxId: string;
      readonly part: number;
      readonly state: "delivered" | "suppressed" | "failed";
    };

/** All kinds of steps. */
export type JournalStepKind = JournalStep["kind"];

type FieldType = "string" | "number" | "boolean" | "object" | "array";

/** Required fields of each kind. */
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
 * Returns true for a step of the journal.
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
