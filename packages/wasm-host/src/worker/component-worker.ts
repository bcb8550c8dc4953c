import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { hostImports } from "./host-imports.ts";
import type {
  GuestLogLevel,
  HostAnswer,
  WorkerCall,
  WorkerComponent,
  WorkerEnd,
  WorkerFailure,
  WorkerLimits,
  WorkerModule,
  WorkerStart,
} from "./messages.ts";
import { wasiImports } from "./wasi.ts";

const PAGE = 65_536;
/** Components whose compiled modules a worker keeps. */
const KEPT_COMPONENTS = 16;

type Instance = Record<string, Record<string, (...args: readonly unknown[]) => unknown>>;

interface LoadedComponent {
  readonly instantiate: (
    module: (name: string) => WebAssembly.Module,
    imports: Record<string, object>,
    instantiateCore: (
      module: WebAssembly.Module,
      imports?: WebAssembly.Imports,
    ) => WebAssembly.Instance,
  ) => Instance;
  readonly modules: ReadonlyMap<
    string,
    { readonly module: WebAssembly.Module; readonly info: WorkerModule }
  >;
}

/** Ends a call for a reason that the host reports. */
class CallFailure extends Error {
  readonly kind: WorkerFailure;

  constructor(kind: WorkerFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

const { answered, answers } = workerData as WorkerStart;
const signal = new Int32Array(answered);
const loaded = new Map<string, LoadedComponent>();

parentPort?.on("message", async (call: WorkerCall) => {
  parentPort?.postMessage(await run(call));
});

async function run(call: WorkerCall): Promise<WorkerEnd> {
  const meters = new Meters(call.limits);
  let component: LoadedComponent;
  try {
    component = await load(call.component);
  } catch (error) {
    return meters.end({ failure: { kind: "host", message: messageOf(error) } });
  }
  parentPort?.postMessage({ type: "began" });
  try {
    const instance = instantiate(component, call, meters);
    const called = instance[call.world]?.[call.function];
    if (called === undefined) return meters.end({ isMissing: true });
    const value = called(...call.args);
    meters.check();
    return meters.end({ value });
  } catch (error) {
    const refusal = meters.isEmpty ? undefined : refusalOf(error);
    if (refusal !== undefined) return meters.end({ refusal });
    return meters.end({ failure: failureOf(error, meters) });
  }
}

/** Error of a function of the host. The glue code takes the error of a result from an object with this member. */
class HostError {
  readonly payload: unknown;

  constructor(payload: unknown) {
    this.payload = payload;
  }
}

/** Counters that the modules of one call share. */
class Meters {
  readonly #limits: WorkerLimits;
  readonly #fuel: WebAssembly.Global<"i64">;
  readonly #pages: WebAssembly.Global<"i32">;
  readonly #denied = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
  #instances = 0;
  #tables = 0;

  constructor(limits: WorkerLimits) {
    this.#limits = limits;
    this.#fuel = new WebAssembly.Global({ value: "i64", mutable: true }, BigInt(limits.fuel));
    const pages = Math.floor(limits.memoryBytes / PAGE);
    this.#pages = new WebAssembly.Global({ value: "i32", mutable: true }, pages);
  }

  get imports(): WebAssembly.ModuleImports {
    return { fuel: this.#fuel, pages: this.#pages, denied: this.#denied };
  }

  get isEmpty(): boolean {
    return this.#fuel.value < 0n;
  }

  /** Ends the call when it has no fuel. */
  check(): void {
    if (this.isEmpty) throw new CallFailure("fuel", "no fuel is left");
  }

  /** Counts a module before it is instantiated. */
  admit({ pages, tables }: WorkerModule): void {
    this.#instances += 1;
    this.#tables += tables;
    const { instances: maximum, tables: maximumTables, memoryBytes } = this.#limits;
    if (this.#instances > maximum) {
      throw new CallFailure("instances", `it has more than ${maximum} instances`);
    }
    if (this.#tables > maximumTables) {
      throw new CallFailure("tables", `it has more than ${maximumTables} tables`);
    }
    if (pages > this.#pages.value) {
      throw new CallFailure(
        "memory",
        `its memory begins with ${pages * PAGE} bytes, more than ${memoryBytes}`,
      );
    }
    this.#pages.value -= pages;
  }

  end(result: Pick<WorkerEnd, "value" | "refusal" | "isMissing" | "failure">): WorkerEnd {
    const fuel = this.#limits.fuel - Number(this.#fuel.value);
    return { type: "end", ...result, fuel, denied: this.#denied.value };
  }
}

function instantiate(
  { instantiate, modules }: LoadedComponent,
  { limits }: WorkerCall,
  meters: Meters,
): Instance {
  const infos = new Map([...modules.values()].map(({ module, info }) => [module, info]));
  const lines = new LogLines(limits);
  const imports = {
    ...wasiImports({
      write: (stream, text) => lines.write(stream === "stderr" ? "warn" : "info", text),
    }),
    ...hostImports({
      limits,
      log: (level, message) => {
        meters.check();
        lines.write(level, message);
      },
      call: (name, args) => {
        meters.check();
        return callHost(name, args);
      },
    }),
  };
  return instantiate(
    (name) => {
      const module = modules.get(name)?.module;
      if (module === undefined) throw new CallFailure("host", `module ${name} not found`);
      return module;
    },
    imports,
    (module, own = {}) => {
      const info = infos.get(module);
      if (info === undefined) throw new CallFailure("host", "unknown module");
      meters.admit(info);
      return new WebAssembly.Instance(module, { ...own, "openclaw:meter": meters.imports });
    },
  );
}

/** Sends the lines of one call to the host, up to the limit. */
class LogLines {
  readonly #limits: WorkerLimits;
  #lines = 0;

  constructor(limits: WorkerLimits) {
    this.#limits = limits;
  }

  write(level: GuestLogLevel, text: string): void {
    const { logLines, logBytes } = this.#limits;
    if (this.#lines > logLines) return;
    this.#lines += 1;
    const isLast = this.#lines > logLines;
    const message = isLast ? `further lines are left out after ${logLines}` : cut(text, logBytes);
    parentPort?.postMessage({ type: "log", level: isLast ? "warn" : level, message });
  }
}

function cut(text: string, bytes: number): string {
  // Each character has at least one byte.
  const start = text.slice(0, bytes);
  const encoded = Buffer.from(start);
  return encoded.length <= bytes ? start : new TextDecoder().decode(encoded.subarray(0, bytes));
}

/** Calls a function of the host, and blocks this thread until its answer is there. */
function callHost(name: string, args: readonly unknown[]): unknown {
  Atomics.store(signal, 0, 0);
  parentPort?.postMessage({ type: "host", name, args });
  Atomics.wait(signal, 0, 0);
  const answer = receiveMessageOnPort(answers)?.message as HostAnswer | undefined;
  if (answer === undefined) throw new CallFailure("host", `the host did not answer ${name}`);
  if ("error" in answer) throw new HostError(answer.error);
  return answer.value;
}

async function load(component: WorkerComponent): Promise<LoadedComponent> {
  const known = loaded.get(component.key);
  if (known !== undefined) {
    loaded.delete(component.key);
    loaded.set(component.key, known);
    return known;
  }
  const { instantiate } = (await import(pathToFileURL(component.glue).href)) as LoadedComponent;
  const modules = new Map(
    component.modules.map((info) => [
      info.name,
      { info, module: new WebAssembly.Module(readFileSync(info.file)) },
    ]),
  );
  const made = { instantiate, modules };
  loaded.set(component.key, made);
  const [oldest] = loaded.keys();
  if (loaded.size > KEPT_COMPONENTS && oldest !== undefined) loaded.delete(oldest);
  return made;
}

function failureOf(error: unknown, meters: Meters): NonNullable<WorkerEnd["failure"]> {
  const message = messageOf(error);
  if (meters.isEmpty) return { kind: "fuel", message: "no fuel is left" };
  if (error instanceof CallFailure) return { kind: error.kind, message };
  if (error instanceof RangeError && /call stack/i.test(message)) {
    return { kind: "call-stack", message };
  }
  return { kind: "trap", message };
}

/** Returns the error that a function of the component returned; undefined for a failure. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof HostError) return undefined;
  if (error instanceof Error && !("payload" in error)) return undefined;
  const isWrapped = typeof error === "object" && error !== null && "payload" in error;
  const payload = isWrapped ? error.payload : error;
  return typeof payload === "string" ? payload : JSON.stringify(payload);
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === "object" && error !== null && "payload" in error) {
    return JSON.stringify(error.payload);
  }
  return String(error);
}
