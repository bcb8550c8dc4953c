import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { WasmLimitError, WasmTrapError } from "../errors.js";
import type { FromWorker, GuestLogLevel, HostAnswer, WorkerCall, WorkerEnd } from "./messages.js";
import { Transpiler } from "./transpiler.js";

/** Functions of the host for one call of a component. */
export interface HostFunctions {
  /**
   * Answers a call of a host function.
   * @param name - function in the form of JavaScript, for example `httpRequest`
   * @param args - arguments in the form of the glue code
   * @returns the value, or the error of a function with a result
   */
  call(name: string, args: readonly unknown[]): Promise<HostAnswer>;
  log(level: GuestLogLevel, message: string): void;
}

/** A call of a component, with what it needs outside its worker. */
export interface PoolCall extends WorkerCall {
  /** Name of the component in errors. */
  readonly name: string;
  readonly host: HostFunctions;
  readonly wallClockMs: number;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/** Value of a call, and what the call consumed. */
export interface CallResult {
  readonly value: unknown;
  /** Error that the function returned; undefined when it succeeded. */
  readonly refusal: string | undefined;
  /** True when the component does not export the function. */
  readonly isMissing: boolean;
  readonly fuel: number;
  /** Number of times that its memory did not grow because of the limit. */
  readonly denied: number;
}

/** Options of a {@link WorkerPool}. */
export interface WorkerPoolOptions {
  /** Maximum number of calls that run at the same time. */
  readonly workers?: number | undefined;
  /** Time in milliseconds after which an idle worker is ended. */
  readonly idleMs?: number | undefined;
}

const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./component-worker.ts" : "./component-worker.js",
  import.meta.url,
);
const DEFAULT_WORKERS = 4;
const DEFAULT_IDLE_MS = 60_000;
/** Time that a worker has to start and to load a component, in milliseconds; no code of the component runs in it. */
const LOAD_MS = 60_000;

/** Limits of the heap of a worker; the memories of components are limited by their own code. */
const RESOURCE_LIMITS = {
  maxOldGenerationSizeMb: 128,
  maxYoungGenerationSizeMb: 16,
  stackSizeMb: 4,
};

/**
 * Runs calls of components in worker threads: each call in a fresh instance, in a thread that is ended at the wall-clock
 * limit (WASM-019, WASM-020). Threads are kept warm between calls.
 */
export class WorkerPool {
  /** Makes code of components for the pool. */
  readonly transpiler = new Transpiler();
  readonly #maximum: number;
  readonly #idleMs: number;
  readonly #idle: IdleWorker[] = [];
  readonly #busy = new Set<Worker>();
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #isClosed = false;

  /** @param options - number of workers */
  constructor({ workers = DEFAULT_WORKERS, idleMs = DEFAULT_IDLE_MS }: WorkerPoolOptions = {}) {
    this.#maximum = workers;
    this.#idleMs = idleMs;
  }

  /**
   * Runs one call. The wall-clock limit counts from the moment at which the component begins to run.
   * @throws WasmLimitError, WasmTrapError, or the reason of the signal
   */
  async run(call: PoolCall): Promise<CallResult> {
    await this.#take(call.signal);
    try {
      return await this.#runTaken(call);
    } finally {
      this.#taken -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Ends all workers; running calls fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.transpiler.close();
    const idle = this.#idle.splice(0).map(({ worker, timer }) => {
      clearTimeout(timer);
      return worker;
    });
    await Promise.all([...idle, ...this.#busy].map((worker) => worker.terminate()));
  }

  async #take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    while (this.#taken >= this.#maximum) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (signal?.aborted) {
        this.#waiting.shift()?.();
        signal.throwIfAborted();
      }
    }
    this.#taken += 1;
  }

  async #runTaken(call: PoolCall): Promise<CallResult> {
    const { worker, answers, signal } = this.#acquire();
    this.#busy.add(worker);
    const run = new RunningCall(call, worker, answers, signal);
    try {
      const end = await run.result();
      this.#keep({ worker, answers, signal });
      return resultOf(call, end);
    } catch (error) {
      if (run.isEnded) await worker.terminate();
      throw error;
    } finally {
      this.#busy.delete(worker);
    }
  }

  #acquire(): PooledWorker {
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      clearTimeout(idle.timer);
      idle.worker.ref();
      return idle;
    }
    const { port1: answers, port2 } = new MessageChannel();
    const answered = new SharedArrayBuffer(4);
    const worker = new Worker(WORKER, {
      workerData: { answered, answers: port2 },
      transferList: [port2],
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: RESOURCE_LIMITS,
    });
    answers.unref();
    return { worker, answers, signal: new Int32Array(answered) };
  }

  #keep(pooled: PooledWorker): void {
    if (this.#isClosed) {
      void pooled.worker.terminate();
      return;
    }
    pooled.worker.unref();
    const timer = setTimeout(() => {
      const index = this.#idle.findIndex(({ worker }) => worker === pooled.worker);
      if (index >= 0) this.#idle.splice(index, 1);
      void pooled.worker.terminate();
    }, this.#idleMs);
    timer.unref();
    this.#idle.push({ ...pooled, timer });
  }
}

interface PooledWorker {
  readonly worker: Worker;
  readonly answers: MessagePort;
  readonly signal: Int32Array;
}

interface IdleWorker extends PooledWorker {
  readonly timer: NodeJS.Timeout;
}

/** One call in a worker, until it ends or is ended. */
class RunningCall {
  readonly #call: PoolCall;
  readonly #worker: Worker;
  readonly #answers: MessagePort;
  readonly #answered: Int32Array;
  /** True when the worker cannot be used again. */
  isEnded = false;

  constructor(call: PoolCall, worker: Worker, answers: MessagePort, answered: Int32Array) {
    this.#call = call;
    this.#worker = worker;
    this.#answers = answers;
    this.#answered = answered;
  }

  result(): Promise<WorkerEnd> {
    const { component, world, function: name, args, limits, signal } = this.#call;
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      };
      const fail = (error: unknown) => {
        this.isEnded = true;
        stop();
        // An error of a worker that is being ended has no other listener.
        this.#worker.on("error", () => {});
        reject(error);
      };
      const onAbort = () => fail(signal?.reason);
      let timer = setTimeout(
        () => fail(new WasmTrapError(this.#call.name, `it was not loaded in ${LOAD_MS} ms`)),
        LOAD_MS,
      );
      const onMessage = (message: FromWorker) => {
        if (message.type === "began") {
          clearTimeout(timer);
          timer = setTimeout(() => fail(this.#timeout()), this.#call.wallClockMs);
        } else if (message.type === "log") this.#call.host.log(message.level, message.message);
        else if (message.type === "host") void this.#answer(message.name, message.args);
        else {
          stop();
          resolve(message);
        }
      };
      const onError = (error: unknown) => fail(this.#workerFailure(error));
      const onExit = () => fail(new WasmTrapError(this.#call.name, "its worker thread ended"));
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      if (signal?.aborted === true) fail(signal.reason);
      else this.#worker.postMessage({ component, world, function: name, args, limits });
    });
  }

  async #answer(name: string, args: readonly unknown[]): Promise<void> {
    let answer: HostAnswer;
    try {
      answer = await this.#call.host.call(name, args);
    } catch (error) {
      answer = { error: errorMessage(error) };
    }
    if (this.isEnded) return;
    this.#answers.postMessage(answer);
    Atomics.store(this.#answered, 0, 1);
    Atomics.notify(this.#answered, 0);
  }

  #timeout(): WasmLimitError {
    const { name, wallClockMs } = this.#call;
    return new WasmLimitError(name, "wall-clock", `it ran longer than ${wallClockMs} ms`);
  }

  #workerFailure(error: unknown): Error {
    const { name } = this.#call;
    const isMemory =
      error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
    if (isMemory)
      return new WasmLimitError(name, "memory", "its values filled the heap of its worker");
    return new WasmTrapError(name, errorMessage(error));
  }
}

function resultOf({ name, limits }: PoolCall, end: WorkerEnd): CallResult {
  const { failure, fuel, denied, value, refusal, isMissing = false } = end;
  if (failure === undefined) return { value, refusal, isMissing, fuel, denied };
  switch (failure.kind) {
    case "fuel":
      throw new WasmLimitError(
        name,
        "fuel",
        `consumed ${fuel} of ${limits.fuel} units of fuel`,
        fuel,
      );
    case "trap":
    case "host": {
      const memory =
        denied > 0
          ? ` after its memory reached ${limits.memoryBytes} bytes and could not grow`
          : "";
      throw new WasmTrapError(name, `${failure.message}${memory}`);
    }
    default:
      throw new WasmLimitError(name, failure.kind, failure.message, fuel);
  }
}
