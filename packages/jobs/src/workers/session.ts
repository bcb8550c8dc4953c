import { defined, startOfText } from "@openclaw/foundation";
import type { EventPublisher } from "@openclaw/protocol";
import type { Job } from "@openclaw/store";
import type { WorkerCompletion, WorkerEvent, WorkerStatus } from "./api/requests.js";

/** Events of one worker that clients receive within a second; further ones are counted. */
const MOST_EVENTS = 20;
const WINDOW_MS = 1000;
/** Length of the text of one event, in characters. */
const MOST_TEXT = 4096;

/** Dependencies of {@link WorkerSession}. */
export interface WorkerSessionDependencies {
  readonly events: EventPublisher;
  /** Time on a clock that does not change with that of the machine. */
  elapsed(): number;
  /** See {@link WorkerHostPort}. */
  guard(toolName: string, text: string): string;
  /** Called with each sign of progress. */
  progressed(): void;
}

/** The run of one job by a worker, from its start to its end. */
export class WorkerSession {
  readonly job: Job;
  /** Session of the turn. */
  readonly sessionId: string;
  /** `provider/model`. */
  readonly model: string;
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
  /** Resolves when the worker reports its end. */
  readonly completed: Promise<WorkerCompletion>;
  /** Called with the session of an external agent. */
  onSession: (id: string) => void = () => {};
  readonly #dependencies: WorkerSessionDependencies;
  #complete: (completion: WorkerCompletion) => void = () => {};
  #windowStart = 0;
  #inWindow = 0;
  #skipped = 0;
  #iteration = 0;

  /**
   * @param run - job, session, model and signal of the run
   * @param dependencies - receivers of events and progress
   */
  constructor(
    run: {
      readonly job: Job;
      readonly sessionId: string;
      readonly model: string;
      readonly signal: AbortSignal;
    },
    dependencies: WorkerSessionDependencies,
  ) {
    this.job = run.job;
    this.sessionId = run.sessionId;
    this.model = run.model;
    this.signal = run.signal;
    this.#dependencies = dependencies;
    this.completed = new Promise((resolve) => {
      this.#complete = resolve;
    });
  }

  /** Number of model calls that the worker reported. */
  get iteration(): number {
    return this.#iteration;
  }

  /** Counts a request of the worker as progress. */
  progressed(): void {
    this.#dependencies.progressed();
  }

  /** Takes the status of the worker. */
  status({ state, message = "", iteration, session_id: session }: WorkerStatus): void {
    this.#iteration = Math.max(this.#iteration, iteration);
    if (session !== undefined) this.onSession(session);
    this.#publish("status", undefined, message === "" ? state : `${state}: ${message}`);
  }

  /** Sends an event of the worker to clients, after the safety pipeline. */
  report({ event_type: type, data }: WorkerEvent): void {
    const tool = typeof data.tool === "string" ? data.tool : undefined;
    this.#publish(type, tool, textOf(data));
  }

  /**
   * Takes the end of the work; the first one counts.
   * @param completion - result or failure
   */
  complete(completion: WorkerCompletion): void {
    this.#complete(completion);
  }

  #publish(type: WorkerEvent["event_type"], tool: string | undefined, text: string): void {
    const { events, elapsed, guard, progressed } = this.#dependencies;
    progressed();
    const now = elapsed();
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now;
      this.#inWindow = 0;
    }
    this.#inWindow += 1;
    if (this.#inWindow > MOST_EVENTS) {
      this.#skipped += 1;
      return;
    }
    const skipped = this.#skipped === 0 ? undefined : this.#skipped;
    this.#skipped = 0;
    const { jobId } = this.job;
    const shown = startOfText(guard(tool ?? "worker", startOfText(text, MOST_TEXT)), MOST_TEXT);
    events.publish("job.worker_event", {
      ...{ jobId, type, text: shown },
      ...defined({ tool: tool && startOfText(tool, 64), skipped }),
    });
  }
}

/** Returns the text of an event: its field `text`, else all of it as JSON. */
function textOf(data: WorkerEvent["data"]): string {
  if (typeof data.text === "string") return data.text;
  const { tool: _tool, ...rest } = data;
  return JSON.stringify(rest);
}
