import { isAbsolute, relative, resolve } from "node:path";
import type {
  JsonObject,
  JsonValue,
  NestedToolResult,
  ToolSessionContext,
} from "@openclaw/plugin-sdk/tools";
import type { Effect, EffectResult } from "./messages.js";
import type { PerformEffect } from "./process.js";

/** Name of the tool for steps that ask a model. */
export const LLM_TOOL = "llm_task";

/** Session and call for which a run has effects. */
export interface EffectContext {
  readonly callTool: NonNullable<ToolSessionContext["callTool"]>;
  readonly toolCallId: string;
  readonly workspaceDir: string;
  /** Time limit of commands in milliseconds. */
  readonly timeoutMs: number;
  /** Reports start and end of an effect (LOB-034). */
  onStep(step: string, status: "started" | "ok" | "failed" | "denied", ms: number): void;
}

/**
 * Creates the function that performs the effects of a run: each is a call of a tool of the session, on the path of all
 * calls (LOB-012, LOB-013).
 * @param context - session and call
 */
export function createPerformer(context: EffectContext): PerformEffect {
  const { callTool, toolCallId, onStep } = context;
  return async (effect, step, { signal, pause, resume: continueClock }) => {
    const { tool, params } = callOf(effect, context);
    const name = step ?? tool;
    const startedAt = performance.now();
    const ended = (status: NestedToolResult["status"]) =>
      onStep(name, status, Math.round(performance.now() - startedAt));
    onStep(name, "started", 0);
    try {
      const result = await callTool({
        parentToolCallId: toolCallId,
        ...(step === undefined ? {} : { parentStepId: step }),
        tool,
        params,
        signal,
        onApprovalPending: pause,
        onApprovalSettled: continueClock,
      });
      ended(result.status);
      return resultOf(effect, result);
    } catch (error) {
      ended("failed");
      throw error;
    }
  };
}

function callOf(
  effect: Effect,
  { workspaceDir, timeoutMs }: EffectContext,
): { readonly tool: string; readonly params: JsonObject } {
  if (effect.type === "tool") return { tool: effect.tool, params: effect.params };
  if (effect.type === "llm") return { tool: LLM_TOOL, params: effect.params };
  const { command, cwd, env, input } = effect;
  const line = "line" in command ? command.line : command.argv.map(quoted).join(" ");
  const folder = isAbsolute(cwd) ? cwd : resolve(workspaceDir, cwd);
  return {
    tool: "exec",
    params: {
      // The input is part of the command, so that policy and approvers see all of it.
      command: input === undefined ? line : `printf %s ${quoted(input)} | {\n${line}\n}`,
      workdir: relative(workspaceDir, folder) || ".",
      timeoutMs: Math.min(timeoutMs, 600_000),
      ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
    },
  };
}

function resultOf(effect: Effect, result: NestedToolResult): EffectResult {
  const text = result.content
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n");
  if (result.status === "denied") {
    const decision = result.decisionId === undefined ? "" : ` (decision ${result.decisionId})`;
    return { ok: false, fatal: true, message: `${text}${decision}` };
  }
  const { details } = result;
  if (effect.type === "exec") return commandResult(details, text);
  if (result.status === "failed") return { ok: false, message: text };
  if (effect.type === "llm") return { ok: true, value: details ?? null };
  return { ok: true, value: details ?? jsonOrText(text) };
}

function commandResult(details: JsonValue | undefined, text: string): EffectResult {
  if (typeof details !== "object" || details === null || Array.isArray(details)) {
    return { ok: false, message: text };
  }
  const { exitCode, output, truncated } = details;
  if (truncated === true) {
    return {
      ok: false,
      message:
        "the command printed more than 64 KiB, of which the middle is lost; filter its output, for example with head or jq",
    };
  }
  if (typeof exitCode !== "number") return { ok: false, message: text };
  return { ok: true, value: { exitCode, output: output ?? "" } };
}

function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Quotes a word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
