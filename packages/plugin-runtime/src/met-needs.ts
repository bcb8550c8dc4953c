import { AsyncLocalStorage } from "node:async_hooks";

/** A trusted policy's word that the tool's own need of an approval is met for one call (D25). */
export interface MetNeed {
  readonly pluginId: string;
  readonly policyId: string;
  readonly reason: string;
}

const open = new AsyncLocalStorage<MetNeed[]>();

/**
 * Runs a dispatch and gathers which trusted policies meet the need of its call. It goes past the hook
 * engine, so that no ordinary handler has a way to say it.
 * @param dispatch - asks the policies
 */
export async function gatherMetNeeds<Result>(
  dispatch: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly met: readonly MetNeed[] }> {
  const met: MetNeed[] = [];
  const result = await open.run(met, dispatch);
  // What comes later than the dispatch ended is not part of it.
  return { result, met: [...met] };
}

/**
 * Notes that a policy meets the need of the call it is asked about.
 * @param need - whose word, and why
 */
export function noteMetNeed(need: MetNeed): void {
  open.getStore()?.push(need);
}
