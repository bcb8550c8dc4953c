import type { ResolvedApproval } from "@openclaw/plugin-sdk/approvals";
import { errorMessage, startOfText } from "@openclaw/plugin-sdk/kit";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { type Continuation, openContinuation } from "./gates/continuation.js";
import type { InterruptedRuns } from "./gates/interrupted-runs.js";
import type { Keys } from "./gates/keys.js";
import type { RunStatus, SuspendedRun } from "./gates/run.js";
import type { SuspendedRuns } from "./gates/runs.js";
import type { Suspension } from "./gates/suspension.js";
import { TOOL } from "./tool.js";

/** Time in milliseconds for which the notice of a decision waits for the run. */
const PATIENCE_MS = 4000;
const MOST_INJECTED = 15_000;
const MOST_NAME = 200;

/** Sentences about runs that ended without a result. */
const UNKNOWN: Partial<Record<RunStatus, string>> & Record<"failed", string> = {
  failed:
    "the gateway stopped while the run continued, and its outcome is unknown; check what it did before you start it again",
  cancelled: "the gate was denied, and no further step ran",
};

/** Dependencies of {@link SelfResume}. */
export interface SelfResumeDependencies {
  readonly api: Pick<OpenClawPluginApi, "runtime" | "logger" | "approvals" | "session">;
  readonly runs: SuspendedRuns;
  readonly interrupted: InterruptedRuns;
  /** IDs of the runs that are continued here. */
  readonly resuming: Set<string>;
  readonly keys: Keys;
  readonly suspension: Suspension;
}

/** Continues runs after their approval requests were decided, and tells their sessions the result (LOB-029). */
export class SelfResume {
  readonly #dependencies: SelfResumeDependencies;

  /** @param dependencies - `api`, runs and keys */
  constructor(dependencies: SelfResumeDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Continues or cancels the run of a decided approval request. It waits for a short run, so that a host that stops after
   * the decision does not interrupt it.
   * @param approval - decided request
   */
  async decided(approval: Pick<ResolvedApproval, "id">): Promise<void> {
    const { runs, suspension } = this.#dependencies;
    await suspension.settled();
    const run = await runs.withApproval(approval.id);
    if (run?.status !== "suspended") return;
    const work = this.#continue(run);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS);
    });
    await Promise.race([work, patience]);
    clearTimeout(timer);
  }

  /** Continues the work of processes that died: on claims, approval requests, decided runs and results. */
  async recover(): Promise<void> {
    const { interrupted, api, suspension } = this.#dependencies;
    await interrupted.recover();
    for (const run of await interrupted.untold()) {
      await this.tell(
        run,
        run.result === "" ? (UNKNOWN[run.status] ?? UNKNOWN.failed) : run.result,
      );
    }
    for (const run of await interrupted.withoutRequest()) {
      // The process died between the continuation and its approval request.
      const requested = await suspension.requestApproval(run, "");
      if ("reason" in requested) api.logger.warn(`a gate cannot be decided: ${requested.reason}`);
    }
    for (const run of await interrupted.waiting()) {
      const record = await api.approvals.get(run.approvalId ?? "");
      if (record?.decision !== undefined) await this.#continue(run);
    }
  }

  /**
   * Tells a session the result of a run with its next turn.
   * @param run - the run
   * @param text - envelope as JSON, or a sentence
   */
  async tell(run: SuspendedRun, text: string): Promise<void> {
    const { api, runs } = this.#dependencies;
    const shown =
      text.length <= MOST_INJECTED
        ? text
        : `${startOfText(text, MOST_INJECTED)}… (the rest: openclaw lobster show ${run.code})`;
    try {
      await api.session.workflow.enqueueNextTurnInjection({
        sessionKey: run.sessionKey,
        text: `Result of the lobster run "${startOfText(run.name, MOST_NAME)}", which waited at "${run.prompt}":\n${shown}`,
        idempotencyKey: `${run.id}:${run.gate}`,
      });
      await runs.setTold(run.id);
    } catch (error) {
      api.logger.warn(`the result of a run could not be delivered: ${errorMessage(error)}`, {
        runId: run.id,
      });
    }
  }

  async #continue(run: SuspendedRun): Promise<void> {
    const { api, keys, resuming } = this.#dependencies;
    resuming.add(run.id);
    try {
      const { callTool } = api.runtime.agent;
      if (callTool === undefined) return;
      const { requester }: Continuation = await openContinuation(run, keys);
      const result = await callTool({
        sessionKey: run.sessionKey,
        tool: TOOL,
        params: { action: "resume", approvalId: run.code, approve: true },
        requester,
      });
      const text = result.content
        .flatMap((part) => (part.type === "text" ? [part.text] : []))
        .join("\n");
      // Another caller was faster, and delivers the result itself.
      if (/"type":"token_consumed"/.test(text)) return;
      await this.tell(run, text);
    } catch (error) {
      api.logger.error(`a run could not be resumed: ${errorMessage(error)}`, { runId: run.id });
    } finally {
      resuming.delete(run.id);
    }
  }
}
