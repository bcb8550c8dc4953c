import { createHash } from "node:crypto";
import { targetOf } from "@openclaw/jobs";
import type { Messaging, PostOutcome } from "@openclaw/messaging";
import type { Routine, RoutineDelivery, RoutineRun, Store, Turn } from "@openclaw/store";
import { shownDefinition } from "./definition.js";

/** Dependencies of {@link RoutineResults}. */
export interface RoutineResultsDependencies {
  readonly store: Store;
  readonly posts: Messaging["posts"];
}

/** Brings the results of runs to the conversations that asked, each once (JOB-030). */
export class RoutineResults {
  readonly #dependencies: RoutineResultsDependencies;

  /** @param dependencies - store and conversations */
  constructor(dependencies: RoutineResultsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Delivers the result of a run, if its routine wants it, and records its status.
   * @param routine - the routine as it is now
   * @param run - a run that was done
   * @returns the delivery; undefined while messages of an earlier process are still being sent
   */
  async deliver(routine: Routine, run: RoutineRun): Promise<RoutineDelivery | undefined> {
    if (run.delivery !== undefined) return run.delivery;
    const { store, posts } = this.#dependencies;
    const { askedIn: sessionKey, agentId } = routine;
    const text = wantedText(routine, run);
    if (text === undefined) return await this.#record(run, { state: "not-requested" });
    if (sessionKey === undefined) {
      const reason = "no conversation asked for it";
      return await this.#record(run, { state: "not-requested", reason });
    }
    const turn = await this.#turnOf(run);
    const runId = turn?.runId ?? noticeId(run);
    const target = targetOf(routine);
    const post = { runId, inboxId: turn?.inboxId, sessionKey, agentId, target, text };
    await posts.postOnce(post, {
      async isOpen(unit) {
        const now = await unit.routines.runs.get(run);
        return now !== undefined && now.delivery === undefined;
      },
      async record(unit, outcome) {
        await unit.routines.runs.deliver(run, deliveryOf(outcome));
      },
    });
    return (await store.routines.runs.get(run))?.delivery;
  }

  async #turnOf({ runId, jobId }: RoutineRun): Promise<Turn | undefined> {
    const { store } = this.#dependencies;
    const turnId =
      runId ?? (jobId === undefined ? undefined : (await store.jobs.get(jobId))?.runId);
    return turnId === undefined ? undefined : await store.turns.get(turnId);
  }

  async #record(run: RoutineRun, delivery: RoutineDelivery): Promise<RoutineDelivery> {
    await this.#dependencies.store.routines.runs.deliver(run, delivery);
    return delivery;
  }
}

function deliveryOf(outcome: PostOutcome): RoutineDelivery {
  if (outcome.state === "delivered") return { state: "delivered" };
  return { state: "not-delivered", reason: outcome.reason };
}

/** Returns the message for the conversation that asked; undefined when the routine wants none. */
function wantedText(routine: Routine, run: RoutineRun): string | undefined {
  const { onAttention, onFailure, onSuccess } = shownDefinition(routine).notify;
  const { name, enabled, disabledReason } = routine;
  const { state, answer = "", reason } = run;
  if (state === "failed") {
    const isDisabled = !enabled && disabledReason !== undefined;
    if (!onFailure && !isDisabled) return undefined;
    const disabled = isDisabled
      ? ` ${disabledReason}, and is disabled; /cron enable ${name} starts it again.`
      : "";
    return `Routine "${name}" failed: ${reason ?? "it failed"}.${disabled}`;
  }
  const isWanted = state === "ok" ? onSuccess : onAttention;
  if (!isWanted) return undefined;
  return reason === undefined ? answer : `${answer}\n\n(${reason})`;
}

/** Returns an ID for the message about a run without a turn, the same for a repeat. */
function noticeId({ routineId, plannedAt }: RoutineRun): string {
  return createHash("sha256")
    .update(`routine ${routineId} ${plannedAt}`)
    .digest("hex")
    .slice(0, 32);
}
