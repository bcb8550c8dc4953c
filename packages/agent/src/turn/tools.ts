import type { CoreTool } from "@openclaw/core-tools";
import { createSubagentsTool } from "@openclaw/core-tools";
import { defined } from "@openclaw/foundation";
import type { ResolvedModel } from "@openclaw/models";
import type { Logger } from "@openclaw/plugin-sdk";
import { hostTool } from "@openclaw/plugin-sdk/kit";
import type { ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import type { Policy, PolicyContext } from "@openclaw/tool-policy";
import type { TurnRequest } from "../context/request.js";
import { toolJobOf } from "../context/tool-job.js";
import type { RunningTurn, TurnState } from "../context/turn.js";
import { type ContextWindowDependencies, contextWindowOf } from "../conversation/context-window.js";
import type { SelectedHarness } from "../harness/harness.js";
import type { BrokenTools } from "../offer/broken-tools.js";
import { DEFAULT_DEFERRED, DEFAULT_DEFINITION_SHARE, deferTools } from "../offer/deferral.js";
import { TOOL_SEARCH } from "../offer/loaded-tools.js";
import type { SkillCatalog } from "../skills/catalog.js";
import { createSkillTool } from "../skills/skill.js";
import { createSessionsSpawnTool, type SpawnDependencies } from "../subagents/sessions-spawn.js";
import type { Subagents } from "../subagents/subagents.js";
import { type NestedCallDependencies, NestedCalls } from "../tool-call/nested.js";
import type { ToolSet } from "../tool-call/tool-entry.js";
import { buildToolSet } from "../tool-call/tool-set.js";
import { recallAround } from "./recall.js";

/** Dependencies of the tools that spawn and list subagents. */
type SubagentToolsDependencies = SpawnDependencies & {
  /** The subagents of the host; without it turns cannot spawn any. */
  readonly subagents?: Subagents | undefined;
};

/** Dependencies of {@link openTurnTools}. */
export type TurnToolsDependencies = SubagentToolsDependencies &
  NestedCallDependencies &
  ContextWindowDependencies & {
    readonly coreTools: readonly CoreTool[];
    readonly skills: Pick<SkillCatalog, "offered">;
    readonly policy: Policy;
    readonly logger: Logger;
    readonly brokenTools?: Pick<BrokenTools, "isHidden"> | undefined;
    /** Share of the context window that definitions of MCP tools may have, `tools.search.share`. */
    readonly definitionShare?: number | undefined;
    /** Entries of tools whose definitions are always deferred, `tools.search.defer`. */
    readonly deferred?: readonly string[] | undefined;
  };

/** The tools of a turn, and the context in which policy evaluates them. */
export interface TurnTools {
  readonly tools: ToolSet;
  readonly policyContext: PolicyContext;
}

/**
 * Builds the tool set of a turn, before any hook narrows it (TURN-014).
 * @param model - the model that would call the tools
 * @param harness - harness that replies instead of the model; it gets its tools once, so that none of them is deferred
 * @throws ClientToolDeniedError when policy denies a tool of the client
 */
export async function openTurnTools(
  turn: RunningTurn<TurnToolsDependencies>,
  model: ResolvedModel,
  harness?: SelectedHarness,
): Promise<TurnTools> {
  const { dependencies, pin, request, state } = turn;
  const { coreTools, policy, logger, brokenTools } = dependencies;
  const policyContext = policyContextOf(request, model);
  const skills = await dependencies.skills.offered(request.agentId);
  const nested = new NestedCalls({ turn, tools: () => tools, policyContext });
  const factoryContext = factoryContextOf(turn, model, nested);
  const { tools: all } = await buildToolSet({
    ...(harness?.tools === undefined
      ? {
          coreTools: [
            ...coreTools,
            ...subagentTools(turn),
            ...(skills.length === 0 ? [] : [skillTool()]),
          ],
          pluginTools: pin.tools,
          toolMetadata: pin.toolMetadata,
          clientTools: request.client?.tools,
        }
      : { coreTools: harness.tools, pluginTools: [] }),
    policy,
    policyContext,
    factoryContext,
    logger,
  });
  const built = new Map([...all].filter(([name]) => brokenTools?.isHidden(name) !== true));
  const tools = harness === undefined ? withDeferred() : built;
  return { tools, policyContext };

  function withDeferred(): ToolSet {
    const { definitionShare = DEFAULT_DEFINITION_SHARE, deferred = DEFAULT_DEFERRED } =
      dependencies;
    const { contextTokenBudget } = contextWindowOf(model, request.agentId, dependencies);
    const rareContext = { ...policyContext, runAllow: [...deferred] };
    return deferTools(built, {
      limit: Math.floor(contextTokenBudget * definitionShare),
      session: factoryContext,
      isAllowed: (tool) => policy.decide(tool, policyContext).allowed,
      isRare: (tool) => deferred.length > 0 && policy.decide(tool, rareContext).allowed,
      callable: () => new Set(state.toolNames),
    });
  }

  function skillTool() {
    return createSkillTool(skills, ({ allowedTools }) => {
      if (allowedTools === undefined) return;
      narrowToSkill(state, allowedTools, { tools, policyContext }, policy);
    });
  }
}

/** Creates the tools for subagents of this turn: a subagent is limited to what its parent may do. */
function subagentTools(turn: RunningTurn<SubagentToolsDependencies>): CoreTool[] {
  const { subagents, store } = turn.dependencies;
  if (subagents === undefined) return [];
  return [
    createSessionsSpawnTool(turn, subagents),
    createSubagentsTool(store, turn.request.sessionKey, subagents),
  ];
}

/** Narrows the tools to those that a skill names, in addition to the limits of earlier skills (EXT-009). */
function narrowToSkill(
  state: Pick<TurnState, "skillTools">,
  allowedTools: readonly string[],
  { tools, policyContext }: TurnTools,
  policy: Policy,
): void {
  const context = {
    ...policyContext,
    runAllow: [...allowedTools.map(hostTool), "skill", TOOL_SEARCH],
  };
  const left = [...tools.values()].filter(
    ({ name, policyTool }) =>
      policy.decide(policyTool, context).allowed && (state.skillTools?.has(name) ?? true),
  );
  state.skillTools = new Set(left.map(({ name }) => name));
}

/**
 * Returns the context in which policy evaluates the tools of a turn.
 * @param model - the model that would call the tools
 */
export function policyContextOf(request: TurnRequest, model: ResolvedModel): PolicyContext {
  const { origin, subagent } = request;
  const { accountId, groupId, senderName } = origin;
  return {
    agentId: request.agentId,
    provider: model.provider,
    model: model.modelId,
    channel: origin.channel,
    senderId: origin.senderId,
    senderIsOwner: origin.senderIsOwner,
    sandboxed: false,
    subagentDepth: subagent?.depth ?? 0,
    ...defined({
      parentPolicy: subagent?.parentTools,
      runAllow: subagent?.tools,
      accountId,
      groupId,
      senderName,
    }),
  };
}

function factoryContextOf(
  turn: RunningTurn,
  model: ResolvedModel,
  nested: NestedCalls,
): ToolSessionContext {
  const { sessionKey, sessionId, agentId, workspaceDir, origin } = turn.request;
  const { accountId, threadId, groupId, senderName } = origin;
  return {
    sessionKey,
    sessionId,
    agentId,
    workspaceDir,
    messageChannel: origin.channel,
    ...defined({ channelCapabilities: turn.request.channelCapabilities }),
    requesterSenderId: origin.senderId,
    senderIsOwner: origin.senderIsOwner,
    sandboxed: false,
    activeModel: model.ref,
    deliveryContext: {
      channel: origin.channel,
      to: origin.channelId,
      ...defined({ accountId, threadId }),
    },
    requester: {
      channel: origin.channel,
      channelId: origin.channelId,
      senderId: origin.senderId,
      senderIsOwner: origin.senderIsOwner,
      ...defined({ senderName, accountId, threadId, groupId }),
    },
    callTool: nested.call,
    recall: (asked, search) => recallAround(turn, asked, "tool", search),
    ...defined({ agentAccountId: accountId, groupId, job: toolJobOf(turn.request) }),
    ...defined({ isDirect: turn.request.isDirect }),
  };
}
