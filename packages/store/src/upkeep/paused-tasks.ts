import { readNote, writeNote } from "../database/database-notes.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

const NAME = "paused tasks";

/** Background tasks that an operator paused, so that they stay paused in the next process (HOST-180). */
export interface PausedTasks {
  /** Returns their names, in order. */
  list(): Promise<readonly string[]>;
  /**
   * Stores whether a task is paused.
   * @param name - name of the task
   * @param isPaused - false when it is resumed
   */
  set(name: string, isPaused: boolean): Promise<void>;
}

/** The paused tasks of a database or transaction. */
export class PausedTaskNote implements PausedTasks {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async list(): Promise<readonly string[]> {
    return (await readNote(this.#unit, NAME, isNames)) ?? [];
  }

  async set(name: string, isPaused: boolean): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      const names = new Set(await new PausedTaskNote(unit).list());
      if (isPaused) names.add(name);
      else names.delete(name);
      await writeNote(unit, NAME, [...names].sort());
    });
  }
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
