/** A dispatch that ends when the caller's signal aborts. */
export interface Abortable {
  abort(reason: unknown): void;
}

/**
 * The dispatches in flight under each caller's signal.
 *
 * A turn passes one signal to all its dispatches, so the runner adds one listener per signal for
 * the signal's lifetime, instead of adding and removing a listener on every dispatch.
 */
export class AbortWatch {
  private readonly inFlight = new WeakMap<AbortSignal, Set<Abortable>>();

  add(signal: AbortSignal, dispatch: Abortable): void {
    let dispatches = this.inFlight.get(signal);
    if (dispatches === undefined) {
      const watched = new Set<Abortable>();
      signal.addEventListener(
        "abort",
        () => {
          for (const each of [...watched]) each.abort(signal.reason);
        },
        { once: true },
      );
      this.inFlight.set(signal, watched);
      dispatches = watched;
    }
    dispatches.add(dispatch);
  }

  remove(signal: AbortSignal, dispatch: Abortable): void {
    this.inFlight.get(signal)?.delete(dispatch);
  }
}
