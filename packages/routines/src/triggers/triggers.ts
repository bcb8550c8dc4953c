import { errorMessage } from "@openclaw/foundation";
import type { InboundMessage, ReplyOutcome } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Routine, Store } from "@openclaw/store";
import { RoutineEvents } from "./events.js";
import { RoutineFiles, type RoutineFilesDependencies } from "./files.js";
import { claimNow, type TriggeredRun } from "./run.js";
import { RoutineWebhooks, type RoutineWebhooksDependencies } from "./webhook.js";

/** Dependencies of the triggers that the host provides. */
export type RoutineTriggersDependencies = Pick<RoutineWebhooksDependencies, "key"> &
  Pick<RoutineFilesDependencies, "settleMs" | "workspaceOf">;

/** Dependencies of {@link RoutineTriggers}. */
export interface RoutineTriggersParts extends RoutineTriggersDependencies {
  readonly store: Store;
  readonly logger: Logger;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Starts what waits. */
  started(): Promise<void>;
}

/** Sets off routines for requests, messages and changed files (JOB-024). */
export class RoutineTriggers {
  readonly webhooks: RoutineWebhooks;
  readonly #events: RoutineEvents;
  readonly #files: RoutineFiles;
  readonly #parts: RoutineTriggersParts;
  #isOpen = false;

  /** @param parts - store, log, clock, key and workspaces */
  constructor(parts: RoutineTriggersParts) {
    const { store, logger, now, settleMs, started } = parts;
    const start = async (routine: Routine, run: TriggeredRun) => {
      const stored = await claimNow(routine.routineId, run, now(), store);
      await started();
      return stored;
    };
    const workspaceOf = (agentId: string) => parts.workspaceOf(agentId);
    this.#parts = parts;
    this.webhooks = new RoutineWebhooks({ store, now, start, key: () => parts.key() });
    this.#events = new RoutineEvents({ store, start });
    this.#files = new RoutineFiles({ logger, settleMs, workspaceOf, start });
  }

  /** Takes the stored routines up. */
  async open(): Promise<void> {
    this.#isOpen = true;
    for (const routine of await this.#parts.store.routines.enabled()) await this.place(routine);
  }

  /**
   * Takes a routine up, as it is now.
   * @param routine - a routine that was added or changed
   */
  async place(routine: Routine): Promise<void> {
    if (!this.#isOpen) return;
    this.#events.place(routine);
    await this.#files.place(routine);
  }

  /**
   * Forgets a routine.
   * @param routineId - ID of a routine that was removed
   */
  async removed(routineId: string): Promise<void> {
    this.#events.removed(routineId);
    await this.#files.removed(routineId);
  }

  /** Sets nothing off any more. */
  close(): void {
    this.#isOpen = false;
    void this.#files.close();
  }

  /** Sets off the routines that a handled message matches. */
  handled(message: InboundMessage, outcome: ReplyOutcome): void {
    if (!this.#isOpen) return;
    this.#events.handled(message, outcome).catch((error: unknown) => {
      this.#parts.logger.error(`a message set off no routine: ${errorMessage(error)}`);
    });
  }
}
