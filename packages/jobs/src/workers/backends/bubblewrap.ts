import { mkdir } from "node:fs/promises";
import { BubblewrapSandbox, runProcessGroup } from "@openclaw/core-tools";
import { errorMessage } from "@openclaw/foundation";
import { WorkerFailedError } from "../errors.js";
import type { RunningWorker, RuntimeState, WorkerBackend, WorkerStart } from "./backend.js";
import { WorkerOutput } from "./output.js";

/**
 * Runs workers with bubblewrap, where no container engine is installed. A worker ends with its host, and leaves nothing:
 * the kernel ends its processes and its mounts.
 */
export class BubblewrapBackend implements WorkerBackend {
  readonly name = "bubblewrap";
  readonly #sandbox: BubblewrapSandbox;
  readonly #folder: string;

  /** @param folder - folder of workers in the state folder */
  constructor(folder: string) {
    this.#folder = folder;
    this.#sandbox = new BubblewrapSandbox({ folders: [folder], stateDir: folder });
  }

  async state(): Promise<RuntimeState> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const state = await this.#sandbox.state();
    if (!state.active) return { isAvailable: false, cause: state.cause, remedy: state.remedy };
    return { isAvailable: true, notice: state.notice };
  }

  async start(worker: WorkerStart): Promise<RunningWorker> {
    const { program, arguments: words, workdir, mounts, limits, environment } = worker;
    const { memoryBytes, processes } = limits;
    const enclosed = await this.#sandbox.worker({
      ...{ program, arguments: words, workdir, mounts },
      limits: { memoryBytes, processes },
    });
    if (enclosed === undefined) throw new WorkerFailedError("bubblewrap no longer works");
    const stopping = new AbortController();
    const output = new WorkerOutput();
    const command = {
      program: enclosed.program,
      arguments: enclosed.arguments,
      workdir: "/",
      environment,
      onOutput: (text: string) => output.append(text),
    };
    const run = async () => {
      try {
        const { exitCode } = await runProcessGroup(command, stopping.signal);
        return { exitCode, output: output.text() };
      } catch (error) {
        return { exitCode: null, output: output.text() || errorMessage(error) };
      } finally {
        await enclosed.close();
      }
    };
    const ended = run();
    return {
      ended,
      async stop() {
        stopping.abort();
        await ended;
      },
    };
  }

  sweep(): Promise<number> {
    return Promise.resolve(0);
  }
}
