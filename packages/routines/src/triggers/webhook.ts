import { createHash, createHmac } from "node:crypto";
import type { Routine, RoutineRun, Store } from "@openclaw/store";
import { definitionOf } from "../definition.js";
import type { TriggeredRun } from "./run.js";

/** Most requests of one routine that are accepted in a minute. */
const MOST_A_MINUTE = 60;
const MINUTE = 60_000;

/** Dependencies of {@link RoutineWebhooks}. */
export interface RoutineWebhooksDependencies {
  readonly store: Pick<Store, "routines">;
  /** Returns the key of the installation, from which the secrets are derived. */
  key(): Uint8Array;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Stores and starts a run. */
  start(routine: Routine, run: TriggeredRun): Promise<RoutineRun>;
}

/** A request that proved its sender. */
export interface RoutineRequestBody {
  readonly text: string;
  /** Idempotency key of the sender. */
  readonly key?: string | undefined;
  /** Signature, which is accepted once. */
  readonly proof?: string | undefined;
}

/** Outcome of a request. */
export type WebhookAnswer =
  | { readonly state: "accepted"; readonly plannedAt: number }
  /** The idempotency key was used before. */
  | { readonly state: "repeated"; readonly plannedAt: number }
  /** The signature was used before. */
  | { readonly state: "replayed"; readonly plannedAt: number }
  | { readonly state: "flooded" };

/** Requests of other services that set off routines, `POST /hooks/routine/<id>` (JOB-024). */
export class RoutineWebhooks {
  readonly #dependencies: RoutineWebhooksDependencies;

  /** @param dependencies - store, key, clock and runs */
  constructor(dependencies: RoutineWebhooksDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the secret of a routine; undefined for a routine that no request sets off. */
  secretOf(routine: Routine): string | undefined {
    const { trigger } = definitionOf(routine);
    if (trigger.kind !== "webhook") return undefined;
    const text = `routine webhook ${routine.routineId} ${trigger.salt}`;
    return createHmac("sha256", this.#dependencies.key()).update(text).digest("base64url");
  }

  /**
   * Returns the secret of an enabled routine; undefined when there is none that a request sets off.
   * @param routineId - whole ID, from a URL
   */
  async find(routineId: string): Promise<string | undefined> {
    const routine = await this.#dependencies.store.routines.get(routineId);
    return routine?.enabled === true ? this.secretOf(routine) : undefined;
  }

  /**
   * Sets off a routine.
   * @param routineId - ID of a routine that {@link RoutineWebhooks.find} knows
   * @param body - the request
   * @returns undefined when the routine was removed or disabled meanwhile
   */
  async accept(
    routineId: string,
    { text, key, proof }: RoutineRequestBody,
  ): Promise<WebhookAnswer | undefined> {
    const { store, now, start } = this.#dependencies;
    const routine = await store.routines.get(routineId);
    if (routine?.enabled !== true) return undefined;
    const identity = key === undefined ? undefined : hashOf(key);
    const { runs } = store.routines;
    const byKey = await runs.repeated(routineId, { identity });
    // A sender that repeats a request signs it anew, so the key counts first.
    if (byKey !== undefined) return { state: "repeated", plannedAt: byKey.plannedAt };
    const byProof = await runs.repeated(routineId, { proof });
    if (byProof !== undefined) return { state: "replayed", plannedAt: byProof.plannedAt };
    const last = await runs.of({ routineId, limit: MOST_A_MINUTE });
    const oldest = last.at(MOST_A_MINUTE - 1);
    if (oldest !== undefined && oldest.plannedAt > now() - MINUTE) return { state: "flooded" };
    const source = `a request to the webhook of the routine "${routine.name}"`;
    const input = { source, text };
    const run = await start(routine, { origin: "webhook", input, identity, proof });
    return { state: "accepted", plannedAt: run.plannedAt };
  }
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
