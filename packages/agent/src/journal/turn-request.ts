import type { QueuedInjection, RecallResult } from "@openclaw/plugin-sdk/hooks";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { TurnRequest, TurnScope } from "../context/scope.js";

/** What a turn was asked. */
type Asked = Pick<
  TurnRequest,
  | "trigger"
  | "subagent"
  | "origin"
  | "text"
  | "attachments"
  | "model"
  | "workspaceDir"
  | "instructions"
  | "extraInstructions"
  | "history"
  | "trace"
>;

/** What a turn was asked and given, so far as no other step tells it: with it the turn can be replayed (TURN-057). */
export interface RecordedRequest extends Asked {
  /** Whether somebody could be asked for approval. */
  readonly isAttended: boolean;
  /** What plugins had left for the turn. */
  readonly injections: readonly QueuedInjection[];
  /** What the memory found, before any hook chose; absent where none was asked. */
  readonly recalled?: readonly RecallResult[];
}

/**
 * Writes down what a turn was asked and given. It holds the person's words, so it is written only once the
 * gate has let them pass (TURN-024).
 * @param turn - the running turn, prepared
 */
export function recordRequest({ request, gathered }: TurnScope): JsonObject {
  const { trigger, subagent, origin, text, attachments, model, workspaceDir } = request;
  const { instructions, extraInstructions, history, trace } = request;
  const recorded: { [Field in keyof RecordedRequest]: RecordedRequest[Field] | undefined } = {
    trigger,
    subagent,
    origin,
    text,
    attachments,
    model,
    workspaceDir,
    instructions,
    extraInstructions,
    history,
    trace,
    isAttended: request.isAttended?.() ?? false,
    ...gathered,
  };
  // Fields that hold nothing are left out; the rest is plain data.
  return JSON.parse(JSON.stringify(recorded)) as JsonObject;
}

/**
 * Whether a value read back is what `recordRequest` wrote.
 * @param value - of a step of the journal
 */
export function isRecordedRequest(value: unknown): value is RecordedRequest {
  if (typeof value !== "object" || value === null) return false;
  const { text, model, workspaceDir, trigger, origin, injections } = value as {
    readonly [Field in keyof RecordedRequest]?: unknown;
  };
  return (
    [text, model, workspaceDir, trigger].every((field) => typeof field === "string") &&
    typeof origin === "object" &&
    origin !== null &&
    Array.isArray(injections)
  );
}
