import { isRecord, SlidingWindow } from "@openclaw/plugin-sdk/kit";
import {
  type ChannelCapability,
  type ChannelPairingPort,
  type ComponentLimits,
  channelHost,
  type EmittedMessage,
  type HttpBoundary,
  type WorkerPool,
  workerLimits,
} from "@openclaw/wasm-host";
import type { LoadedComponent } from "../library/folder-scan.js";
import type { GuestLog } from "../tools/log.js";

/** Services that the callbacks of channels use. */
export interface CallbackContext {
  readonly pool: WorkerPool;
  readonly limits: ComponentLimits;
  readonly log: GuestLog;
  secretExists(component: LoadedComponent, name: string): Promise<boolean>;
  /** Returns the requests of a component; undefined when its capabilities allow none. */
  httpOf(component: LoadedComponent): HttpBoundary | undefined;
  /** Reads a file of a channel; undefined when there is none. */
  readFile(prefix: string, path: string): Promise<string | undefined>;
  /** Writes a file of a channel. */
  writeFile(prefix: string, path: string, content: string): Promise<void>;
}

/** Result of a callback. */
export interface CallbackResult {
  readonly value: unknown;
  /** Error that the component returned. */
  readonly refusal: string | undefined;
  /** True when the component does not export the function. */
  readonly isMissing: boolean;
  readonly emitted: readonly EmittedMessage[];
}

/** Counters of a channel, since it was loaded. */
export interface CallbackCounts {
  readonly callbacks: number;
  readonly failures: number;
  /** Callbacks that were ended at their time limit. */
  readonly timeouts: number;
  /** Messages that were too large or too many. */
  readonly dropped: number;
}

/** Runs the callbacks of one channel, each in a fresh instance, and counts how they end (WASM-038). */
export class ChannelCallbacks {
  readonly #component: LoadedComponent;
  readonly #channel: ChannelCapability;
  readonly #context: CallbackContext;
  readonly #minute: SlidingWindow;
  readonly #hour: SlidingWindow;
  #counts: CallbackCounts = { callbacks: 0, failures: 0, timeouts: 0, dropped: 0 };
  /** Senders of the running account. */
  pairing: ChannelPairingPort | undefined;

  /**
   * @param component - a component of the world of channels
   * @param channel - its permissions
   * @param context - services of the host
   */
  constructor(component: LoadedComponent, channel: ChannelCapability, context: CallbackContext) {
    this.#component = component;
    this.#channel = channel;
    this.#context = context;
    this.#minute = new SlidingWindow(channel.emitRateLimit.perMinute, 60_000);
    this.#hour = new SlidingWindow(channel.emitRateLimit.perHour, 3_600_000);
  }

  get counts(): CallbackCounts {
    return this.#counts;
  }

  /**
   * Runs a callback; nothing that it emitted is used when it fails.
   * @param name - function in the form of the glue code, for example `onPoll`
   * @param signal - ends the callback
   * @throws WasmLimitError, WasmTrapError, or the reason of the signal
   */
  async run(name: string, args: readonly unknown[], signal?: AbortSignal): Promise<CallbackResult> {
    const { pool, limits } = this.#context;
    const { name: component, prepared, capabilities } = this.#component;
    const host = channelHost(
      prepared.world,
      capabilities,
      this.#channel,
      this.#ports(signal),
      limits,
    );
    this.#count({ callbacks: 1 });
    try {
      const result = await pool.run({
        ...{ name: component, component: prepared.component, world: "channel", function: name },
        ...{ args, limits: workerLimits(limits), host: host.functions, signal },
        wallClockMs: this.#channel.callbackTimeoutMs,
      });
      return { ...result, emitted: host.emitted };
    } catch (error) {
      const isTimeout = isRecord(error) && "limit" in error && error.limit === "wall-clock";
      if (signal?.aborted !== true) this.#count({ failures: 1, timeouts: isTimeout ? 1 : 0 });
      throw error;
    } finally {
      if (host.dropped > 0) {
        this.#count({ dropped: host.dropped });
        this.#log("warn", `dropped ${host.dropped} messages that were too large or too many`);
      }
    }
  }

  #ports(signal: AbortSignal | undefined) {
    const { secretExists, httpOf, readFile, writeFile } = this.#context;
    const { workspacePrefix } = this.#channel;
    return {
      log: (level: Parameters<GuestLog>[1], message: string) => this.#log(level, message),
      readWorkspace: (path: string) => readFile(workspacePrefix, path),
      writeWorkspace: (path: string, content: string) => writeFile(workspacePrefix, path, content),
      secretExists: (name: string) => secretExists(this.#component, name),
      http: httpOf(this.#component),
      pairing: this.pairing,
      mayEmit: () => {
        const now = Date.now();
        return [this.#minute, this.#hour].every((window) => window.take("", now).isAllowed);
      },
      signal,
    };
  }

  #log(level: Parameters<GuestLog>[1], message: string): void {
    this.#context.log(this.#component.name, level, message);
  }

  #count(more: Partial<CallbackCounts>): void {
    const { callbacks, failures, timeouts, dropped } = this.#counts;
    this.#counts = {
      callbacks: callbacks + (more.callbacks ?? 0),
      failures: failures + (more.failures ?? 0),
      timeouts: timeouts + (more.timeouts ?? 0),
      dropped: dropped + (more.dropped ?? 0),
    };
  }
}
