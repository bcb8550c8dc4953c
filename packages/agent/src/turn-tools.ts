import type { ResolvedModel } from "@openclaw/models";
import type { ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import type { PolicyContext } from "@openclaw/tool-policy";
import { buildToolSet, type ToolSet } from "./tool-set.js";
import type { TurnScope } from "./turn-scope.js";

/** The tools of a turn, and the circumstances under which policy judges them. */
export interface TurnTools {
  readonly tools: ToolSet;
  readonly policyContext: PolicyContext;
}

/**
 * Builds the tool set of a turn, before any hook narrows it (TURN-014).
 * @param turn - the turn
 * @param model - the model that would call the tools
 */
export async function openTurnTools(turn: TurnScope, model: ResolvedModel): Promise<TurnTools> {
  const { services, pin } = turn;
  const policyContext = policyContextOf(turn, model);
  const { tools } = await buildToolSet({
    coreTools: services.coreTools,
    pluginTools: pin.tools,
    policy: services.policy,
    policyContext,
    factoryContext: factoryContextOf(turn, model),
    logger: services.logger,
  });
  return { tools, policyContext };
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
    ...(origin.accountId === undefined ? {} : { accountId: origin.accountId }),
  };
}

function factoryContextOf({ request }: TurnScope, model: ResolvedModel): ToolSessionContext {
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
    deliveryContext: {
      channel: origin.channel,
      to: origin.channelId,
      ...(origin.accountId === undefined ? {} : { accountId: origin.accountId }),
      ...(origin.threadId === undefined ? {} : { threadId: origin.threadId }),
    },
    ...(origin.accountId === undefined ? {} : { agentAccountId: origin.accountId }),
  };
}
