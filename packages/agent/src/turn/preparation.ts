import { errorMessage } from "@openclaw/foundation";
import type { ResolvedModel } from "@openclaw/models";
import type { ModelOverride } from "@openclaw/plugin-sdk/hooks";
import { joinModel, type TurnScope } from "../context/scope.js";
import { loadHistory } from "../conversation/history.js";
import { baseSystemPrompt } from "./base-prompt.js";
import { compactIfDue } from "./compaction.js";
import { drainInjections, injectedParts } from "./injections.js";
import { narrowed, type PreparedTurn, restorePrepared } from "./prepared-turn.js";
import { assemblePrompt } from "./prompt.js";
import { recall, recalledParts } from "./recall.js";
import { openTurnTools } from "./tools.js";

/**
 * Prepares a turn up to its final prompt, in the order of the contract (D15): model wishes, history,
 * model, compaction, tool set, what plugins left for this turn, prompt parts. A turn that was prepared
 * before is put together as it was.
 * @param turn - the running turn
 * @throws ModelNotFoundError when the routed model does not exist
 */
export async function prepareTurn(turn: TurnScope): Promise<PreparedTurn> {
  if (turn.record.prepared !== undefined) return await restorePrepared(turn, turn.record.prepared);
  const { request, pin } = turn;
  const { signal, text: prompt, attachments = [] } = request;
  const { hooks } = pin;

  const wish = await hooks.rewrite(
    "before_model_resolve",
    { prompt, ...(attachments.length === 0 ? {} : { attachments: [...attachments] }) },
    turn.context,
    { signal },
  );
  const loaded = await loadHistory(turn);
  const start = await hooks.rewrite(
    "before_agent_start",
    { prompt, messages: [...loaded.messages], runId: request.runId },
    turn.context,
    { signal },
  );
  const model = await resolveModel(turn, { ...start, ...wish });
  joinModel(turn, model);

  const history = await compactIfDue(turn, model, loaded);
  const { tools, policyContext } = await openTurnTools(turn, model);

  const injections = await drainInjections(turn);
  const additions = await hooks.rewrite(
    "agent_turn_prepare",
    { prompt, messages: [...history.messages], queuedInjections: [...injections] },
    turn.context,
    { signal },
  );
  const recalled = await recall(turn, prompt, "auto");
  const build = await hooks.rewrite(
    "before_prompt_build",
    { prompt, messages: [...history.messages], currentUserMessage: prompt },
    turn.context,
    { signal },
  );
  return {
    model,
    history,
    ...narrowed(tools, policyContext, build?.toolsAllow, turn),
    prompt: assemblePrompt({
      baseSystemPrompt: request.instructions ?? baseSystemPrompt(request),
      userText: prompt,
      // In the order in which they came about, so that equal turns give equal prompts (TURN-021).
      parts: [
        start ?? {},
        ...injectedParts(injections),
        additions ?? {},
        recalledParts(recalled),
        build ?? {},
        callerParts(request.extraInstructions),
      ],
    }),
  };
}

/** The routed model, unless hooks wish for one that exists. */
async function resolveModel(turn: TurnScope, wish: ModelOverride): Promise<ResolvedModel> {
  const { models, logger } = turn.services;
  const { model: routed, runId } = turn.request;
  const wished = wishedReference(wish, routed);
  if (wished === undefined) return models.resolve(routed);
  try {
    return await models.resolve(wished);
  } catch (error) {
    const problem = `a plugin wished for a model that cannot be used: ${errorMessage(error)}`;
    logger.warn(problem, { code: "MODEL_OVERRIDE_UNKNOWN", runId });
    return models.resolve(routed);
  }
}

/** A model wished for by its id alone is one of the routed provider; a provider alone is no model's name. */
function wishedReference(
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
  return extraInstructions === undefined ? {} : { appendSystemContext: extraInstructions };
}
