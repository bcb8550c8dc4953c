import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Routine, RoutineRun } from "@openclaw/store";
import type { FSWatcher } from "chokidar";
import { definitionOf } from "../definition.js";
import type { TriggeredRun } from "./run.js";

/** Time in milliseconds for which a file must not change before it counts as written. */
const SETTLE_MS = 2000;

/** Dependencies of {@link RoutineFiles}. */
export interface RoutineFilesDependencies {
  readonly logger: Logger;
  /** Shortest time without a change; 2 s when absent. */
  readonly settleMs?: number | undefined;
  /** Returns the real path of the workspace of an agent. */
  workspaceOf(agentId: string): string;
  /** Stores and starts a run. */
  start(routine: Routine, run: TriggeredRun): Promise<RoutineRun>;
}

/** Sets off routines by files that are written in the workspace of their agent. */
export class RoutineFiles {
  readonly #dependencies: RoutineFilesDependencies;
  readonly #watchers = new Map<string, FSWatcher>();
  #isClosed = false;

  /** @param dependencies - log, workspaces and runs */
  constructor(dependencies: RoutineFilesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Takes a routine up, as it is now; resolves once its files are watched.
   * @param routine - a routine that was added or changed
   */
  async place(routine: Routine): Promise<void> {
    const { routineId, agentId, name } = routine;
    await this.removed(routineId);
    const { trigger } = definitionOf(routine);
    if (!routine.enabled || trigger.kind !== "file" || this.#isClosed) return;
    const { workspaceOf, logger, settleMs = SETTLE_MS } = this.#dependencies;
    const root = workspaceOf(agentId);
    const { watch } = await import("chokidar");
    const watcher = watch(join(root, trigger.path), {
      ignoreInitial: true,
      // A link can lead out of the workspace.
      followSymlinks: false,
      ignored: (path) =>
        relative(root, path)
          .split(sep)
          .some((part) => /^\.[^.]/.test(part)),
      awaitWriteFinish: { stabilityThreshold: settleMs, pollInterval: Math.min(100, settleMs) },
    });
    this.#watchers.set(routineId, watcher);
    const changed = (path: string) => void this.#changed(routine, root, path);
    watcher.on("add", changed).on("change", changed);
    watcher.on("error", (error) =>
      logger.warn(`files of the routine "${name}" are not watched: ${errorMessage(error)}`),
    );
    await new Promise<void>((resolve) => watcher.once("ready", resolve));
  }

  /** Watches no more files of a routine. */
  async removed(routineId: string): Promise<void> {
    const watcher = this.#watchers.get(routineId);
    this.#watchers.delete(routineId);
    await watcher?.close();
  }

  /** Watches no more files. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#watchers.keys()].map((routineId) => this.removed(routineId)));
  }

  async #changed(routine: Routine, root: string, path: string): Promise<void> {
    const { start, logger } = this.#dependencies;
    try {
      const real = await realpath(path);
      const inside = relative(await realpath(root), real);
      if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return;
      const text = `The file ${inside} was written.`;
      await start(routine, { origin: "file", input: { source: "the workspace", text } });
    } catch (error) {
      logger.warn(`a file set off no run of "${routine.name}": ${errorMessage(error)}`);
    }
  }
}
