import type { OwnInputRequest } from "@openclaw/approval-broker";
import { authorizeExec } from "@openclaw/core-tools";
import {
  defined,
  errorMessage,
  systemClock,
  type Timers,
  waitUnlessAborted,
} from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { JsonValue, ToolInput, ToolOutput, ToolResult } from "@openclaw/plugin-sdk/tools";
import type { OutputOptions } from "@openclaw/safety";
import type { RequestedCall } from "../context/call.js";
import type { SafetyRemark } from "../context/event.js";
import { toolContext } from "../context/hook-context.js";
import type { RunningTurn, TurnState } from "../context/turn.js";
import type { Counters } from "../counters.js";
import { logRejection } from "../observation.js";
import { toolTrace } from "../tracing.js";
import type { Admitted } from "./authorization.js";
import { hasInvalidCost, normaliseToolOutput, previewOf, updateText } from "./result.js";
import { type MiddlewareDependencies, replacedResult } from "./result-middleware.js";
import { guardResult, guardText } from "./result-safety.js";
import type { ToolEntry } from "./tool-entry.js";
import { ToolUpdates } from "./updates.js";

const DEFAULT_DEADLINE_MS = 60_000;
const MAXIMUM_DEADLINE_MS = 600_000;

/** Outputs of the tools of a recorded run, which a replay uses instead of running tools (TURN-057). */
export interface RecordedOutputs {
  /**
   * Returns the output of a call and restores the tools that skills left after it.
   * @param call - a call that is allowed to run
   * @param state - state of the replayed turn
   */
  output(call: RequestedCall, state: Pick<TurnState, "skillTools">): Promise<ToolOutput>;
}

/** Dependencies of the inspection of results. */
interface ResultDependencies {
  /** Rules and limits of the safety engine, `safety`. */
  readonly safety: OutputOptions;
  readonly logger: Logger;
}

/** Dependencies of one run of a tool under its deadline. */
interface DeadlineDependencies {
  readonly safety: OutputOptions;
  /** Deadlines of tools by name in milliseconds, `tools.timeouts`. */
  readonly toolTimeouts: Readonly<Record<string, number>>;
  /**
   * Runs a tool of a plugin so that what it does to the process is attributed to the plugin.
   * @param execute - calls the tool
   */
  callPlugin?<Result>(pluginId: string, execute: () => Result): Result;
  /** Timers of the deadlines; those of the process when absent. */
  readonly timers?: Timers | undefined;
  /** Counts results that arrive after the deadline. */
  readonly counters: Pick<Counters, "increase">;
  /** In a replay, the outputs that tools gave when the run was recorded. */
  readonly recordedOutputs?: RecordedOutputs | undefined;
}

/** Dependencies of {@link executeTool}. */
export type ExecutionDependencies = ResultDependencies &
  DeadlineDependencies &
  MiddlewareDependencies;

/** Result of running a call. */
export interface ToolExecution {
  readonly result: ToolResult<JsonValue>;
  readonly durationMs: number;
  /** Reason of the failure; undefined when the call succeeded. */
  readonly failure:
    | {
        kind: "threw" | "timeout" | "aborted" | "result-error" | "outcome-unknown";
        message: string;
      }
    | undefined;
  /** Findings of the safety engine in the result. */
  readonly remarks: readonly SafetyRemark[];
  /** Input that the tool asks a person for; the call is not over. */
  readonly input?: OwnInputRequest | undefined;
  /** ID of the safety rule that requires approval of the result; undefined when none does. */
  readonly review?: string | undefined;
}

/**
 * Runs an admitted call under its deadline. The turn must not have been interrupted before.
 * @param admitted - the final arguments as plain JSON for hooks; the arguments transformed by the schema
 *   for the tool; and the mode in which a command runs
 * @param input - answer to the input request of the call
 */
export async function executeTool(
  call: RequestedCall,
  entry: ToolEntry,
  { params, parsed, exec }: Pick<Admitted, "params" | "parsed" | "exec">,
  turn: RunningTurn<ExecutionDependencies>,
  input?: ToolInput,
): Promise<ToolExecution> {
  const startedAt = performance.now();
  // A copy, so that the tool cannot change the arguments that hooks and the transcript keep.
  const own = parsed === params ? structuredClone(params) : parsed;
  if (exec !== undefined) authorizeExec(own, exec);
  const { runId, sessionKey } = turn.request;
  const { toolCallId, toolName } = call;
  const raw = await toolTrace.trace(
    () => ({ runId, sessionKey, toolCallId, toolName, pluginId: entry.pluginId }),
    () => runWithinDeadline(call, entry, own, turn, input),
    ({ failure }) => ({ outcome: failure?.kind ?? "ok" }),
  );
  const durationMs = () => Math.round(performance.now() - startedAt);
  const { input: request, ...result } = raw.result;
  if (request !== undefined && raw.failure === undefined) {
    const name = request.name ?? "input";
    return {
      result,
      failure: undefined,
      remarks: [],
      durationMs: durationMs(),
      input: { ...request, name },
    };
  }
  const outcome = await throughMiddlewares(
    call,
    params,
    guarded(call, { ...raw, result }, turn),
    turn,
  );
  return { ...outcome, durationMs: durationMs() };
}

/**
 * Returns the execution of a call that its client has run, with the result after the safety engine.
 * @param output - result as the client sent it
 * @param turn - the turn that receives it
 */
export function receiveResult(
  call: RequestedCall,
  output: ToolResult,
  turn: RunningTurn<ExecutionDependencies>,
): ToolExecution {
  const result = normaliseToolOutput(call.toolName, output);
  const failure =
    result.isError === true
      ? ({ kind: "result-error", message: previewOf(result) } as const)
      : undefined;
  return { ...guarded(call, { result, failure }, turn), durationMs: 0 };
}

/**
 * Returns the execution of a call that ran when its process ended: it may or may not have done its work, and hooks
 * learn its end like that of every call that started (TURN-041).
 */
export function outcomeUnknown(): ToolExecution {
  const message =
    "interrupted: outcome unknown. The host ended while the tool ran, which may or may not have done its work; find out before you call it again.";
  return { ...failed("outcome-unknown", message), durationMs: 0, remarks: [] };
}

type RawExecution = Pick<ToolExecution, "result" | "failure">;

/** Returns the result after the safety engine; the original is not used from here on (HCR-016). */
function guarded(
  { toolCallId, toolName }: RequestedCall,
  { result, failure }: RawExecution,
  { request, dependencies }: RunningTurn<ExecutionDependencies>,
): Omit<ToolExecution, "durationMs"> {
  const isRecorded = dependencies.recordedOutputs !== undefined;
  const safe = guardResult(toolName, result, dependencies.safety, isRecorded);
  const acted = safe.remarks.filter(({ action }) => action !== "allow" && action !== "warn");
  if (acted.length > 0) {
    const { runId, sessionKey } = request;
    const rules = acted.map(({ rule }) => rule);
    dependencies.logger.warn(`safety changed the output of ${toolName}: ${rules.join(", ")}`, {
      code: "TOOL_OUTPUT_GUARDED",
      toolCallId,
      runId,
      sessionKey,
    });
  }
  if (failure === undefined) return { ...safe, failure };
  const [said] = safe.result.content;
  // For a failure the host's message is the result itself; for an error result it is one line.
  const isSaid = failure.kind !== "result-error" && said?.type === "text";
  const message = isSaid ? said.text : guardText(failure.message, dependencies.safety);
  return { ...safe, failure: { ...failure, message } };
}

/**
 * Passes a result through the middlewares of plugins, which see it without secrets. The safety engine inspects each
 * replacement.
 */
async function throughMiddlewares(
  call: RequestedCall,
  args: Readonly<Record<string, unknown>>,
  execution: Omit<ToolExecution, "durationMs">,
  turn: RunningTurn<ExecutionDependencies>,
): Promise<Omit<ToolExecution, "durationMs">> {
  const { toolResultMiddlewares = [] } = turn.pin;
  // The recorded result is the one after the middlewares.
  if (turn.dependencies.recordedOutputs !== undefined) return execution;
  let current = execution;
  for (const middleware of toolResultMiddlewares) {
    const { result, failure, remarks } = current;
    const isError = failure !== undefined;
    const replacement = await replacedResult(middleware, { ...call, args, result, isError }, turn);
    if (replacement === undefined) continue;
    const replaced = normaliseToolOutput(call.toolName, replacement);
    // The call cost what its tool reported.
    const output = { ...replaced, ...defined({ cost: result.cost ?? replaced.cost }) };
    const next = guarded(call, { result: output, failure }, turn);
    current = { ...next, remarks: [...remarks, ...next.remarks] };
  }
  return current;
}

async function runWithinDeadline(
  call: RequestedCall,
  entry: ToolEntry,
  params: Record<string, unknown>,
  { request, state, dependencies }: RunningTurn<ExecutionDependencies>,
  input: ToolInput | undefined,
): Promise<RawExecution> {
  const { toolCallId, toolName } = call;
  const { timers = systemClock, safety, counters, recordedOutputs } = dependencies;
  const deadlineMs = deadlineOf(entry, dependencies.toolTimeouts);
  const timeout = new Error(`Tool timed out after ${deadlineMs} ms`);
  // Aborts at the deadline and on interrupt only: work started by a finished call may still use the signal.
  const stop = new AbortController();
  const interrupt = () => stop.abort(request.signal.reason);
  const timer = timers.setTimeout(() => stop.abort(timeout), deadlineMs);
  request.signal.addEventListener("abort", interrupt, { once: true });
  const updates = new ToolUpdates((text) =>
    request.onEvent({ type: "tool-update", toolCallId, text }),
  );
  const onUpdate = (partial: ToolOutput) => {
    const given = normaliseToolOutput(toolName, partial);
    updates.report(() => guardText(updateText(given), safety));
  };
  let running = true;
  const given = input === undefined ? [] : ([input] as const);
  const invoke = () => entry.tool.execute(toolCallId, params, stop.signal, onUpdate, ...given);
  const execute = async () => {
    try {
      if (recordedOutputs !== undefined) return await recordedOutputs.output(call, state);
      return entry.pluginId === undefined || dependencies.callPlugin === undefined
        ? await invoke()
        : await dependencies.callPlugin(entry.pluginId, invoke);
    } finally {
      if (!running) counters.increase("late_tool_results_total");
    }
  };
  try {
    const output = await waitUnlessAborted(stop.signal, execute);
    const result = normaliseToolOutput(toolName, output);
    if (hasInvalidCost(output)) {
      dependencies.logger.warn(
        `the cost that ${toolName} reported is left out: expected { usd: "0.0125", estimated: false } with US dollars as a decimal number`,
        { code: "TOOL_COST_INVALID", toolCallId, pluginId: entry.pluginId },
      );
    }
    if (result.isError !== true) return { result, failure: undefined };
    return { result, failure: { kind: "result-error", message: previewOf(result) } };
  } catch (error) {
    if (stop.signal.reason === timeout) return failed("timeout", timeout.message);
    if (stop.signal.aborted) return failed("aborted", "Tool aborted");
    return failed("threw", `${toolName} failed: ${errorMessage(error)}`);
  } finally {
    running = false;
    updates.end();
    timers.clearTimeout(timer);
    request.signal.removeEventListener("abort", interrupt);
  }
}

function deadlineOf(
  { name, tool }: ToolEntry,
  toolTimeouts: DeadlineDependencies["toolTimeouts"],
): number {
  // Names come from plugins: a tool called `constructor` must not find what every object inherits.
  const configured = Object.hasOwn(toolTimeouts, name) ? toolTimeouts[name] : undefined;
  return Math.min(tool.timeoutMs ?? configured ?? DEFAULT_DEADLINE_MS, MAXIMUM_DEADLINE_MS);
}

function failed(
  kind: "threw" | "timeout" | "aborted" | "outcome-unknown",
  message: string,
): RawExecution {
  return {
    result: { isError: true, content: [{ type: "text", text: message }] },
    failure: { kind, message },
  };
}

/**
 * Fires the hooks of a call that ran: `tool_error` first when it failed, then `after_tool_call` in every
 * case (D16).
 * @param params - its final arguments
 * @param execution - its result as the model receives it
 */
export function notifyExecution(
  { toolCallId, toolName }: RequestedCall,
  params: Record<string, unknown>,
  { result, failure, durationMs }: ToolExecution,
  turn: RunningTurn<Pick<ResultDependencies, "logger">>,
): void {
  const { hooks } = turn.pin;
  const { logger } = turn.dependencies;
  const context = toolContext(turn, toolName, toolCallId);
  const call = { toolName, params, runId: turn.request.runId, toolCallId, durationMs };
  if (failure === undefined) {
    const ended = { ...call, result, outcome: "ok" as const };
    logRejection(hooks.observe("after_tool_call", ended, context), logger);
    return;
  }
  const { kind, message } = failure;
  const error = { code: `TOOL_${kind.replace("-", "_").toUpperCase()}`, message, kind };
  logRejection(hooks.observe("tool_error", { ...call, error }, context), logger);
  const ended = { ...call, result, outcome: "error" as const, error: message };
  logRejection(hooks.observe("after_tool_call", ended, context), logger);
}
