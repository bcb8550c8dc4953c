import type { ModelNotFoundError, ResolvedModel } from "@openclaw/models";
import type { ModelOverride } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { Policy, PolicyContext } from "@openclaw/tool-policy";
import { baseSystemPrompt } from "./base-prompt.js";
import { type AssembledPrompt, assemblePrompt } from "./prompt.js";
import { buildToolSet, type ToolSet } from "./tool-set.js";
import type { TurnScope } from "./turn-scope.js";

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
  const { request, pin, context, services } = turn;
  const prompt = request.text;

  const wish = await pin.hooks.rewrite("before_model_resolve", { prompt }, context);
  const history = request.history ?? (await loadHistory(turn));
  const start = await pin.hooks.rewrite(
    "before_agent_start",
    { prompt, messages: [...history], runId: request.runId },
    context,
  );
  const model = await resolveModel(turn, { ...start, ...wish });

  const circumstances = policyContextOf(turn, model);
  const { tools } = await buildToolSet({
    coreTools: services.coreTools,
    pluginTools: pin.tools,
    policy: services.policy,
    policyContext: circumstances,
    factoryContext: factoryContextOf(turn, model),
    logger: services.logger,
  });

  const build = await pin.hooks.rewrite(
    "before_prompt_build",
    { prompt, messages: [...history], currentUserMessage: prompt },
    context,
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
  const entries = await services.store.transcript.load(request.sessionId);
  return entries.map(({ message }) => message);
}

/** The routed model, unless hooks wish for one that exists. */
async function resolveModel(turn: TurnScope, wish: ModelOverride): Promise<ResolvedModel> {
  const { models, logger } = turn.services;
  const { providerOverride, modelOverride } = wish;
  if (providerOverride !== undefined || modelOverride !== undefined) {
    const ref = [providerOverride, modelOverride].filter((part) => part !== undefined).join("/");
    try {
      return await models.resolve(ref);
    } catch (error) {
      const { message } = error as ModelNotFoundError;
      logger.warn(`a plugin wished for a model that cannot be used: ${message}`, {
        code: "MODEL_OVERRIDE_UNKNOWN",
        runId: turn.request.runId,
      });
    }
  }
  return models.resolve(turn.request.model);
}

function policyContextOf({ request }: TurnScope, model: ResolvedModel): PolicyContext {
  const { origin } = request;
  return {
    agentId: request.agentId,
    provider: model.provider,
    model: model.modelId,
    channel: origin.channel,
    senderId: origin.senderId,
    senderIsOwner: origin.senderIsOwner,
    sandboxed: false,
    subagentDepth: 0,
  };
}

function factoryContextOf({ request }: TurnScope, model: ResolvedModel) {
  const { sessionKey, sessionId, agentId, workspaceDir, origin } = request;
  return {
    sessionKey,
    sessionId,
    agentId,
    workspaceDir,
    messageChannel: origin.channel,
    requesterSenderId: origin.senderId,
    senderIsOwner: origin.senderIsOwner,
    sandboxed: false,
    activeModel: model.ref,
    ...(origin.accountId === undefined ? {} : { agentAccountId: origin.accountId }),
  };
}

function narrow(tools: ToolSet, policy: Policy, context: PolicyContext): ToolSet {
  return new Map(
    [...tools].filter(([, { policyTool }]) => policy.decide(policyTool, context).allowed),
  );
}

function callerParts(extraInstructions: string | undefined) {
  return extraInstructions === undefined ? {} : { appendSystemContext: extraInstructions };
}
