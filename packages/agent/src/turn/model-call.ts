import type { Timers } from "@openclaw/foundation";
import {
  type ChainNotice,
  type ModelCatalog,
  type ModelChain,
  type ModelFallback,
  type ModelRequest,
  modelCandidates,
  type ResolvedModel,
} from "@openclaw/models";
import type { RunningTurn } from "../context/turn.js";
import type { SelectedHarness } from "../harness/harness.js";
import { type ModelReply, recordedFailure, recordedReply } from "../journal/model-reply.js";
import type { ResumeState } from "../journal/resume-state.js";
import {
  attemptModel,
  type ModelAttemptDependencies,
  type ModelCallInput,
} from "./model-attempt.js";

/** A model request of a recorded run. */
export interface RecordedRequest {
  /** `<provider id>/<model id>`. */
  readonly ref: string;
  /** True if the run repeated the request after its failure. */
  readonly isReplaced: boolean;
  /**
   * Returns the recorded reply.
   * @throws the recorded failure where there was no reply
   */
  reply(): Promise<ModelReply>;
}

/** Replies of the models of a recorded run, which a replay uses instead of asking models (TURN-057). */
export interface RecordedReplies {
  /**
   * Returns the next request of the recorded run.
   * @param model - the model that would be asked
   */
  next(model: ResolvedModel): RecordedRequest;
}

/** Models of a model call, and the rules of repetition and failover. */
export interface ModelCallModels {
  readonly models: Pick<ModelCatalog, "resolve">;
  readonly modelChain: ModelChain;
  /**
   * Returns the models that are called when a model fails, in the order of the configuration; none when absent.
   * @param agentId - agent of the turn
   * @param ref - model of the turn
   */
  readonly fallbacksOf?: ((agentId: string, ref: string) => readonly ModelFallback[]) | undefined;
}

/** Dependencies of {@link callModel}. */
export interface ModelCallDependencies extends ModelAttemptDependencies, ModelCallModels {
  readonly resumeState: Pick<ResumeState, "takeReply">;
  /** In a replay, the replies that models gave when the run was recorded. */
  readonly recordedReplies?: RecordedReplies | undefined;
  /** Timers of the time limits of harnesses; those of the process when absent. */
  readonly timers?: Timers | undefined;
  callPlugin?<Result>(pluginId: string, execute: () => Result): Result;
}

/** A model call, and the harness that replies to it instead of the model. */
export interface LoopCallInput extends ModelCallInput {
  readonly harness?: (SelectedHarness & { readonly isRevision: boolean }) | undefined;
}

/**
 * Calls the model until it replies, repeatedly and with its fallbacks where that may help, and collects the reply. Each
 * request has its own ID, hooks and journal steps (TURN-027). Returns a recorded reply without calling a model or firing
 * hooks (TURN-054).
 * @param input - model and request
 * @returns the reply; with `failure` when it broke off in the middle
 * @throws ModelRequestError when there is no reply, or interrupted before any text
 */
export async function callModel(
  turn: RunningTurn<ModelCallDependencies>,
  input: LoopCallInput,
): Promise<ModelReply> {
  const { resumeState, recordedReplies, models, modelChain, fallbacksOf } = turn.dependencies;
  const earlier = resumeState.takeReply(input.purpose);
  if (earlier?.kind === "reply") return recordedReply(earlier.step);
  if (earlier?.kind === "failure") throw recordedFailure(earlier.step, input.model);
  if (recordedReplies !== undefined) return await replayCall(turn, input, recordedReplies);
  if (input.harness !== undefined) return await attemptHarness(turn, input, input.harness);
  const { agentId, signal } = turn.request;
  const fallbacks = fallbacksOf?.(agentId, input.model.ref) ?? [];
  const call = {
    candidates: modelCandidates(input.model, fallbacks, (ref) => models.resolve(ref)),
    signal,
    onNotice: (notice: ChainNotice) => report(turn, notice),
  };
  return await modelChain.run(call, ({ model, events }) =>
    attemptModel(turn, input, { model, source: { kind: "model", events } }),
  );
}

/** Sends the request to a harness, which is neither repeated nor replaced: it may have had effects (PLUG-704). */
async function attemptHarness(
  turn: RunningTurn<ModelCallDependencies>,
  input: ModelCallInput,
  { isRevision, ...selected }: NonNullable<LoopCallInput["harness"]>,
): Promise<ModelReply> {
  const { request, state, dependencies } = turn;
  const { model } = input;
  const { runId, agentId, sessionKey, sessionId, workspaceDir, signal } = request;
  const harnessTurn = {
    ...{ runId, agentId, sessionKey, sessionId, workspaceDir, selected, isRevision },
    provider: model.provider,
    modelId: model.modelId,
    timers: dependencies.timers,
    callPlugin: <Result>(execute: () => Result) =>
      dependencies.callPlugin?.(selected.pluginId, execute) ?? execute(),
  };
  const events = (sent: ModelRequest) => state.harnessRun.events(harnessTurn, sent, signal);
  return await attemptModel(turn, input, {
    model,
    source: { kind: "model", events, harnessId: selected.harness.id },
  });
}

/** Repeats the requests of a recorded call, with the models that were called then. */
async function replayCall(
  turn: RunningTurn<ModelCallDependencies>,
  input: ModelCallInput,
  recorded: RecordedReplies,
): Promise<ModelReply> {
  const { models } = turn.dependencies;
  for (;;) {
    const { ref, isReplaced, reply } = recorded.next(input.model);
    const model = ref === input.model.ref ? input.model : await models.resolve(ref);
    try {
      return await attemptModel(turn, input, { model, source: { kind: "recording", reply } });
    } catch (error) {
      if (!isReplaced) throw error;
    }
  }
}

/** Logs a repetition or a change of model, and shows it and waits to the clients of the turn. */
function report(
  { request, dependencies }: RunningTurn<Pick<ModelCallDependencies, "logger">>,
  notice: ChainNotice,
): void {
  const { runId, sessionKey, onEvent } = request;
  const { logger } = dependencies;
  if (notice.kind === "waiting") {
    const { ref: model, waitedMs, limitMs } = notice;
    onEvent({ type: "model-waiting", model, waitedMs, limitMs });
    return;
  }
  if (notice.kind === "retry") {
    const { ref, retry, waitMs, error } = notice;
    const seconds = Math.round(waitMs / 100) / 10;
    const message = `model ${ref} failed; it is called again in ${seconds} s: ${error.message}`;
    logger.warn(message, { code: "MODEL_RETRY", runId, sessionKey, retry, errorCode: error.code });
    onEvent({ type: "model-retry", model: ref, retry, waitMs, errorCode: error.code });
    return;
  }
  const { from, to, code, reason } = notice;
  logger.warn(`model ${to} is called instead of ${from}: ${reason}`, {
    code: "MODEL_FAILOVER",
    runId,
    sessionKey,
    errorCode: code,
  });
  onEvent({ type: "model-failover", from, to, errorCode: code });
}
