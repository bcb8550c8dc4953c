import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { TurnRequest } from "../context/request.js";
import type { GatheredTexts, RunningTurn } from "../context/turn.js";

/** Fields of a turn request that are recorded. */
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
  | "workspaceInstructions"
  | "extraInstructions"
  | "history"
  | "client"
  | "trace"
  // Absent in records of versions whose replies were the last text, which could be empty.
  | "reply"
>;

/** The inputs of a turn that no other step holds; with them the turn can be replayed (TURN-057). */
export interface RecordedRequest extends Asked, GatheredTexts {
  /** True if an approver was present. */
  readonly isAttended: boolean;
}

/**
 * Returns the inputs of a turn as its journal stores them. They contain the user's text, so they are stored
 * only after the gate has let it pass (TURN-024).
 * @param turn - the running turn, prepared
 */
export function recordRequest({ request, state }: RunningTurn): JsonObject {
  const { trigger, subagent, origin, text, attachments, model, workspaceDir } = request;
  const { instructions, workspaceInstructions, extraInstructions, history, client, trace } =
    request;
  const recorded: RecordedRequest = {
    trigger,
    subagent,
    origin,
    text,
    attachments,
    model,
    workspaceDir,
    instructions,
    workspaceInstructions,
    extraInstructions,
    history,
    client,
    trace,
    reply: request.reply ?? "all",
    isAttended: request.isAttended?.() ?? false,
    ...state.gathered,
  };
  // Undefined fields are omitted; the rest is plain data.
  return JSON.parse(JSON.stringify(recorded)) as JsonObject;
}

/**
 * Returns true if a value was written by `recordRequest`.
 * @param value - value of a step of the journal
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
