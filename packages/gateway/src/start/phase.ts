/** Phase of a host, and the moment from which it accepts messages. */
export class HostPhase {
  #current: "starting" | "ready" | "stopping" = "starting";
  #open: () => void = () => {};
  /** Settles when the host has started. */
  readonly opened = new Promise<void>((resolve) => {
    this.#open = resolve;
  });

  get current(): "starting" | "ready" | "stopping" {
    return this.#current;
  }

  get isReady(): boolean {
    return this.#current === "ready";
  }

  /** The host has started. */
  open(): void {
    this.#current = "ready";
    this.#open();
  }

  /** The host begins to stop. */
  stop(): void {
    this.#current = "stopping";
  }
}
