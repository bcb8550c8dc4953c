/** Interface with which a component was transpiled, as a worker loads it. */
export interface WorkerComponent {
  /** Identifies the content, for the modules that a worker keeps. */
  readonly key: string;
  /** File of the glue code. */
  readonly glue: string;
  readonly modules: readonly WorkerModule[];
  /** Version of the package `near:agent` that it was built for; undefined without one. */
  readonly version: string | undefined;
}

/** Instrumented core module. */
export interface WorkerModule {
  readonly name: string;
  readonly file: string;
  readonly pages: number;
  readonly tables: number;
}

/** Limits of one call (WASM-015). */
export interface WorkerLimits {
  readonly fuel: number;
  readonly memoryBytes: number;
  readonly instances: number;
  readonly tables: number;
  readonly logLines: number;
  readonly logBytes: number;
}

/** Call of a function of a component. */
export interface WorkerCall {
  readonly component: WorkerComponent;
  /** Exported interface. */
  readonly world: "tool" | "channel";
  /** Function in the form of JavaScript, for example `onStart`. */
  readonly function: string;
  readonly args: readonly unknown[];
  readonly limits: WorkerLimits;
}

/** Data that a worker is started with. */
export interface WorkerStart {
  /** Becomes 1 when an answer of the host is there. */
  readonly answered: SharedArrayBuffer;
  /** Brings the answers of the host. */
  readonly answers: import("node:worker_threads").MessagePort;
}

/** Level of a line of a component. */
export type GuestLogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** End of a call. */
export interface WorkerEnd {
  readonly type: "end";
  readonly value?: unknown;
  /** Error that the function returned. */
  readonly refusal?: string;
  /** True when the component does not export the function. */
  readonly isMissing?: boolean;
  /** Why the call failed; undefined when it did not. */
  readonly failure?: { readonly kind: WorkerFailure; readonly message: string };
  /** Units of fuel that the call consumed. */
  readonly fuel: number;
  /** Number of times that a memory was not grown because of the limit. */
  readonly denied: number;
}

/** Reason for which a call failed in the worker. */
export type WorkerFailure =
  | "fuel"
  | "call-stack"
  | "memory"
  | "tables"
  | "instances"
  | "trap"
  | "host";

/** Message of a worker. `began`: its code is loaded, and the component runs from now on. */
export type FromWorker =
  | { readonly type: "began" }
  | { readonly type: "log"; readonly level: GuestLogLevel; readonly message: string }
  | { readonly type: "host"; readonly name: string; readonly args: readonly unknown[] }
  | WorkerEnd;

/** Answer of the host to a call of one of its functions. */
export type HostAnswer = { readonly value: unknown } | { readonly error: unknown };
