import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Capabilities } from "../capabilities/capabilities.js";
import { readCapabilities } from "../capabilities/file.js";
import { capabilityLines } from "../capabilities/summary.js";
import { type CachedComponent, ComponentCache } from "../component/cache.js";
import { prepareComponent } from "../component/preparation.js";
import { WasmComponentError } from "../errors.js";
import { channelHost, type EmittedMessage } from "../host/channel-host.js";
import { HttpBoundary } from "../host/http-boundary.js";
import { toolHost } from "../host/tool-host.js";
import { type ComponentLimits, DEFAULT_LIMITS } from "../limits.js";
import { WorkerPool } from "../worker/pool.js";
import { workerLimits } from "../worker/worker-limits.js";

/** Fake host of {@link openComponent}. */
export interface FakeHost {
  /** Content of the capabilities file; that next to the component when absent. */
  readonly capabilities?: object;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Files of the workspace, or of the channel, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Tools that the component may call, by name; each receives its arguments as JSON. */
  readonly tools?: Readonly<Record<string, (params: string) => string | Promise<string>>>;
  /** Senders whom the operator admitted to the channel. */
  readonly paired?: readonly string[];
  readonly limits?: Partial<ComponentLimits>;
  /** Answers a request that the capabilities allow; without it each request fails. */
  respond?(request: Request): Response | Promise<Response>;
}

/** Result of a call of a component. */
export interface ComponentCall {
  /** Result of the function, in the form of the glue code. */
  readonly value: unknown;
  /** Units of fuel that it consumed. */
  readonly fuel: number;
  /** Messages that a channel emitted. */
  readonly emitted: readonly EmittedMessage[];
}

/** A component that runs against a fake host, with the sandbox, the limits and the checks of the real one. */
export class ComponentTest implements AsyncDisposable {
  readonly name: string;
  readonly prepared: CachedComponent;
  /** Lines that the component wrote to the log, as `level: message`. */
  readonly logs: string[] = [];
  /** Requests as they left the host, with their credentials. */
  readonly requests: Request[] = [];
  /** Files, with those that the component wrote. */
  readonly files: Map<string, string>;
  readonly #host: FakeHost;
  readonly #capabilities: Capabilities;
  readonly #http: HttpBoundary | undefined;
  readonly #pool: WorkerPool;
  readonly #folder: string;

  /** Use {@link openComponent}. */
  constructor(
    parts: {
      readonly name: string;
      readonly prepared: CachedComponent;
      readonly capabilities: Capabilities;
      readonly pool: WorkerPool;
      readonly folder: string;
    },
    host: FakeHost,
  ) {
    this.name = parts.name;
    this.prepared = parts.prepared;
    this.#capabilities = parts.capabilities;
    this.#pool = parts.pool;
    this.#folder = parts.folder;
    this.#host = host;
    this.files = new Map(Object.entries(host.files ?? {}));
    const { http } = parts.capabilities;
    this.#http = http && new HttpBoundary(http, this.#network());
  }

  /** Permissions, one line each, as the operator is asked to accept them. */
  get permissions(): readonly string[] {
    return capabilityLines(this.#capabilities);
  }

  /**
   * Calls `execute` of a tool. The arguments are not checked by its schema.
   * @throws WasmLimitError, WasmTrapError
   */
  async execute(params: object, context?: object): Promise<ComponentCall> {
    const contextText = context === undefined ? undefined : JSON.stringify(context);
    return await this.call("execute", { params: JSON.stringify(params), context: contextText });
  }

  /**
   * Calls a function of a tool or a channel.
   * @param name - name in the form of the glue code, for example `onHttpRequest`
   * @throws WasmLimitError, WasmTrapError
   */
  async call(name: string, ...args: readonly unknown[]): Promise<ComponentCall> {
    const { world, component } = this.prepared;
    const limits = { ...DEFAULT_LIMITS, ...this.#host.limits };
    const { functions, emitted } = this.#functions(limits);
    const { value, fuel } = await this.#pool.run({
      ...{ name: this.name, component, world: world.kind, function: name, args },
      ...{ limits: workerLimits(limits), wallClockMs: limits.wallClockMs, host: functions },
    });
    return { value, fuel, emitted };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #functions(limits: ComponentLimits) {
    const { world } = this.prepared;
    const ports = {
      log: (level: string, message: string) => void this.logs.push(`${level}: ${message}`),
      readWorkspace: async (path: string) => this.files.get(path),
      secretExists: async (name: string) => this.#host.secrets?.[name] !== undefined,
      http: this.#http,
    };
    const { channel } = this.#capabilities;
    if (world.kind === "tool") {
      const invokeTool = async (tool: string, params: string) => {
        const found = this.#host.tools?.[tool];
        if (found === undefined) throw new Error(`the fake host has no tool ${tool}`);
        return await found(params);
      };
      const toolPorts = { ...ports, invokeTool, mayInvoke: () => true };
      return {
        functions: toolHost(world, this.#capabilities, toolPorts, limits),
        emitted: [] as readonly EmittedMessage[],
      };
    }
    if (channel === undefined) {
      throw new WasmComponentError(this.name, "its capabilities file has no section channel");
    }
    const { paired = [] } = this.#host;
    return channelHost(
      ...([world, this.#capabilities, channel] as const),
      {
        ...ports,
        writeWorkspace: async (path, content) => void this.files.set(path, content),
        pairing: {
          request: async (id) => ({ code: `code-${id}`, created: !paired.includes(id) }),
          isPaired: (id) => paired.includes(id),
          senders: () => paired,
        },
        mayEmit: () => true,
      },
      limits,
    );
  }

  #network() {
    return {
      checkUrl: (url: string) => new URL(url),
      fetch: async (url: string, init: RequestInit) => {
        const request = new Request(url, init);
        this.requests.push(request.clone());
        if (this.#host.respond === undefined) throw new Error("the fake host answers no requests");
        return await this.#host.respond(request);
      },
      secret: async (name: string) => this.#host.secrets?.[name],
      findSecrets: () => [],
      now: Date.now,
    };
  }
}

/**
 * Opens a component for a test: it is transpiled, and runs against a fake host until the test is disposed.
 * @param file - file of the component; `NAME.capabilities.json` next to it is used
 * @param host - secrets, files, tools and answers to requests
 * @throws an error of the component or of its capabilities, as at an installation
 */
export async function openComponent(file: string, host: FakeHost = {}): Promise<ComponentTest> {
  const name = basename(file, ".wasm");
  const text =
    host.capabilities === undefined
      ? await textOf(file.replace(/\.wasm$/, ".capabilities.json"))
      : JSON.stringify(host.capabilities);
  const { capabilities } = readCapabilities(name, text);
  const folder = await mkdtemp(join(tmpdir(), "component-test-"));
  const pool = new WorkerPool({ workers: 1 });
  try {
    const cache = new ComponentCache(folder, "test");
    const prepared = await prepareComponent(name, await readFile(file), { cache, pool });
    return new ComponentTest({ name, prepared, capabilities, pool, folder }, host);
  } catch (error) {
    await pool.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
