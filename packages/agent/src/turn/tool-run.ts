import type { JsonSchema, NestedToolResult, ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import type { AnsweredCall, RequestedCall } from "../context/call.js";
import { addModel } from "../context/hook-context.js";
import type { PluginPin } from "../context/plugin-pin.js";
import type { TurnRequest } from "../context/request.js";
import { startTurn } from "../context/turn.js";
import type { ContextWindowDependencies } from "../conversation/context-window.js";
import { loadResumeState, ResumeState } from "../journal/resume-state.js";
import { tokensOf } from "../offer/model-offer.js";
import { type DecisionDependencies, waitForDecision } from "../tool-call/decision-wait.js";
import { nestedResult } from "../tool-call/nested.js";
import { callTool, type ToolCallDependencies } from "../tool-call/pipeline.js";
import type { OfferedToolKind } from "../tool-call/tool-entry.js";
import { openTurnTools, type TurnToolsDependencies } from "./tools.js";

/** Dependencies of {@link runTool}. */
export type ToolRunDependencies = Omit<
  ToolCallDependencies & TurnToolsDependencies,
  "resumeState"
> &
  ContextWindowDependencies &
  DecisionDependencies;

/** The requester of a call that does not belong to a message or a model's reply. */
export type ToolRunRequest = Omit<
  TurnRequest,
  "text" | "instructions" | "extraInstructions" | "history" | "client"
>;

/** A tool that a session can call. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly kind: OfferedToolKind;
  readonly pluginId: string | undefined;
  readonly parameters: JsonSchema;
  /** Name of the MCP server that runs it, as in the names of its tools. */
  readonly mcpServer: string | undefined;
  /** True when models receive the definition only after `tool_search` has loaded it. */
  readonly isDeferred: boolean;
  /** Tokens that the definition costs in each request, estimated. */
  readonly tokens: number;
}

/**
 * Returns the tools that policy allows in a session, as a turn of the session would offer them to the model before its
 * hooks (TURN-014).
 * @param request - the requester, and the model of the tool set
 * @param dependencies - dependencies that the host provides
 * @param pin - plugins whose tools are offered
 * @throws ModelNotFoundError when the named model does not exist
 */
export async function offeredTools(
  request: ToolRunRequest,
  dependencies: ToolRunDependencies,
  pin: PluginPin,
): Promise<readonly OfferedTool[]> {
  const turn = startTurn({ ...request, text: "" }, pin, {
    ...dependencies,
    resumeState: new ResumeState(request.runId),
  });
  const { tools } = await openTurnTools(turn, await dependencies.models.resolve(request.model));
  return [...tools.values()].map((entry) => {
    const { name, description, kind, pluginId, parameters, tool, isDeferred = false } = entry;
    const { mcpServer } = tool;
    const tokens = tokensOf(entry);
    return { name, description, kind, pluginId, parameters, mcpServer, isDeferred, tokens };
  });
}

/**
 * Runs one tool call outside a conversation, through the same pipeline as the calls of models: policy,
 * schema, hooks, approval, execution. It writes no transcript, does not throw for errors of a tool or
 * plugin, and waits for a requested approval.
 * @param call - tool, arguments and ID
 * @param request - the requester, and the model of the tool set; its run has no other call
 * @param dependencies - dependencies that the host provides
 * @param pin - the plugins it runs with
 * @throws ModelNotFoundError when the named model does not exist
 */
export async function runTool(
  call: RequestedCall,
  request: ToolRunRequest,
  dependencies: ToolRunDependencies,
  pin: PluginPin,
): Promise<ToolResultMessage> {
  return (await answerTool(call, request, dependencies, pin)).message;
}

/**
 * Runs one tool call outside a conversation for a plugin, and returns whether it was denied.
 * @param call - tool, arguments and ID
 * @param request - the requester, and the model of the tool set; its run has no other call
 * @param dependencies - dependencies that the host provides
 * @param pin - the plugins it runs with
 * @throws ModelNotFoundError when the named model does not exist
 */
export async function invokeTool(
  call: RequestedCall,
  request: ToolRunRequest,
  dependencies: ToolRunDependencies,
  pin: PluginPin,
): Promise<NestedToolResult> {
  return nestedResult(await answerTool(call, request, dependencies, pin));
}

async function answerTool(
  call: RequestedCall,
  request: ToolRunRequest,
  dependencies: ToolRunDependencies,
  pin: PluginPin,
): Promise<AnsweredCall> {
  const { isAttended = () => request.approver !== undefined } = request;
  let resumeState = new ResumeState(request.runId);
  for (;;) {
    const turn = startTurn({ ...request, text: "", isAttended }, pin, {
      ...dependencies,
      resumeState,
    });
    const model = await dependencies.models.resolve(request.model);
    addModel(turn, model);
    const { tools, policyContext } = await openTurnTools(turn, model);
    turn.state.toolNames = [...tools.keys()];
    const scope = { turn, tools, policyContext, reconsidered: new Set<string>() };
    const called = await callTool(call, scope);
    if (called.status === "answered") return called.answer;
    if (called.status === "returned") throw new Error("a call without a turn has no client");
    await waitForDecision(called.approval, request, dependencies, { runId: request.runId });
    resumeState = await loadResumeState(request, dependencies.store);
  }
}
