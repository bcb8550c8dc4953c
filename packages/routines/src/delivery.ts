import { createHash } from "node:crypto";
import { targetOf } from "@openclaw/jobs";
import type { Messaging } from "@openclaw/messaging";
import type { OutboxRow, Routine, RoutineDelivery, RoutineRun, Store, Turn } from "@openclaw/store";
import { definitionOf } from "./definition.js";

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
    const known = await store.messages.outbox.partsOf(runId);
    if (known.length > 0) return await this.#recordRows(run, known);
    const target = targetOf(routine);
    const post = { runId, inboxId: turn?.inboxId, sessionKey, agentId, target, text };
    const delivery = await posts.post(post, async (unit, state) => {
      const now = await unit.routines.runs.get(run);
      if (now === undefined || now.delivery !== undefined) return false;
      if ((await unit.messages.outbox.partsOf(runId)).length > 0) return false;
      if (state === "shown") await unit.routines.runs.deliver(run, { state: "delivered" });
      if (state !== "no-session") return true;
      const reason = "the conversation that asked no longer exists; the result is kept here";
      await unit.routines.runs.deliver(run, { state: "not-delivered", reason });
      return false;
    });
    switch (delivery?.status) {
      case undefined:
        return (await store.routines.runs.get(run))?.delivery;
      case "delivered":
        return await this.#record(run, { state: "delivered" });
      case "suppressed":
        return await this.#record(run, { state: "not-delivered", reason: delivery.reason });
      case "failed":
        return await this.#record(run, { state: "not-delivered", reason: delivery.error });
    }
  }

  async #turnOf({ runId, jobId }: RoutineRun): Promise<Turn | undefined> {
    const { store } = this.#dependencies;
    const turnId =
      runId ?? (jobId === undefined ? undefined : (await store.jobs.get(jobId))?.runId);
    return turnId === undefined ? undefined : await store.turns.get(turnId);
  }

  /** Records the delivery by an earlier process, once all of its messages have ended. */
  async #recordRows(
    run: RoutineRun,
    rows: readonly OutboxRow[],
  ): Promise<RoutineDelivery | undefined> {
    if (rows.some(({ state }) => state === "pending")) return undefined;
    const bad = rows.find(({ state }) => state === "failed" || state === "suppressed");
    if (bad === undefined) return await this.#record(run, { state: "delivered" });
    const reason = bad.error?.message ?? bad.reason;
    return await this.#record(run, { state: "not-delivered", reason });
  }

  async #record(run: RoutineRun, delivery: RoutineDelivery): Promise<RoutineDelivery> {
    await this.#dependencies.store.routines.runs.deliver(run, delivery);
    return delivery;
  }
}

/** Returns the message for the conversation that asked; undefined when the routine wants none. */
function wantedText(routine: Routine, run: RoutineRun): string | undefined {
  const { onAttention, onFailure, onSuccess } = definitionOf(routine).notify;
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
