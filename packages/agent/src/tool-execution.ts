import type { ToolResult } from "@openclaw/plugin-sdk/tools";
import { unawaited } from "./observation.js";
import type { RequestedCall } from "./tool-judgement.js";
import { normaliseToolOutput, previewOf } from "./tool-result.js";
import type { ToolEntry } from "./tool-set.js";
import { type TurnScope, toolContext } from "./turn-scope.js";

const DEFAULT_DEADLINE_MS = 60_000;
const MAXIMUM_DEADLINE_MS = 600_000;

/** What running a call came to. */
export interface ToolExecution {
  readonly result: ToolResult;
  readonly durationMs: number;
  /** Why it failed; undefined when it did not. */
  readonly failure:
    | { kind: "threw" | "timeout" | "aborted" | "result-error"; message: string }
    | undefined;
}

/**
 * Runs an admitted call under its deadline and tells the hooks: `tool_error` first when it failed,
 * then `after_tool_call` in every case (D16).
 * @param call - the call
 * @param entry - its tool
 * @param params - the final arguments
 * @param turn - the running turn
 */
export async function executeTool(
  call: RequestedCall,
  entry: ToolEntry,
  params: Record<string, unknown>,
  turn: TurnScope,
): Promise<ToolExecution> {
  const startedAt = performance.now();
  const outcome = await runWithinDeadline(call, entry, params, turn);
  const execution = { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
  notify(call, params, execution, turn);
  return execution;
}

async function runWithinDeadline(
  { toolCallId, toolName }: RequestedCall,
  entry: ToolEntry,
  params: Record<string, unknown>,
  { request, services }: TurnScope,
): Promise<Omit<ToolExecution, "durationMs">> {
  const deadlineMs = Math.min(
    entry.tool.timeoutMs ?? services.toolTimeouts[entry.name] ?? DEFAULT_DEADLINE_MS,
    MAXIMUM_DEADLINE_MS,
  );
  const ended = new AbortController();
  const timeout = new Error(`Tool timed out after ${deadlineMs} ms`);
  const timer = setTimeout(() => ended.abort(timeout), deadlineMs);
  const signal = AbortSignal.any([request.signal, ended.signal]);
  let running = true;
  const onUpdate = (partial: unknown) => {
    if (!running) return;
    const text = previewOf(normaliseToolOutput(toolName, partial as ToolResult));
    request.onEvent({ type: "tool-update", toolCallId, text });
  };
  try {
    const output = await Promise.race([
      // Inside the race, so that a synchronous throw is a failure like any other.
      (async () => entry.tool.execute(toolCallId, params, signal, onUpdate))(),
      aborted(signal),
    ]);
    const result = normaliseToolOutput(toolName, output);
    if (result.isError !== true) return { result, failure: undefined };
    return { result, failure: { kind: "result-error", message: previewOf(result) } };
  } catch (error) {
    if (request.signal.aborted) return failed("aborted", "Tool aborted");
    if (error === timeout) return failed("timeout", timeout.message);
    const message = error instanceof Error ? error.message : String(error);
    return failed("threw", `${toolName} failed: ${message}`);
  } finally {
    running = false;
    clearTimeout(timer);
    ended.abort();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function failed(
  kind: "threw" | "timeout" | "aborted",
  message: string,
): Omit<ToolExecution, "durationMs"> {
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
