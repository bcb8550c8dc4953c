/** The signal of one turn; letting go of it takes its listeners off the signals that it follows. */
export interface TurnSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Makes a signal that aborts with the first of others. Those live as long as a host or a connection;
 * what a turn, its model and its tools listen to must not stay behind on them.
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
