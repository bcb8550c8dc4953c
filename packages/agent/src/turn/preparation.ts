import { defined, errorMessage } from "@openclaw/foundation";
import type { ResolvedModel } from "@openclaw/models";
import type { ModelOverride } from "@openclaw/plugin-sdk/hooks";
import { hasUserMessage } from "../context/client.js";
import { addModel } from "../context/hook-context.js";
import type { RunningTurn } from "../context/turn.js";
import type { ContextWindowDependencies } from "../conversation/context-window.js";
import { type HistoryDependencies, loadHistory } from "../conversation/history.js";
import { resolveTurnModel, type TurnModelDependencies } from "../harness/model.js";
import { selectHarness } from "../harness/selection.js";
import type { ResumeState } from "../journal/resume-state.js";
import { baseSystemPrompt } from "./base-prompt.js";
import { compactIfDue, type DueCompactionDependencies } from "./compaction/due.js";
import { assembleContext } from "./context-engine.js";
import { heartbeatParts } from "./heartbeat.js";
import { drainInjections, type InjectionDependencies, injectedParts } from "./injections.js";
import { memoryParts } from "./memory-prompt.js";
import { type MentionDependencies, mentionedResources } from "./mentioned-resources.js";
import type { RecordedReplies } from "./model-call.js";
import {
  narrowed,
  type PreparedTurn,
  type RestoreDependencies,
  restorePrepared,
} from "./prepared-turn.js";
import { assemblePrompt } from "./prompt.js";
import { recall, recalledParts } from "./recall.js";
import { openTurnTools } from "./tools.js";

/** Dependencies of the resolution of a turn's model. */
export type ModelDependencies = ContextWindowDependencies & TurnModelDependencies;

/** Dependencies of {@link prepareTurn}. */
export type PreparationDependencies = ModelDependencies &
  RestoreDependencies &
  HistoryDependencies &
  DueCompactionDependencies &
  InjectionDependencies &
  MentionDependencies & {
    readonly resumeState: Pick<ResumeState, "prepared">;
    /** In a replay, the replies of the recorded run, which no harness gives. */
    readonly recordedReplies?: RecordedReplies | undefined;
  };

/**
 * Prepares a turn up to its final prompt, in the order of the contract (D15): model overrides, history,
 * model, compaction, tool set, queued prompt injections, prompt parts. A turn that was prepared before is
 * restored.
 * @throws ModelNotFoundError when the routed model does not exist
 * @throws ClientToolDeniedError when policy denies a tool of the client
 * @throws AgentHarnessNotFoundError and AgentHarnessUnsupportedError when the configured harness cannot run the turn
 */
export async function prepareTurn(
  turn: RunningTurn<PreparationDependencies>,
): Promise<PreparedTurn> {
  const { resumeState, policy, recordedReplies } = turn.dependencies;
  if (resumeState.prepared !== undefined) return await restorePrepared(turn, resumeState.prepared);
  const { request, pin, state } = turn;
  const { signal, text: prompt, attachments = [] } = request;
  const { hooks } = pin;

  const override = await hooks.rewrite(
    "before_model_resolve",
    {
      prompt,
      ...defined({ attachments: attachments.length === 0 ? undefined : [...attachments] }),
    },
    state.hookContext,
    { signal },
  );
  const loaded = await loadHistory(request, turn.dependencies);
  const start = await hooks.rewrite(
    "before_agent_start",
    { prompt, messages: [...loaded.messages], runId: request.runId },
    state.hookContext,
    { signal },
  );
  const model = await resolveModel(turn, { ...start, ...override });
  addModel(turn, model);
  const harness = recordedReplies === undefined ? await selectHarness(turn, model) : undefined;

  const compacted = await compactIfDue(turn, model, loaded);
  const { history, ...engineParts } = await assembleContext(turn, model, compacted);
  const { tools, policyContext } = await openTurnTools(turn, model, harness);

  const injections = await drainInjections(turn);
  const additions = await hooks.rewrite(
    "agent_turn_prepare",
    { prompt, messages: [...history.messages], queuedInjections: [...injections] },
    state.hookContext,
    { signal },
  );
  const recalled = await recall(turn, prompt);
  const aboutMemory = await memoryParts(turn, tools.keys());
  const build = await hooks.rewrite(
    "before_prompt_build",
    { prompt, messages: [...history.messages], currentUserMessage: prompt },
    state.hookContext,
    { signal },
  );
  const offered = narrowed(tools, policyContext, build?.toolsAllow, policy);
  const mentioned = await mentionedResources(turn, offered);
  const ofHeartbeat = await heartbeatParts(turn);
  return {
    model,
    history,
    ...defined({ harness }),
    ...offered,
    prompt: assemblePrompt({
      baseSystemPrompt: request.instructions ?? baseSystemPrompt(request),
      // The results of a client are messages of their own.
      userText: hasUserMessage(request) ? prompt : "",
      // In order of creation, so that equal turns give equal prompts (TURN-021).
      parts: [
        callerParts(request.workspaceInstructions),
        start ?? {},
        ...injectedParts(injections),
        additions ?? {},
        recalledParts(recalled),
        aboutMemory,
        engineParts,
        build ?? {},
        mentioned,
        ofHeartbeat,
        callerParts(request.extraInstructions),
      ],
    }),
  };
}

/** The routed model, unless hooks override it with one that exists. */
async function resolveModel(
  turn: RunningTurn<ModelDependencies>,
  override: ModelOverride,
): Promise<ResolvedModel> {
  const { request, dependencies } = turn;
  const { models, logger } = dependencies;
  const { model: routed, runId } = request;
  const wanted = overriddenReference(override, routed);
  if (wanted === undefined) return await resolveTurnModel(turn, routed);
  try {
    return await models.resolve(wanted);
  } catch (error) {
    const problem = `a plugin requested a model that cannot be used: ${errorMessage(error)}`;
    logger.warn(problem, { code: "MODEL_OVERRIDE_UNKNOWN", runId });
    return await resolveTurnModel(turn, routed);
  }
}

/** A model ID without a provider belongs to the routed provider; a provider alone does not name a model. */
function overriddenReference(
  { providerOverride, modelOverride }: ModelOverride,
  routed: string,
): string | undefined {
  if (providerOverride !== undefined) return `${providerOverride}/${modelOverride ?? ""}`;
  if (modelOverride === undefined) return undefined;
  const slash = routed.indexOf("/");
  return modelOverride.includes("/") || slash === -1
    ? modelOverride
    : `${routed.slice(0, slash)}/${modelOverride}`;
}

function callerParts(extraInstructions: string | undefined) {
  return defined({ appendSystemContext: extraInstructions });
}
