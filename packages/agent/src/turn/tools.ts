import type { CoreTool } from "@openclaw/core-tools";
import { createSubagentsTool } from "@openclaw/core-tools";
import type { ResolvedModel } from "@openclaw/models";
import type { ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import type { PolicyContext } from "@openclaw/tool-policy";
import type { TurnScope } from "../context/scope.js";
import { createSkillTool } from "../skills/skill.js";
import { createSessionsSpawnTool } from "../subagents/sessions-spawn.js";
import { buildToolSet, type ToolSet } from "../tool-call/tool-set.js";

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
  const skills = await services.skills.offered(turn.request.agentId);
  const { tools } = await buildToolSet({
    coreTools: [
      ...services.coreTools,
      ...subagentTools(turn),
      ...(skills.length === 0 ? [] : [skillTool()]),
    ],
    pluginTools: pin.tools,
    policy: services.policy,
    policyContext,
    factoryContext: factoryContextOf(turn, model),
    logger: services.logger,
  });
  return { tools, policyContext };

  function skillTool() {
    return createSkillTool(skills, ({ allowedTools }) => {
      if (allowedTools !== undefined) narrowToSkill(turn, allowedTools, { tools, policyContext });
    });
  }
}

/** They know the turn that has them: a child is bound to what its parent may do. */
function subagentTools(turn: TurnScope): CoreTool[] {
  const { subagents, store } = turn.services;
  if (subagents === undefined) return [];
  return [
    createSessionsSpawnTool(turn, subagents),
    createSubagentsTool(store, turn.request.sessionKey, subagents),
  ];
}

/** What a skill names can only take tools away, also those that an earlier one left (EXT-009). */
function narrowToSkill(
  turn: TurnScope,
  allowedTools: readonly string[],
  { tools, policyContext }: TurnTools,
): void {
  const context = { ...policyContext, runAllow: [...allowedTools, "skill"] };
  const left = [...tools.values()].filter(
    ({ name, policyTool }) =>
      turn.services.policy.decide(policyTool, context).allowed &&
      (turn.skillTools?.has(name) ?? true),
  );
  turn.skillTools = new Set(left.map(({ name }) => name));
}

function policyContextOf({ request }: TurnScope, model: ResolvedModel): PolicyContext {
  const { origin, subagent } = request;
  return {
    agentId: request.agentId,
    provider: model.provider,
    model: model.modelId,
    channel: origin.channel,
    senderId: origin.senderId,
    senderIsOwner: origin.senderIsOwner,
    sandboxed: false,
    subagentDepth: subagent?.depth ?? 0,
    ...(subagent === undefined ? {} : { parentPolicy: subagent.parentTools }),
    ...(subagent?.tools === undefined ? {} : { runAllow: subagent.tools }),
    ...(origin.accountId === undefined ? {} : { accountId: origin.accountId }),
    ...(origin.groupId === undefined ? {} : { groupId: origin.groupId }),
    ...(origin.senderName === undefined ? {} : { senderName: origin.senderName }),
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
