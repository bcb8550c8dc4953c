/** Signal of one turn; disposing it removes its listeners from its sources. */
export interface TurnSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Creates a signal that aborts with the first of several others. The sources live as long as a host or a
 * connection, so the listeners of a turn, its model and its tools must not remain on them.
 * @param sources - signals to follow; undefined ones never abort
 */
export function followSignals(...sources: readonly (AbortSignal | undefined)[]): TurnSignal {
  const controller = new AbortController();
  const unfollow: (() => void)[] = [];
  for (const source of sources) {
    if (source === undefined) continue;
    const follow = () => controller.abort(source.reason);
    if (source.aborted) follow();
    source.addEventListener("abort", follow, { once: true });
    unfollow.push(() => source.removeEventListener("abort", follow));
  }
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const stop of unfollow) stop();
    },
  };
}
