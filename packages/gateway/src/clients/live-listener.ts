import { logRejection } from "@openclaw/agent";
import { appliesOf, type GatewaySection } from "@openclaw/configuration";
import { canonicalJson, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ClientListener, LastingState } from "./client-listener.js";

/** Time in milliseconds that the connections of an earlier listener have to receive their last answers. */
const RETIRE_MS = 500;

/** Settings of a listener. */
export interface ListenerSettings {
  /** Section `gateway`, with its secrets. */
  readonly section: GatewaySection;
  readonly port: number;
}

/** Dependencies of {@link LiveListener}. */
export interface LiveListenerDependencies {
  /**
   * Opens a listener.
   * @param settings - address, access and limits
   * @param options - state of an earlier listener, and a function that frees the port
   * @throws PortTakenError, ListenAddressError, StateFolderError
   */
  open(
    settings: ListenerSettings,
    options?: { readonly lasting: LastingState; beforeListening(): void },
  ): Promise<ClientListener>;
  /**
   * Called when a listener serves.
   * @param listener - listener in use
   */
  onOpen(listener: ClientListener, settings: ListenerSettings): Promise<void>;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Replacement of a listener, which took effect. */
export interface ListenerChange {
  /** URL at which clients on this machine reach the new one. */
  readonly url: string;
  /** Ends the connections of the earlier listener. */
  retire(): void;
}

/**
 * Listener of a gateway, which a change of its settings replaces while sessions and turns continue (GW-660). The earlier
 * one stays in use until the new one listens.
 */
export class LiveListener {
  readonly #dependencies: LiveListenerDependencies;
  readonly #retired = new Set<ClientListener>();
  #current: ClientListener;
  #settings: ListenerSettings;

  private constructor(
    dependencies: LiveListenerDependencies,
    listener: ClientListener,
    settings: ListenerSettings,
  ) {
    this.#dependencies = dependencies;
    this.#current = listener;
    this.#settings = settings;
  }

  /**
   * Opens the first listener.
   * @param settings - address, access and limits
   * @param dependencies - opens listeners
   * @throws PortTakenError, ListenAddressError, StateFolderError
   */
  static async open(
    settings: ListenerSettings,
    dependencies: LiveListenerDependencies,
  ): Promise<LiveListener> {
    const listener = await dependencies.open(settings);
    await dependencies.onOpen(listener, settings);
    return new LiveListener(dependencies, listener, settings);
  }

  /** Listener that accepts clients now. */
  get current(): ClientListener {
    return this.#current;
  }

  /** URL at which clients on this machine reach the gateway. */
  get url(): string {
    return `http://${this.#current.host}:${this.#current.port}`;
  }

  /**
   * Opens the listener again when its settings have changed.
   * @param settings - address, access and limits from now on
   * @returns undefined when they are the same
   * @throws PortTakenError, ListenAddressError, StateFolderError; the earlier listener then serves as before
   */
  async apply(settings: ListenerSettings): Promise<ListenerChange | undefined> {
    if (keyOf(settings) === keyOf(this.#settings)) return undefined;
    const earlier = this.#current;
    // A port that the system chose is kept.
    const port = settings.port === this.#settings.port ? earlier.port : settings.port;
    const next = await this.#replace(earlier, { ...settings, port });
    this.#retired.add(earlier);
    this.#current = next;
    this.#settings = settings;
    await this.#dependencies.onOpen(next, settings);
    return { url: this.url, retire: () => this.#retire(earlier) };
  }

  /** Closes all listeners; see {@link ClientListener.close}. */
  async close(...args: Parameters<ClientListener["close"]>): Promise<void> {
    const all = [this.#current, ...this.#retired];
    await Promise.all(all.map((listener) => listener.close(...args)));
  }

  /** Closes all listeners at once, after a failed start. */
  async abort(): Promise<void> {
    await Promise.all([this.#current, ...this.#retired].map((listener) => listener.abort()));
  }

  /** Two listeners cannot share a port, also on different addresses. */
  async #replace(earlier: ClientListener, settings: ListenerSettings): Promise<ClientListener> {
    const { lasting } = earlier;
    let isPaused = false;
    const beforeListening = () => {
      if (settings.port !== earlier.port) return;
      isPaused = true;
      earlier.pause();
    };
    try {
      return await this.#dependencies.open(settings, { lasting, beforeListening });
    } catch (error) {
      if (isPaused) await earlier.resume();
      throw error;
    }
  }

  /** A caller that changed the configuration over the earlier listener receives its answer first. */
  #retire(listener: ClientListener): void {
    const { timers, logger } = this.#dependencies;
    listener.pause();
    const end = async () => {
      await listener.retire();
      this.#retired.delete(listener);
    };
    timers.setTimeout(() => logRejection(end(), logger), RETIRE_MS);
  }
}

/** Settings that other parts read at each use do not replace the listener. */
function keyOf({ section, port }: ListenerSettings): string {
  const own = Object.entries(section).filter(
    ([key]) => key !== "port" && appliesOf(["gateway", key]) === "listener",
  );
  return canonicalJson([port, Object.fromEntries(own)]);
}
