import { addModel } from "../../context/hook-context.js";
import type { PluginPin } from "../../context/plugin-pin.js";
import type { TurnRequest } from "../../context/request.js";
import { startTurn } from "../../context/turn.js";
import { requestedPlan } from "../../conversation/compaction-plan.js";
import { loadHistory } from "../../conversation/history.js";
import { type ConversationSize, sizeOf } from "../../conversation/stored-size.js";
import { ResumeState } from "../../journal/resume-state.js";
import type { ModelDependencies } from "../preparation.js";
import { type CompactionDependencies, compact } from "./compaction.js";

/** Dependencies of {@link compactConversation}. */
export type RequestedCompactionDependencies = Omit<
  CompactionDependencies & ModelDependencies,
  "resumeState"
>;

/** Size of a conversation before and after a compaction; both are equal when there was nothing to remove. */
export interface RequestedCompaction {
  readonly before: ConversationSize;
  readonly after: ConversationSize;
}

/**
 * Compacts the conversation of a session between its turns, with the hooks of a compaction during a turn: all but the
 * newest exchanges are replaced by a summary (TURN-051).
 * @param request - session, its model, a new run ID, and the number of exchanges to keep
 * @param dependencies - dependencies that the host provides
 * @param pin - plugins of the compaction
 * @throws ModelNotFoundError, or an error of the model when it could not summarise the conversation
 */
export async function compactConversation(
  {
    keep,
    keepsSummary = false,
    ...request
  }: Omit<TurnRequest, "text" | "instructions" | "extraInstructions" | "history"> & {
    readonly keep: number;
    /** True when the memory of the requester also keeps the summary (SUB-038). */
    readonly keepsSummary?: boolean | undefined;
  },
  dependencies: RequestedCompactionDependencies,
  pin: PluginPin,
): Promise<RequestedCompaction> {
  const resumeState = new ResumeState(request.runId);
  const turn = startTurn({ ...request, text: "" }, pin, { ...dependencies, resumeState });
  const model = await dependencies.models.resolve(request.model);
  addModel(turn, model);
  const history = await loadHistory(turn.request, turn.dependencies);
  const shorter = await compact(turn, model, history, requestedPlan(keep, keepsSummary));
  return { before: sizeOf(history.messages), after: sizeOf(shorter.messages) };
}
