import { randomUUID } from "node:crypto";
import { defined, jsonCopy } from "@openclaw/foundation";
import type {
  JsonObject,
  NestedToolCall,
  NestedToolResult,
  ToolSessionContext,
} from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type { PolicyContext } from "@openclaw/tool-policy";
import type { AnsweredCall, RequestedCall } from "../context/call.js";
import { FailedCalls } from "../context/failed-calls.js";
import type { RunningTurn, TurnState } from "../context/turn.js";
import { loadResumeState, ResumeState } from "../journal/resume-state.js";
import { newTrace, stepTrace, traceFields } from "../trace.js";
import { type DecisionDependencies, waitForDecision } from "./decision-wait.js";
import { callTool, type ToolCallDependencies } from "./pipeline.js";
import type { ToolSet } from "./tool-entry.js";

/** Number of calls that can be nested in each other. */
const DEEPEST = 4;

/** Dependencies of {@link NestedCalls}. */
export type NestedCallDependencies = Omit<ToolCallDependencies, "resumeState"> &
  DecisionDependencies & { readonly store: Store };

/** The tools of a turn before hooks narrow them, and the policy context. */
export interface NestedCallScope {
  readonly turn: RunningTurn<NestedCallDependencies>;
  tools(): ToolSet;
  readonly policyContext: PolicyContext;
}

/**
 * Calls that tools make while they run. They take the same path as the calls of models (TURN-090), with the tools that
 * the model of the turn may call.
 */
export class NestedCalls {
  readonly #scope: NestedCallScope;
  /** Depth of the nested calls by their IDs. */
  readonly #depths = new Map<string, number>();

  /** @param scope - turn, tools and policy context */
  constructor(scope: NestedCallScope) {
    this.#scope = scope;
  }

  /**
   * Takes a nested call through the pipeline, and waits for its approval where one is needed.
   * @param nested - the call
   * @throws the reason of the turn's signal when the host stops
   */
  call: NonNullable<ToolSessionContext["callTool"]> = async (nested) => {
    const toolCallId = randomUUID();
    const depth = (this.#depths.get(nested.parentToolCallId) ?? 0) + 1;
    if (depth > DEEPEST) return tooDeep(toolCallId, nested);
    this.#depths.set(toolCallId, depth);
    try {
      const params = jsonCopy(nested.params) as JsonObject;
      const call: RequestedCall = { toolCallId, toolName: nested.tool, params };
      return nestedResult(await this.#answer(call, nested, depth));
    } finally {
      this.#depths.delete(toolCallId);
    }
  };

  async #answer(call: RequestedCall, nested: NestedToolCall, depth: number): Promise<AnsweredCall> {
    const { turn, policyContext } = this.#scope;
    const { request, dependencies } = turn;
    const signal =
      nested.signal === undefined
        ? request.signal
        : AbortSignal.any([request.signal, nested.signal]);
    const state = nestedState(turn.state, nested, depth);
    const names = new Set(turn.state.toolNames);
    const tools = new Map([...this.#scope.tools()].filter(([name]) => names.has(name)));
    const reconsidered = new Set<string>();
    let resumeState = new ResumeState(request.runId);
    for (;;) {
      // The events of a turn describe the calls of its model; a nested call is reported by its parent.
      const own = { ...request, signal, onEvent: () => undefined };
      const scope = {
        turn: { ...turn, request: own, state, dependencies: { ...dependencies, resumeState } },
        tools,
        policyContext,
        reconsidered,
      };
      const called = await callTool(call, scope);
      if (called.status === "answered") return called.answer;
      if (called.status === "returned") throw new Error("a nested call cannot be run by a client");
      nested.onApprovalPending?.(called.approval.id);
      await waitForDecision(called.approval, { ...request, signal }, dependencies, {
        id: called.approval.id,
      });
      nested.onApprovalSettled?.();
      resumeState = await loadResumeState(request, dependencies.store);
    }
  }
}

/** The state of the turn, with the context of hooks below the running call. */
function nestedState(
  state: TurnState,
  { parentToolCallId, parentStepId }: NestedToolCall,
  depth: number,
): TurnState {
  const { hookContext } = state;
  const { trace = newTrace(), callDepth } = hookContext;
  return {
    ...state,
    // A workflow may repeat its steps as often as it says.
    failedCalls: new FailedCalls(),
    hookContext: {
      ...hookContext,
      ...traceFields(stepTrace(trace, parentToolCallId)),
      callDepth: callDepth + depth,
      parentToolCallId,
      ...defined({ parentStepId }),
    },
  };
}

/** Returns the answer of a call in the form that plugins receive. */
export function nestedResult({ message, refusal }: AnsweredCall): NestedToolResult {
  const { toolCallId, content, isError, details } = message;
  if (refusal !== undefined) {
    const { decider, decisionId } = refusal;
    return { status: "denied", toolCallId, content, decider, ...defined({ decisionId }) };
  }
  return { status: isError ? "failed" : "ok", toolCallId, content, ...defined({ details }) };
}

function tooDeep(toolCallId: string, { tool }: NestedToolCall): NestedToolResult {
  const text = `Tool call denied: ${tool} was called ${DEEPEST + 1} levels below the call of the model; at most ${DEEPEST} are allowed`;
  return {
    status: "denied",
    toolCallId,
    content: [{ type: "text", text }],
    decider: "nesting",
  };
}
