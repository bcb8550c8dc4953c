import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { NOTICES_LOST, type Routine, type Store } from "@openclaw/store";

/** Topic of changes of routines, with the ID of each. */
const ROUTINE_CHANGES = "routine-changes";

/** Dependencies of {@link SharedRoutineChanges}. */
export interface SharedRoutineChangesDependencies {
  readonly store: Pick<Store, "routines" | "topics" | "nodes">;
  readonly logger: Pick<Logger, "warn">;
  /** Takes a routine as it is now. */
  changed(routine: Routine): Promise<void>;
  /** Forgets a routine. */
  removed(routineId: string): Promise<void>;
}

/**
 * Changes of routines on the nodes of one database: whichever node makes one, the node that runs the routines takes it
 * (SCALE-016).
 */
export class SharedRoutineChanges {
  readonly #dependencies: SharedRoutineChangesDependencies;
  #ends: readonly (() => void)[] = [];

  /** @param dependencies - store, log, and what takes the changes */
  constructor(dependencies: SharedRoutineChangesDependencies) {
    this.#dependencies = dependencies;
  }

  /** True if another node can run what this one does not. */
  get areShared(): boolean {
    return this.#dependencies.store.nodes.own !== undefined;
  }

  /**
   * Tells the other nodes of a change that is stored.
   * @param routineId - ID of the routine, which may be removed
   */
  publish(routineId: string): void {
    if (this.areShared) this.#dependencies.store.topics.publish(ROUTINE_CHANGES, routineId);
  }

  /** Takes the changes of other nodes from now on. */
  open(): void {
    if (!this.areShared || this.#ends.length > 0) return;
    const { topics, routines } = this.#dependencies.store;
    this.#ends = [
      topics.subscribe(ROUTINE_CHANGES, (routineId, { isOwn }) => {
        if (!isOwn) this.#logged(this.#take(routineId));
      }),
      topics.subscribe(NOTICES_LOST, () => {
        this.#logged(
          (async () => {
            for (const routine of await routines.enabled()) {
              await this.#dependencies.changed(routine);
            }
          })(),
        );
      }),
    ];
  }

  /** Takes no more changes. */
  close(): void {
    for (const end of this.#ends) end();
    this.#ends = [];
  }

  async #take(routineId: string): Promise<void> {
    const { store, changed, removed } = this.#dependencies;
    const routine = await store.routines.get(routineId);
    if (routine === undefined) await removed(routineId);
    else await changed(routine);
  }

  #logged(work: Promise<void>): void {
    const { logger } = this.#dependencies;
    work.catch((error: unknown) =>
      logger.warn(`A change of a routine by another node is not in force: ${errorMessage(error)}`),
    );
  }
}
