import { type Messaging, mainSessionKey } from "@openclaw/messaging";
import type { Routine, RoutineRun, Store } from "@openclaw/store";
import { notifiedPlaces, peopleMessages } from "./places.js";
import type { HeartbeatSettings } from "./settings.js";
import { HEARTBEAT_FILE, hasTask } from "./tasks.js";

const DAY = 86_400_000;
/** Days without a message from a person after which the heartbeat assumes that no user reads its results. */
const MOST_SILENT_DAYS = 7;

/** HEARTBEAT.md of an agent. */
export interface HeartbeatFile {
  /** Undefined when it cannot be read. */
  readonly text: string | undefined;
  /** Why there is no text; undefined when the file does not exist. */
  readonly problem?: string | undefined;
}

/** Dependencies of {@link HeartbeatChecks}. */
export interface HeartbeatChecksDependencies {
  readonly store: Pick<Store, "messages">;
  readonly live: Pick<Messaging["live"], "turns">;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Read at each use, because a reload changes them. */
  settings(): HeartbeatSettings;
  /** Reads HEARTBEAT.md of the workspace of an agent. */
  readFile(agentId: string): Promise<HeartbeatFile>;
}

/** Decides whether a heartbeat calls a model. */
export class HeartbeatChecks {
  readonly #dependencies: HeartbeatChecksDependencies;

  /** @param dependencies - store, queues, file and settings */
  constructor(dependencies: HeartbeatChecksDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns why a heartbeat does not run; undefined when it runs. A person who starts one is not kept waiting (SUB-019).
   * @param routine - the heartbeat
   * @param run - its due time
   */
  async reasonToSkip(
    { agentId, scheduledFrom }: Pick<Routine, "agentId" | "scheduledFrom">,
    { origin }: Pick<RoutineRun, "origin">,
  ): Promise<string | undefined> {
    const { store, live, now, settings, readFile } = this.#dependencies;
    const { text, problem = `there is no ${HEARTBEAT_FILE} in the workspace` } =
      await readFile(agentId);
    if (text === undefined) return problem;
    if (!hasTask(text)) return `${HEARTBEAT_FILE} has no task`;
    if (origin === "manual") return undefined;
    const people = await peopleMessages(store, now());
    const last = Math.max(people.lastAt ?? 0, scheduledFrom);
    if (now() - last > MOST_SILENT_DAYS * DAY) {
      return `no person has written for ${MOST_SILENT_DAYS} days; the next message starts the heartbeat again`;
    }
    const sessions = notifiedPlaces(settings(), people).map(({ sessionKey }) => sessionKey);
    const busy = [mainSessionKey(agentId), ...sessions].find(
      (sessionKey) => live.turns(sessionKey).length > 0,
    );
    return busy === undefined ? undefined : `the conversation ${busy} is busy`;
  }

  /** Returns the tasks of an agent. */
  async tasks(agentId: string): Promise<string> {
    return (await this.#dependencies.readFile(agentId)).text ?? "";
  }
}
