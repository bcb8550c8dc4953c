import { createHash } from "node:crypto";
import { defined, errorMessage } from "@openclaw/foundation";
import type { Messaging, PostOutcome } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Routine, RoutineDelivery, RoutineRun, Store } from "@openclaw/store";
import { notifiedPlaces, type Place, peopleMessages } from "./places.js";
import type { HeartbeatSettings } from "./settings.js";

/** Dependencies of {@link HeartbeatResults}. */
export interface HeartbeatResultsDependencies {
  readonly store: Store;
  readonly posts: Messaging["posts"];
  readonly pluginMessages: Pick<Messaging["pluginMessages"], "send">;
  readonly logger: Logger;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Read at each use, because a reload changes them. */
  settings(): HeartbeatSettings;
}

/** Tells what heartbeats found, and the operator when they fail (JOB-036, JOB-037). */
export class HeartbeatResults {
  readonly #dependencies: HeartbeatResultsDependencies;

  /** @param dependencies - store, conversations, log and settings */
  constructor(dependencies: HeartbeatResultsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Delivers the result of a heartbeat, if it has one, and records its status.
   * @param routine - the heartbeat as it is now
   * @param run - a run that was done
   */
  async deliver(routine: Routine, run: RoutineRun): Promise<RoutineDelivery | undefined> {
    if (run.delivery !== undefined) return run.delivery;
    const { store, logger, now, settings } = this.#dependencies;
    const { state, reason = "it failed", answer = "" } = run;
    const people = await peopleMessages(store, now());
    if (state !== "failed") {
      if (state === "ok") return await this.#record(run, { state: "not-requested" });
      if (run.origin === "manual") {
        const told = "the person who started it has the answer";
        return await this.#record(run, { state: "not-requested", reason: told });
      }
      return await this.#send(routine, run, answer, notifiedPlaces(settings(), people));
    }
    const { enabled, disabledReason } = routine;
    if (enabled || disabledReason === undefined) {
      logger.warn(`the heartbeat failed: ${reason}`, { code: "HEARTBEAT_FAILED" });
      return await this.#record(run, { state: "not-requested", reason: "the log has the failure" });
    }
    const notice = `The heartbeat is disabled. ${disabledReason}; the last reason: ${reason}. /heartbeat or \`openclaw heartbeat enable\` starts it again.`;
    logger.error(notice, { code: "HEARTBEAT_DISABLED" });
    // A configured conversation can be that of a user, whom the failure does not concern.
    return await this.#send(routine, run, notice, people.ofOperator.slice(0, 1));
  }

  async #send(
    routine: Routine,
    run: RoutineRun,
    text: string,
    places: readonly Place[],
  ): Promise<RoutineDelivery | undefined> {
    const { store } = this.#dependencies;
    if (places.length === 0) {
      const reason =
        "no conversation of the operator is known; set heartbeat.channel and heartbeat.to";
      return await this.#record(run, { state: "not-delivered", reason });
    }
    const problems: string[] = [];
    const shown = new Set<string>();
    for (const place of places) {
      const { sessionKey, target } = place;
      const outcome = shown.has(sessionKey)
        ? await this.#sendOnly(place, text)
        : await this.#post(place, routine, run, text);
      // Messages of an earlier process are still being sent; the next look settles them.
      if (outcome === undefined) return (await store.routines.runs.get(run))?.delivery;
      shown.add(sessionKey);
      if (outcome.state !== "delivered") problems.push(`${target.channel}: ${outcome.reason}`);
    }
    if (problems.length === 0) return await this.#record(run, { state: "delivered" });
    return await this.#record(run, { state: "not-delivered", reason: problems.join("; ") });
  }

  /** Adds the text to the history of the conversation too, so that the agent knows what an answer is about. */
  async #post(
    { sessionKey, target }: Place,
    { agentId }: Routine,
    run: RoutineRun,
    text: string,
  ): Promise<PostOutcome | undefined> {
    const { store, posts } = this.#dependencies;
    const { channel } = target;
    await store.sessions.open(sessionKey, { agentId, channel });
    const post = { runId: postId(run, target), sessionKey, agentId, target, text };
    return await posts.postOnce(post, {
      async isOpen(unit) {
        const now = await unit.routines.runs.get(run);
        return now !== undefined && now.delivery === undefined;
      },
      // The status of a run is that of all its conversations.
      record: async () => undefined,
    });
  }

  /** Another channel of a conversation whose history has the text already. */
  async #sendOnly({ target }: Place, text: string): Promise<PostOutcome> {
    const { channel, to, accountId, threadId } = target;
    const message = { channel, to, text, ...defined({ accountId, threadId }) };
    try {
      const receipt = await this.#dependencies.pluginMessages.send("heartbeat", message);
      if (receipt.status === "delivered") return { state: "delivered" };
      const reason = receipt.status === "failed" ? receipt.error : receipt.reason;
      return { state: receipt.status, reason: reason ?? "it was not sent" };
    } catch (error) {
      return { state: "failed", reason: errorMessage(error) };
    }
  }

  async #record(run: RoutineRun, delivery: RoutineDelivery): Promise<RoutineDelivery> {
    await this.#dependencies.store.routines.runs.deliver(run, delivery);
    return delivery;
  }
}

/** Returns an ID for the message about a run in a conversation, the same for a repeat. */
function postId({ routineId, plannedAt }: RoutineRun, target: Place["target"]): string {
  return createHash("sha256")
    .update(JSON.stringify(["heartbeat", routineId, plannedAt, target.channel, target.to]))
    .digest("hex")
    .slice(0, 32);
}
