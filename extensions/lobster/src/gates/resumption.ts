import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { LobsterConfig } from "../config.js";
import { LobsterError } from "../errors.js";
import type { Request } from "../request/parameters.js";
import type { LobsterSession } from "../session.js";
import { type Continuation, openContinuation } from "./continuation.js";
import { CodeGuesses } from "./guesses.js";
import { approverProblem, identityOf } from "./identity.js";
import type { Keys } from "./keys.js";
import type { SuspendedRun } from "./run.js";
import type { SuspendedRuns } from "./runs.js";
import type { Suspension } from "./suspension.js";
import { checkToken } from "./token.js";

type Resume = Extract<Request, { readonly action: "resume" }>;

/** Run that may continue. */
export interface AdmittedRun {
  readonly run: SuspendedRun;
  readonly continuation: Continuation;
  /** Identity of the person who approved. */
  readonly approvedBy?: string | undefined;
  /** True when the model passed the gate, whose approval request is then not needed any more. */
  readonly isUndecided?: true;
}

/** Decision about a resume: the run continues, or it is cancelled. */
export type Admission =
  | { readonly status: "continue"; readonly admitted: AdmittedRun }
  | { readonly status: "cancelled" };

/** Dependencies of {@link Resumption}. */
export interface ResumptionDependencies {
  readonly runs: SuspendedRuns;
  readonly keys: Keys;
  readonly approvals: OpenClawPluginApi["approvals"];
  readonly suspension: Suspension;
  readonly config: Pick<LobsterConfig, "modelMayApprove">;
  /** IDs of the runs that the host continues by itself, and whose sessions it tells the result. */
  readonly resuming: ReadonlySet<string>;
  now(): number;
}

/** Decides whether a suspended run may continue (LOB-024 to LOB-030). */
export class Resumption {
  readonly #dependencies: ResumptionDependencies;
  readonly #guesses: CodeGuesses;

  /** @param dependencies - runs, keys and approvals */
  constructor(dependencies: ResumptionDependencies) {
    this.#dependencies = dependencies;
    this.#guesses = new CodeGuesses(dependencies.now);
  }

  /**
   * Finds the run of a token or code and evaluates the decision; it does not consume the token of a run that continues.
   * @param request - token or code, and decision
   * @param session - session of the caller
   * @throws LobsterError with the kind of the failure
   */
  async admit({ by, decision }: Resume, session: LobsterSession): Promise<Admission> {
    const run = await this.#find(by, session);
    if (decision.kind === "cancel") {
      await this.#cancel(run);
      return { status: "cancelled" };
    }
    const continuation = await openContinuation(run, this.#dependencies.keys);
    if (run.need === "input") {
      if (decision.kind === "response") {
        return { status: "continue", admitted: { run, continuation } };
      }
      throw new LobsterError(
        "parse_error",
        "response: the run waits for an answer, not an approval",
      );
    }
    if (decision.kind === "response") {
      throw new LobsterError(
        "parse_error",
        "approve: the run waits for an approval, not an answer",
      );
    }
    return await this.#approved(run, continuation);
  }

  async #approved(run: SuspendedRun, continuation: Continuation): Promise<Admission> {
    const { approvals, config, runs, resuming } = this.#dependencies;
    const { approvers, requester } = continuation;
    const record = run.approvalId === null ? undefined : await approvals.get(run.approvalId);
    switch (record?.decision) {
      case "allow-once":
      case "allow-always": {
        const { decidedBy: approvedBy } = record;
        const problem = approverProblem(approvedBy, identityOf(requester), approvers);
        if (problem !== undefined) return await this.#askAgain(run, problem);
        return { status: "continue", admitted: { run, continuation, approvedBy } };
      }
      case "deny":
      case "cancelled":
        await runs.change(run.id, "suspended", "cancelled", run.gate, !resuming.has(run.id));
        return { status: "cancelled" };
      case "timeout":
        await runs.change(run.id, "suspended", "timed-out", run.gate);
        throw new LobsterError(
          "token_expired",
          "there was no decision in time; start the run again",
        );
      case undefined: {
        const needsPerson =
          !config.modelMayApprove ||
          approvers.requiredApprover !== undefined ||
          approvers.isDifferent === true;
        if (needsPerson) throw waitsFor(run);
        return { status: "continue", admitted: { run, continuation, isUndecided: true } };
      }
    }
  }

  async #askAgain(run: SuspendedRun, problem: string): Promise<never> {
    const requested = await this.#dependencies.suspension.requestApproval(run, problem);
    const next =
      "code" in requested
        ? `the gate was requested again as ${requested.code}`
        : `it cannot be requested again: ${requested.reason}`;
    throw new LobsterError("denied", `the gate "${run.prompt}" did not pass: ${problem}; ${next}`);
  }

  async #cancel(run: SuspendedRun): Promise<void> {
    const { runs, approvals } = this.#dependencies;
    if (!(await runs.change(run.id, "suspended", "cancelled", run.gate))) throw consumed();
    if (run.approvalId !== null) await approvals.cancel(run.approvalId);
  }

  async #find(by: Resume["by"], session: LobsterSession): Promise<SuspendedRun> {
    const { runs, keys, now } = this.#dependencies;
    let run: SuspendedRun | undefined;
    if ("token" in by) {
      const { payload, problem } = await checkToken(by.token, session, keys, now());
      // A run is looked up for every token, so that the time of the answer does not tell what is wrong.
      run = await runs.get(payload?.id ?? "");
      if (problem !== undefined) throw problem;
      const isSame =
        run?.sessionKey === payload.sessionKey &&
        run.kind === payload.kind &&
        run.digest === payload.pipelineDigest;
      if (!isSame) throw unknown();
      if (run !== undefined && run.gate !== payload.gate) throw consumed();
    } else {
      if (!this.#guesses.take(session.sessionKey)) {
        throw new LobsterError(
          "denied",
          "approvalId: more than 10 codes were tried in a minute; wait a minute, or use the token",
        );
      }
      run = await runs.withCode(session.sessionKey, by.approvalId);
      if (run?.agentId !== session.agentId) throw unknown();
      this.#guesses.forgive(session.sessionKey);
    }
    if (run === undefined) throw unknown();
    if (run.status === "timed-out" || run.expiresAt <= now()) {
      throw new LobsterError("token_expired", "the run has expired; start it again");
    }
    if (run.status !== "suspended") throw consumed();
    return run;
  }
}

/** Returns the error for a run that another caller resumes or has resumed. */
export function consumed(): LobsterError {
  return new LobsterError(
    "token_consumed",
    "the run was already resumed or has ended; `openclaw lobster show` prints its result",
  );
}

function unknown(): LobsterError {
  return new LobsterError(
    "token_invalid",
    "no suspended run of this session has this token or code; use the one of the last envelope",
  );
}

function waitsFor(run: SuspendedRun): LobsterError {
  const how =
    run.approvalCode === null
      ? "wait for the approval request"
      : `a person decides with \`openclaw approvals approve ${run.approvalCode}\` or in chat`;
  return new LobsterError(
    "denied",
    `the gate "${run.prompt}" waits for a person; ${how}. The run then continues by itself`,
  );
}
