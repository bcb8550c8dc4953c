import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { type LobsterConfig, limitsOf, type RunLimits } from "./config.js";
import {
  asJson,
  type Envelope,
  type FailureEnvelope,
  failure,
  success,
  withWarnings,
} from "./envelope/envelope.js";
import { withoutPaths } from "./error-text.js";
import { LobsterError } from "./errors.js";
import { assertUnchanged, type Continuation, runDigest } from "./gates/continuation.js";
import { identityOf } from "./gates/identity.js";
import { TOUCH_MS } from "./gates/interrupted-runs.js";
import { type AdmittedRun, consumed, type Resumption } from "./gates/resumption.js";
import type { SuspendedRuns } from "./gates/runs.js";
import type { RunAtGate, Suspension } from "./gates/suspension.js";
import type { Decision, Request } from "./request/parameters.js";
import { resolveFolder, shownPath } from "./request/paths.js";
import { createPerformer } from "./run/effects.js";
import type { ChildTask } from "./run/messages.js";
import type { EngineResult, EngineRunner, EngineTask } from "./run/runner.js";
import type { RunSlots } from "./run/slots.js";
import type { LobsterCall, LobsterSession } from "./session.js";
import { findBundle } from "./workflow/bundle.js";

type RunRequest = Extract<Request, { readonly action: "run" }>;
type ResumeRequest = Extract<Request, { readonly action: "resume" }>;

/** Number of the latest steps in an update. */
const SHOWN_STEPS = 20;

/** Dependencies of {@link Lobster}. */
export interface LobsterDependencies {
  readonly config: LobsterConfig;
  readonly engine: Pick<EngineRunner, "run">;
  readonly slots: RunSlots;
  readonly runs: SuspendedRuns;
  /** IDs of the runs that the host continues by itself, and whose sessions it tells the result. */
  readonly resuming: ReadonlySet<string>;
  readonly approvals: Pick<OpenClawPluginApi["approvals"], "cancel">;
  readonly suspension: Suspension;
  readonly resumption: Resumption;
  /** Removes secrets from a value. */
  redact(value: unknown): unknown;
}

/** Runs pipelines and workflow files, suspends them at gates, and resumes them. */
export class Lobster {
  readonly #dependencies: LobsterDependencies;

  /** @param dependencies - engine, store of the runs, and configuration */
  constructor(dependencies: LobsterDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Performs a request of the tool. It does not throw: every failure is an envelope (LOB-009).
   * @param request - checked request
   * @param session - session of the caller
   * @param call - call of the tool
   */
  async perform(request: Request, session: LobsterSession, call: LobsterCall): Promise<Envelope> {
    try {
      return request.action === "run"
        ? await this.#run(request, session, call)
        : await this.#resume(request, session, call);
    } catch (error) {
      return failureOf(error);
    }
  }

  async #run(request: RunRequest, session: LobsterSession, call: LobsterCall): Promise<Envelope> {
    const { config, slots } = this.#dependencies;
    const { source, args } = request;
    const { workspaceDir } = session;
    const limits = limitsOf(request, config);
    const cwd = await resolveFolder(workspaceDir, request.cwd);
    const bundle =
      source.kind === "workflow"
        ? await findBundle(config, workspaceDir, cwd, source.filePath)
        : undefined;
    const pipeline = source.kind === "pipeline" ? source.pipeline : "";
    const digests = bundle?.digests ?? {};
    const run: RunAtGate = {
      kind: source.kind,
      name: source.kind === "workflow" ? source.filePath : pipeline,
      digest: runDigest(bundle === undefined ? pipeline : digests, args),
      continuation: {
        ...(bundle === undefined
          ? {}
          : { bundle: { files: bundle.files }, workflow: bundle.workflow }),
        digests,
        cwd: shownPath(workspaceDir, cwd),
        requester: session.requester,
        timeoutMs: limits.timeoutMs,
        maxStdoutBytes: limits.maxStdoutBytes,
      },
    };
    const free = await slots.take(this.#within(limits, call));
    try {
      const request: ChildTask["request"] =
        bundle === undefined
          ? { action: "run", pipeline }
          : { action: "run", filePath: bundle.entry, args };
      const result = await this.#dependencies.engine.run({
        ...this.#task(session, call, limits, cwd),
        request,
        bundle,
        resume: {},
        people: { initiatedBy: identityOf(session.requester) },
      });
      return withWarnings(await this.#conclude(result, run, session), limits.warnings);
    } finally {
      free();
    }
  }

  async #resume(
    request: ResumeRequest,
    session: LobsterSession,
    call: LobsterCall,
  ): Promise<Envelope> {
    const { resumption, config, slots } = this.#dependencies;
    const admission = await resumption.admit(request, session);
    if (admission.status === "cancelled") return success({ status: "cancelled" });
    const { admitted } = admission;
    const { continuation } = admitted;
    await assertUnchanged(session.workspaceDir, continuation.digests);
    const { timeoutMs = continuation.timeoutMs, maxStdoutBytes = continuation.maxStdoutBytes } =
      request;
    const limits = limitsOf({ timeoutMs, maxStdoutBytes }, config);
    const cwd = await resolveFolder(session.workspaceDir, continuation.cwd);
    const free = await slots.take(this.#within(limits, call));
    try {
      const task = this.#task(session, call, limits, cwd);
      const envelope = await this.#continue(admitted, request.decision, task, session);
      return withWarnings(envelope, limits.warnings);
    } finally {
      free();
    }
  }

  /** The run is claimed before its process starts, and counts as resumed from the moment its next stage can start. */
  async #continue(
    { run, continuation, approvedBy, isUndecided }: AdmittedRun,
    decision: Decision,
    task: Omit<EngineTask, "request" | "bundle" | "resume" | "people">,
    session: LobsterSession,
  ): Promise<Envelope> {
    const { runs, engine, approvals, resuming } = this.#dependencies;
    const { id, gate } = run;
    if (!(await runs.change(id, "suspended", "claimed", gate))) throw consumed();
    if (isUndecided === true && run.approvalId !== null) await approvals.cancel(run.approvalId);
    let isRunning = false;
    const result = await this.#alive(id, () =>
      engine.run({
        ...task,
        request: {
          action: "resume",
          token: continuation.engineToken,
          ...(decision.kind === "response"
            ? { response: decision.response }
            : { approved: true as const }),
        },
        bundle: continuation.bundle,
        resume: continuation.files,
        people: { initiatedBy: identityOf(continuation.requester), approvedBy },
        onReady: async () => {
          isRunning = await runs.change(id, "claimed", "running", gate);
          if (!isRunning) throw consumed();
        },
      }),
    );
    const isInvalid = "error" in result && result.error.type === "parse_error";
    if (!isRunning || isInvalid) {
      // No stage has started, so the token stays valid.
      await runs.change(id, isRunning ? "running" : "claimed", "suspended", gate);
      return "error" in result ? result : failure("runtime_error", "the run was interrupted");
    }
    const at: RunAtGate = {
      kind: run.kind,
      name: run.name,
      digest: run.digest,
      continuation: withoutEngine(continuation),
      earlier: run,
    };
    const envelope = await this.#conclude(result, at, session);
    if (!envelope.ok || envelope.status === "ok" || envelope.status === "cancelled") {
      const status = envelope.ok ? "done" : "failed";
      const text = JSON.stringify(asJson(envelope));
      await runs.finish(id, gate, { status, result: text, isTold: !resuming.has(id) });
    }
    return envelope;
  }

  /** Shows other hosts that the process of a run is alive while it works. */
  async #alive<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const timer = setInterval(() => {
      // A host that cannot reach the database loses the run to another one, which the next change of its status notices.
      this.#dependencies.runs.touch(id).catch(() => undefined);
    }, TOUCH_MS);
    timer.unref();
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  async #conclude(
    result: EngineResult | FailureEnvelope,
    run: RunAtGate,
    session: LobsterSession,
  ): Promise<Envelope> {
    if ("error" in result) return result;
    if ("gate" in result) return await this.#dependencies.suspension.suspend(run, result, session);
    const output = this.#dependencies.redact(result.output);
    return success({
      status: result.status,
      output: Array.isArray(output) ? (output as readonly JsonValue[]) : [],
    });
  }

  #task(session: LobsterSession, call: LobsterCall, limits: RunLimits, cwd: string) {
    const { sessionKey, agentId, workspaceDir, callTool } = session;
    const steps: string[] = [];
    return {
      cwd,
      owner: { sessionKey, agentId },
      limits,
      signal: call.signal,
      perform: createPerformer({
        callTool,
        toolCallId: call.toolCallId,
        workspaceDir,
        timeoutMs: limits.timeoutMs,
        onStep: (step, status, ms) => {
          // The host drops updates that follow each other quickly, so each has the latest steps.
          steps.push(JSON.stringify({ step, status, ms }));
          call.onUpdate(steps.slice(-SHOWN_STEPS).join("\n"));
        },
      }),
    };
  }

  /** A run that waits for others does so within its own time limit (LOB-017). */
  #within({ timeoutMs }: RunLimits, { signal }: LobsterCall): AbortSignal {
    const timeout = AbortSignal.timeout(timeoutMs);
    return AbortSignal.any([signal, timeout]);
  }
}

function withoutEngine({
  engineToken: _token,
  files: _files,
  approvers: _approvers,
  ...rest
}: Continuation): RunAtGate["continuation"] {
  return rest;
}

/**
 * Returns the envelope of a thrown value (LOB-008).
 * @param error - any thrown value
 */
export function failureOf(error: unknown): FailureEnvelope {
  if (error instanceof LobsterError) return failure(error.type, error.message, error.step);
  if (error instanceof Error && error.name === "TimeoutError") {
    return failure("timeout", "the run waited for other runs until its time limit; try it later");
  }
  return failure("runtime_error", withoutPaths(errorMessage(error)));
}
