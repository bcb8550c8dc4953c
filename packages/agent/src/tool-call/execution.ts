import { errorMessage, systemClock, waitUnlessAborted } from "@openclaw/foundation";
import type { JsonValue, ToolOutput, ToolResult } from "@openclaw/plugin-sdk/tools";
import { type TurnScope, type TurnServices, toolContext } from "../context/scope.js";
import { unawaited } from "../observation.js";
import type { AdmittedArguments, RequestedCall } from "./authorize.js";
import { normaliseToolOutput, previewOf, updateText } from "./result.js";
import { guardResult, guardText, type SafetyRemark } from "./result-safety.js";
import type { ToolEntry } from "./tool-set.js";
import { ToolUpdates } from "./updates.js";

const DEFAULT_DEADLINE_MS = 60_000;
const MAXIMUM_DEADLINE_MS = 600_000;

/** What running a call came to. */
export interface ToolExecution {
  readonly result: ToolResult<JsonValue>;
  readonly durationMs: number;
  /** Why it failed; undefined when it did not. */
  readonly failure:
    | { kind: "threw" | "timeout" | "aborted" | "result-error"; message: string }
    | undefined;
  /** What the safety engine saw in the result. */
  readonly remarks: readonly SafetyRemark[];
}

/**
 * Runs an admitted call under its deadline and tells the hooks: `tool_error` first when it failed,
 * then `after_tool_call` in every case (D16). The turn must not have been interrupted before.
 * @param call - the call
 * @param entry - its tool
 * @param admitted - the final arguments, plain JSON, which hooks see; and what the tool's schema made
 *   of them, which the tool gets
 * @param turn - the running turn
 */
export async function executeTool(
  call: RequestedCall,
  entry: ToolEntry,
  { params, parsed }: AdmittedArguments,
  turn: TurnScope,
): Promise<ToolExecution> {
  const startedAt = performance.now();
  // A copy, since the hooks and the transcript are to keep what was asked for.
  const own = parsed === params ? structuredClone(params) : parsed;
  const outcome = guarded(call, await runWithinDeadline(call, entry, own, turn), turn);
  const execution = { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
  notify(call, params, execution, turn);
  return execution;
}

type RawExecution = Pick<ToolExecution, "result" | "failure">;

/** From here on nobody sees what the tool said otherwise than the safety engine left it (HCR-016). */
function guarded(
  { toolCallId, toolName }: RequestedCall,
  { result, failure }: RawExecution,
  { request, services }: TurnScope,
): Omit<ToolExecution, "durationMs"> {
  const safe = guardResult(toolName, result, services.safety);
  const acted = safe.remarks.filter(({ action }) => action !== "allow" && action !== "warn");
  if (acted.length > 0) {
    const { runId, sessionKey } = request;
    const rules = acted.map(({ rule }) => rule);
    services.logger.warn(`safety changed what ${toolName} answered: ${rules.join(", ")}`, {
      code: "TOOL_OUTPUT_GUARDED",
      toolCallId,
      runId,
      sessionKey,
    });
  }
  if (failure === undefined) return { ...safe, failure };
  const [said] = safe.result.content;
  // What the host says of a failure is the result itself; of an error result it is one line.
  const isSaid = failure.kind !== "result-error" && said?.type === "text";
  const message = isSaid ? said.text : guardText(failure.message, services.safety);
  return { ...safe, failure: { ...failure, message } };
}

async function runWithinDeadline(
  call: RequestedCall,
  entry: ToolEntry,
  params: Record<string, unknown>,
  turn: TurnScope,
): Promise<RawExecution> {
  const { toolCallId, toolName } = call;
  const { request, services } = turn;
  const deadlineMs = deadlineOf(entry, services);
  const timeout = new Error(`Tool timed out after ${deadlineMs} ms`);
  // Aborts at the deadline and on interrupt only: a call that has ended may leave work behind on it.
  const stop = new AbortController();
  const interrupt = () => stop.abort(request.signal.reason);
  const { timers = systemClock } = services;
  const timer = timers.setTimeout(() => stop.abort(timeout), deadlineMs);
  request.signal.addEventListener("abort", interrupt, { once: true });
  const updates = new ToolUpdates((text) =>
    request.onEvent({ type: "tool-update", toolCallId, text }),
  );
  const onUpdate = (partial: ToolOutput) => {
    const given = normaliseToolOutput(toolName, partial);
    updates.report(() => guardText(updateText(given), services.safety));
  };
  let running = true;
  const execute = async () => {
    try {
      const { recordedAnswers } = services;
      return recordedAnswers === undefined
        ? await entry.tool.execute(toolCallId, params, stop.signal, onUpdate)
        : await recordedAnswers.output(call, turn);
    } finally {
      if (!running) services.counters.increase("late_tool_results_total");
    }
  };
  try {
    const output = await waitUnlessAborted(stop.signal, execute);
    const result = normaliseToolOutput(toolName, output);
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

function deadlineOf({ name, tool }: ToolEntry, { toolTimeouts }: TurnServices): number {
  // Names come from plugins: a tool called `constructor` must not find what every object inherits.
  const configured = Object.hasOwn(toolTimeouts, name) ? toolTimeouts[name] : undefined;
  return Math.min(tool.timeoutMs ?? configured ?? DEFAULT_DEADLINE_MS, MAXIMUM_DEADLINE_MS);
}

function failed(kind: "threw" | "timeout" | "aborted", message: string): RawExecution {
  return {
    result: { isError: true, content: [{ type: "text", text: message }] },
    failure: { kind, message },
  };
}

function notify(
  { toolCallId, toolName }: RequestedCall,
  params: Record<string, unknown>,
  { result, failure, durationMs }: ToolExecution,
  turn: TurnScope,
): void {
  const { hooks } = turn.pin;
  const { logger } = turn.services;
  const context = toolContext(turn, toolName, toolCallId);
  const call = { toolName, params, runId: turn.request.runId, toolCallId, durationMs };
  if (failure === undefined) {
    const ended = { ...call, result, outcome: "ok" as const };
    unawaited(hooks.observe("after_tool_call", ended, context), logger);
    return;
  }
  const { kind, message } = failure;
  const error = { code: `TOOL_${kind.replace("-", "_").toUpperCase()}`, message, kind };
  unawaited(hooks.observe("tool_error", { ...call, error }, context), logger);
  const ended = { ...call, result, outcome: "error" as const, error: message };
  unawaited(hooks.observe("after_tool_call", ended, context), logger);
}
