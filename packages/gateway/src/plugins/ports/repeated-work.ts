import type { BackgroundTasks, TaskSchedule } from "@openclaw/foundation";
import type { RepeatedWork } from "@openclaw/plugin-sdk/services";

interface RepeatedTask {
  readonly schedule: TaskSchedule;
  /** The work of each generation that repeats it; the newest one does it. */
  readonly works: RepeatedWork[];
}

/** Work that plugins repeat, as background tasks of the host (HOST-505). */
export class PluginTasks {
  readonly #tasks: Pick<BackgroundTasks, "add">;
  readonly #repeated = new Map<string, RepeatedTask>();

  /** @param tasks - the background tasks of the host */
  constructor(tasks: Pick<BackgroundTasks, "add">) {
    this.#tasks = tasks;
  }

  /**
   * Repeats work of a plugin. While the plugin is reloaded, the work of the new generation takes the place of the old one's,
   * and gives it back when the new generation cannot start.
   * @param work - what it repeats
   * @returns ends it
   */
  repeat(pluginId: string, work: RepeatedWork): () => void {
    const name = `${pluginId}/${work.name}`;
    const repeated = this.#repeated.get(name) ?? this.#add(pluginId, name, work);
    repeated.works.push(work);
    repeated.schedule.in(work.intervalMs);
    return () => {
      const { works, schedule } = repeated;
      const at = works.indexOf(work);
      if (at < 0) return;
      works.splice(at, 1);
      if (works.length > 0) return;
      schedule.remove();
      this.#repeated.delete(name);
    };
  }

  #add(pluginId: string, name: string, first: RepeatedWork): RepeatedTask {
    const works: RepeatedWork[] = [];
    const newest = () => works.at(-1) ?? first;
    const schedule = this.#tasks.add({
      ...{ name, pluginId },
      intervalMs: () => newest().intervalMs,
      async run() {
        const work = newest();
        schedule.in(work.intervalMs);
        await work.run();
      },
    });
    const repeated = { schedule, works };
    this.#repeated.set(name, repeated);
    return repeated;
  }
}
