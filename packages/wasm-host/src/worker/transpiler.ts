import { Worker } from "node:worker_threads";
import { Mutex } from "@openclaw/foundation";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { TranspileResult } from "./transpile-worker.js";

const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./transpile-worker.ts" : "./transpile-worker.js",
  import.meta.url,
);
/** Time after which a transpilation is ended, in milliseconds. */
const MAX_MS = 60_000;
/** Time for which the worker is kept for another component: starting it takes longer than a transpilation. */
const IDLE_MS = 5000;

/** Makes code of components, one after another in a worker thread that ends when it is not used. */
export class Transpiler {
  readonly #mutex = new Mutex();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  /**
   * Returns the files of a component, or the problem for which there are none.
   * @param bytes - content of the component
   */
  async transpile(bytes: Uint8Array): Promise<TranspileResult> {
    return await this.#mutex.run(async () => {
      clearTimeout(this.#idle);
      this.#worker ??= new Worker(WORKER, { execArgv: [], stdout: true, stderr: true });
      const worker = this.#worker;
      worker.ref();
      const result = await answerOf(worker, bytes);
      worker.unref();
      // A component that is refused may leave anything in its memory.
      if ("problem" in result) await this.close();
      else this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
      return result;
    });
  }

  /** Ends the worker; a later component starts another one. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function answerOf(worker: Worker, bytes: Uint8Array): Promise<TranspileResult> {
  return new Promise((resolve) => {
    const end = (result: TranspileResult) => {
      clearTimeout(timer);
      worker.off("message", end).off("error", onError).off("exit", onExit);
      resolve(result);
    };
    const onError = (error: unknown) => end({ problem: errorMessage(error) });
    const onExit = () => end({ problem: "the worker thread ended" });
    const timer = setTimeout(() => end({ problem: `it took longer than ${MAX_MS} ms` }), MAX_MS);
    worker.on("message", end).on("error", onError).on("exit", onExit);
    worker.postMessage(bytes);
  });
}
