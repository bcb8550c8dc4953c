import { fileURLToPath } from "node:url";
import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { LobsterConfig, RunLimits } from "../config.js";
import type { Engine } from "../engine/engine.js";
import { FAILURE_TYPES, type FailureEnvelope, failure } from "../envelope/envelope.js";
import { withoutPaths } from "../error-text.js";
import type { SessionState, StateFiles, StateOwner } from "../state/session-state.js";
import type { WorkflowBundle } from "../workflow/bundle.js";
import { childEnvironment, childFlags, type RunPeople } from "./environment.js";
import { RunFolder } from "./folder.js";
import type { ChildTask } from "./messages.js";
import { type ChildOutcome, type PerformEffect, runChild } from "./process.js";

/** Gate of the engine's envelope. */
export interface EngineGate {
  readonly type?: string;
  readonly prompt: string;
  readonly items?: readonly JsonValue[];
  readonly preview?: string;
  readonly resumeToken: string;
  readonly requiredApprover?: string;
  readonly requireDifferentApprover?: boolean;
  readonly responseSchema?: JsonValue;
  readonly defaults?: JsonValue;
  readonly subject?: JsonValue;
}

/** Result of the engine. */
export type EngineResult =
  | { readonly status: "ok" | "cancelled"; readonly output: readonly JsonValue[] }
  | {
      readonly status: "needs_approval" | "needs_input";
      readonly gate: EngineGate;
      /** Files in which the engine keeps the suspended run. */
      readonly resume: StateFiles;
    };

/** One run or resume. */
export interface EngineTask {
  readonly request: ChildTask["request"];
  /** Workflow files; undefined for a pipeline. */
  readonly bundle: Pick<WorkflowBundle, "files"> | undefined;
  /** Files of the suspended run; empty for a new one. */
  readonly resume: StateFiles;
  /** Absolute path of the folder of the run. */
  readonly cwd: string;
  readonly owner: StateOwner;
  readonly people: RunPeople;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  readonly perform: PerformEffect;
  /** Called once the process is ready, before the first stage; a rejection ends the run. */
  readonly onReady?: (() => Promise<void>) | undefined;
  readonly onStage?: ((name: string) => void) | undefined;
}

/** Dependencies of {@link EngineRunner}. */
export interface EngineRunnerDependencies {
  readonly engine: Engine;
  readonly config: LobsterConfig;
  readonly state: SessionState;
  /** Removes secrets from a text. */
  redact(text: string): string;
}

/** Runs the engine, each time in a separate process. */
export class EngineRunner {
  readonly #dependencies: EngineRunnerDependencies;

  /** @param dependencies - engine, configuration and state */
  constructor(dependencies: EngineRunnerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Runs a task to its end or its next gate.
   * @returns the result, or the failure with its kind
   */
  async run(task: EngineTask): Promise<EngineResult | FailureEnvelope> {
    const { engine, config, state } = this.#dependencies;
    const folder = await RunFolder.create();
    try {
      const before = await state.load(task.owner);
      await folder.write(before, task.resume, task.bundle);
      const env = childEnvironment(folder, task.people, config, process.env);
      const file = fileURLToPath(new URL("./child.js", import.meta.url));
      const { limits, request } = task;
      const outcome = await runChild({
        file,
        flags: childFlags(file, engine, folder),
        folder: folder.path,
        env,
        timeoutMs: limits.timeoutMs,
        signal: task.signal,
        perform: task.perform,
        onReady: task.onReady,
        onStage: task.onStage,
        task: {
          kind: "task",
          engine: engine.entry,
          request: "filePath" in request ? placed(request, folder) : request,
          cwd: task.cwd,
          env,
          maxItems: limits.maxItems,
          maxBytes: limits.maxStdoutBytes,
        },
      });
      const result = this.#resultOf(outcome, limits);
      if ("error" in result) return result;
      const after = await folder.read();
      await state.store(task.owner, before, after.state);
      return "gate" in result ? { ...result, resume: after.resume } : result;
    } finally {
      await folder.remove();
    }
  }

  #resultOf(
    outcome: ChildOutcome,
    limits: RunLimits,
  ):
    | FailureEnvelope
    | { readonly status: "ok" | "cancelled"; readonly output: readonly JsonValue[] }
    | { readonly status: "needs_approval" | "needs_input"; readonly gate: EngineGate } {
    switch (outcome.kind) {
      case "envelope":
        return this.#read(outcome.text);
      case "timeout":
        return failure(
          "timeout",
          `the run did not end within ${limits.timeoutMs} ms; give a longer timeoutMs or run less`,
          outcome.step,
        );
      case "aborted":
        return failure("runtime_error", "the run was interrupted");
      case "denied":
        return failure("denied", this.#dependencies.redact(outcome.message), outcome.step);
      case "limit":
        return outcome.message.includes("steps")
          ? failure("runtime_error", outcome.message, outcome.step)
          : failure(
              "output_limit",
              `${outcome.message}; emit less, or raise the limit`,
              outcome.step,
            );
      case "crashed": {
        const how = outcome.signal ?? `exit code ${outcome.code}`;
        const said = this.#dependencies.redact(outcome.stderr.trim());
        return failure(
          "engine_crashed",
          `the engine ended without a result (${how})${said === "" ? "" : `: ${withoutPaths(said)}`}`,
        );
      }
    }
  }

  #read(text: string) {
    const envelope = parsed(text);
    if (envelope === undefined || envelope.protocolVersion !== 1) {
      return failure("engine_crashed", "the engine sent a result that is not an envelope");
    }
    if (envelope.ok !== true) {
      const error = envelope.error as { readonly type?: unknown; readonly message?: unknown };
      const known = FAILURE_TYPES.find((type) => type === error?.type) ?? "runtime_error";
      const message = withoutPaths(this.#dependencies.redact(String(error?.message ?? "failed")));
      return failure(
        known,
        /cost limit/i.test(message) ? `cost limit reached: ${message}` : message,
      );
    }
    const { status } = envelope;
    if (status === "needs_approval" || status === "needs_input") {
      const gate = status === "needs_approval" ? envelope.requiresApproval : envelope.requiresInput;
      return { status, gate: gate as unknown as EngineGate } as const;
    }
    const output = Array.isArray(envelope.output) ? envelope.output : [];
    return { status: status === "cancelled" ? "cancelled" : "ok", output } as const;
  }
}

function placed(
  request: Extract<ChildTask["request"], { readonly filePath: string }>,
  folder: RunFolder,
): ChildTask["request"] {
  return { ...request, filePath: `${folder.path}/${request.filePath}` };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}
