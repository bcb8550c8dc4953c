import { type ResolvedModel, toolTokens } from "@openclaw/models";
import { describeArguments } from "@openclaw/plugin-runtime";
import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import { messagesTokens, textTokens } from "../../budget/call-size.js";
import type { RunningTurn } from "../../context/turn.js";
import {
  type CompactionPlan,
  DEFAULT_CONTEXT_LIMITS,
  keptFrom,
  planCompaction,
  roomPlan,
} from "../../conversation/compaction-plan.js";
import {
  type ContextWindowDependencies,
  contextWindowOf,
} from "../../conversation/context-window.js";
import { type ConversationHistory, loadShown } from "../../conversation/history.js";
import { estimateTokens } from "../../conversation/size.js";
import { policyTool } from "../../tool-call/tool-set.js";
import { baseSystemPrompt } from "../base-prompt.js";
import { compactedByEngine } from "../context-engine.js";
import { messageRoom } from "../request-fit.js";
import { policyContextOf, type TurnToolsDependencies } from "../tools.js";
import { type CompactionDependencies, compact } from "./compaction.js";

/** Dependencies of {@link compactIfDue}. */
export type DueCompactionDependencies = CompactionDependencies &
  ContextWindowDependencies &
  Pick<TurnToolsDependencies, "coreTools" | "policy">;

/**
 * Compacts a conversation that nears the limit of the model's context (TURN-051): fires
 * `before_compaction`, applies the strategy for its size, records it, fires `after_compaction`.
 * @param turn - the turn, whose model is resolved
 * @param model - model of the turn, which also writes the summary
 * @param history - the conversation before the turn's message
 * @returns the conversation to send to the model from now on
 */
export async function compactIfDue(
  turn: RunningTurn<DueCompactionDependencies>,
  model: ResolvedModel,
  history: ConversationHistory,
): Promise<ConversationHistory> {
  const earlier = turn.dependencies.resumeState.takeShortening();
  if (earlier !== undefined)
    return await loadShown(turn.request, earlier.history, turn.dependencies.store);
  const { contextLimits = DEFAULT_CONTEXT_LIMITS, recordedReplies } = turn.dependencies;
  // A recording contains the conversation as it was after compaction.
  if (recordedReplies !== undefined) return history;
  const plan = duePlan(turn, model, history, contextLimits.threshold);
  if (plan === undefined || (await compactedByEngine(turn))) return history;
  return await compact(turn, model, history, plan);
}

/** Returns the plan for a conversation that is above its threshold, or would be cut to fit into the request. */
function duePlan(
  turn: RunningTurn<DueCompactionDependencies>,
  model: ResolvedModel,
  { messages }: ConversationHistory,
  threshold: number,
): CompactionPlan | undefined {
  const { request, dependencies, pin } = turn;
  const { contextTokenBudget: tokens } = contextWindowOf(model, request.agentId, dependencies);
  const hasArchive = pin.memory?.archive !== undefined;
  const plan = planCompaction(estimateTokens(messages), { tokens, threshold }, hasArchive);
  if (plan !== undefined && keptFrom(messages, plan.keep) > 0) return plan;
  const around = systemTokens(turn) + definitionTokens(turn, model);
  const room = messageRoom(turn, model, { around }) - textTokens(request.text);
  return messagesTokens(messages) > room ? roomPlan(messages, room) : undefined;
}

/** Returns the tokens of the system prompt, as far as it is known before hooks add to it. */
function systemTokens({ request }: RunningTurn): number {
  const { instructions, workspaceInstructions = "", extraInstructions = "" } = request;
  const parts = [
    instructions ?? baseSystemPrompt(request),
    workspaceInstructions,
    extraInstructions,
  ];
  return parts.reduce((sum, part) => sum + textTokens(part), 0);
}

/**
 * Estimates the tokens of the definitions that the turn will offer, before its tool set is built: of the tools that
 * policy allows and that no factory makes.
 */
function definitionTokens(
  turn: RunningTurn<DueCompactionDependencies>,
  model: ResolvedModel,
): number {
  const { coreTools, policy } = turn.dependencies;
  const context = policyContextOf(turn.request, model);
  const candidates = [
    ...coreTools.map(
      (tool) => ({ tool, origin: "core", pluginId: undefined, optional: false }) as const,
    ),
    ...turn.pin.tools.map((offer) => ({ ...offer, origin: "plugin" }) as const),
  ];
  let tokens = 0;
  for (const { tool, origin, pluginId, optional } of candidates) {
    if (typeof tool === "function") continue;
    const judged = policyTool(tool.name, origin, pluginId, optional || tool.optional === true);
    const ownerOnly = tool.ownerOnly === true;
    if (policy.decide({ ...judged, ownerOnly }, context).allowed) tokens += tokensOf(tool);
  }
  return tokens;
}

/** Tokens of the definitions of tools, which stay the same. */
const known = new WeakMap<AnyAgentTool, number>();

function tokensOf(tool: AnyAgentTool): number {
  const earlier = known.get(tool);
  if (earlier !== undefined) return earlier;
  const described = describeArguments(tool);
  // The tool set drops a tool without a usable schema.
  if (!("schema" in described)) return 0;
  const description = typeof tool.description === "string" ? tool.description : "";
  const tokens = toolTokens({ name: tool.name, description, parameters: described.schema });
  known.set(tool, tokens);
  return tokens;
}
