import type { ResolvedModel } from "@openclaw/models";
import type { ModelOverride } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { Policy, PolicyContext } from "@openclaw/tool-policy";
import { baseSystemPrompt } from "./base-prompt.js";
import { errorMessage } from "./error-message.js";
import { type AssembledPrompt, assemblePrompt } from "./prompt.js";
import type { ToolSet } from "./tool-set.js";
import { joinModel, type TurnScope } from "./turn-scope.js";
import { openTurnTools } from "./turn-tools.js";

/** Everything a turn's model loop starts from. */
export interface PreparedTurn {
  readonly model: ResolvedModel;
  readonly prompt: AssembledPrompt;
  /** The conversation before this turn's message. */
  readonly history: readonly AgentMessage[];
  readonly tools: ToolSet;
  readonly policyContext: PolicyContext;
}

/**
 * Prepares a turn up to its final prompt, in the order of the contract (D15): model wishes, history,
 * model, tool set, prompt parts.
 * @param turn - the running turn
 * @throws ModelNotFoundError when the routed model does not exist
 */
export async function prepareTurn(turn: TurnScope): Promise<PreparedTurn> {
  const { request, pin, services } = turn;
  const { signal, text: prompt } = request;
  const { hooks } = pin;

  const wish = await hooks.rewrite("before_model_resolve", { prompt }, turn.context, { signal });
  const history = await loadHistory(turn);
  const start = await hooks.rewrite(
    "before_agent_start",
    { prompt, messages: [...history], runId: request.runId },
    turn.context,
    { signal },
  );
  const model = await resolveModel(turn, { ...start, ...wish });
  joinModel(turn, model);

  const { tools, policyContext: circumstances } = await openTurnTools(turn, model);

  const build = await hooks.rewrite(
    "before_prompt_build",
    { prompt, messages: [...history], currentUserMessage: prompt },
    turn.context,
    { signal },
  );
  // What a hook allows can only narrow the set, and holds at every call too (POL-015).
  const policyContext =
    build?.toolsAllow === undefined
      ? circumstances
      : { ...circumstances, toolsAllow: build.toolsAllow };
  return {
    model,
    history,
    policyContext,
    tools: policyContext === circumstances ? tools : narrow(tools, services.policy, policyContext),
    prompt: assemblePrompt({
      baseSystemPrompt: request.instructions ?? baseSystemPrompt(request),
      userText: prompt,
      parts: [start ?? {}, build ?? {}, callerParts(request.extraInstructions)],
    }),
  };
}

async function loadHistory({ request, services }: TurnScope): Promise<AgentMessage[]> {
  // A copy: hooks are shown frozen messages, and the caller's own are not to be frozen.
  if (request.history !== undefined) return structuredClone([...request.history]);
  const entries = await services.store.transcript.load(request.sessionId);
  return entries.map(({ message }) => message);
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

function narrow(tools: ToolSet, policy: Policy, context: PolicyContext): ToolSet {
  return new Map(
    [...tools].filter(([, { policyTool }]) => policy.decide(policyTool, context).allowed),
  );
}

function callerParts(extraInstructions: string | undefined) {
  return extraInstructions === undefined ? {} : { appendSystemContext: extraInstructions };
}
