import { randomBytes } from "node:crypto";
import type { Writable } from "node:stream";
import { errorMessage } from "@openclaw/foundation";
import { ToolRefusalError } from "../errors.js";
import type { GroupEnd } from "./group.js";
import { OutputRing } from "./output-ring.js";

const MAX_ALIVE = 16;
/** Ended processes whose output can still be asked for. */
const MAX_ENDED = 16;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** State of a command that continues after the call that started it. */
export interface BackgroundProcess {
  readonly id: string;
  /** As it was given. */
  readonly command: string;
  readonly output: OutputRing;
  /** Milliseconds since it started; until it ended, once it has. */
  runTime(): number;
  /** End of the process; undefined while it runs. */
  readonly end: GroupEnd | { readonly problem: string } | undefined;
  /** Place up to which the output was polled. */
  polled: number;
  /**
   * Writes to its standard input; resolves when the text was accepted or buffered.
   * @param text - input, passed unchanged; a line end is not added
   * @throws ToolRefusalError when the process no longer accepts input
   */
  write(text: string): Promise<void>;
  /** Ends it with everything it started; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Receivers of a command's output and of its input stream. */
export interface CommandStreams {
  readonly onOutput: (text: string) => void;
  readonly onInput?: ((input: Writable) => void) | undefined;
}

/** Command to start, and its display name. */
export interface BackgroundCommand {
  /** As the model gave it. */
  readonly command: string;
  /** Ends it when it aborts, for example at a time limit. */
  readonly signal?: AbortSignal;
  /**
   * Runs the command.
   * @param streams - receivers of the output and of the input stream
   * @param signal - ends it early
   */
  run(streams: CommandStreams, signal: AbortSignal): Promise<GroupEnd>;
}

/** The background processes of a host, each seen only by the session that started it (TURN-059). */
export class BackgroundProcesses {
  readonly #sessions = new Map<string, Map<string, BackgroundProcess>>();
  #closed = false;

  /**
   * Starts a command in the background.
   * @param sessionId - the incarnation of the session it belongs to
   * @param command - command to start
   * @throws ToolRefusalError when the session has 16 that still run, or the host is closing
   */
  start(sessionId: string, command: BackgroundCommand): BackgroundProcess {
    const processes = this.#sessions.get(sessionId) ?? new Map<string, BackgroundProcess>();
    const alive = [...processes.values()].filter(({ end }) => end === undefined);
    if (alive.length >= MAX_ALIVE) {
      throw new ToolRefusalError(
        "too-large",
        `${MAX_ALIVE} background processes of this session are running, which is the maximum. Stop one with process kill first.`,
      );
    }
    if (this.#closed) {
      throw new ToolRefusalError("not-running", "The host is closing; no process can be started.");
    }
    const started = startProcess(command);
    processes.set(started.id, started);
    this.#sessions.set(sessionId, processes);
    forgetOldest(processes);
    return started;
  }

  /**
   * Returns the processes of a session, oldest first.
   * @param sessionId - the incarnation of the session
   */
  list(sessionId: string): readonly BackgroundProcess[] {
    return [...(this.#sessions.get(sessionId)?.values() ?? [])];
  }

  /**
   * Ends all processes of a session and forgets them.
   * @param sessionId - the incarnation of the session that ends
   */
  async endSession(sessionId: string): Promise<void> {
    const processes = this.list(sessionId);
    this.#sessions.delete(sessionId);
    await Promise.all(processes.map((process) => process.kill()));
  }

  /** Stops all processes; afterwards none can be started. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#sessions.keys()].map((sessionId) => this.endSession(sessionId)));
  }
}

function forgetOldest(processes: Map<string, BackgroundProcess>): void {
  const ended = [...processes.values()].filter(({ end }) => end !== undefined);
  for (const { id } of ended.slice(0, -MAX_ENDED)) processes.delete(id);
}

function startProcess({ command, signal, run }: BackgroundCommand): BackgroundProcess {
  const killing = new AbortController();
  const output = new OutputRing(MAX_OUTPUT_BYTES);
  const started = performance.now();
  let endedAt: number | undefined;
  let end: BackgroundProcess["end"];
  let input: Writable | undefined;
  const signals = signal === undefined ? killing.signal : AbortSignal.any([killing.signal, signal]);
  const ended = run(
    {
      onOutput: (text) => output.append(text),
      onInput: (stream) => {
        input = stream;
      },
    },
    signals,
  )
    .then(
      (found) => {
        end = found;
      },
      (error: unknown) => {
        end = { problem: errorMessage(error) };
      },
    )
    .finally(() => {
      endedAt = performance.now();
    });

  return {
    id: randomBytes(4).toString("hex"),
    command,
    output,
    polled: 0,
    runTime: () => Math.round((endedAt ?? performance.now()) - started),
    get end() {
      return end;
    },
    async write(text) {
      const stream = input;
      if (end !== undefined || stream === undefined || stream.destroyed) {
        throw new ToolRefusalError(
          "not-running",
          "The process no longer accepts input. Poll it for its output and exit status.",
        );
      }
      await new Promise<void>((resolve) => stream.write(text, () => resolve()));
    },
    async kill() {
      killing.abort();
      await ended;
    },
  };
}
