/** A model that a request may call. */
export interface CandidatePlace {
  /** `<provider id>/<model id>`. */
  readonly ref: string;
  /** Lower numbers are called first; equal ones in the order of the configuration (LLM-016). */
  readonly priority: number;
}

/** Candidate that is called next, and whether it is called although it cools down. */
export type NextCandidate<Candidate> =
  | { readonly kind: "available"; readonly candidate: Candidate }
  | { readonly kind: "last-resort"; readonly candidate: Candidate }
  | { readonly kind: "none" };

/**
 * Sorts candidates by ascending priority; those of equal priority keep their order, and a model that occurs twice
 * keeps its first place.
 * @param candidates - candidates in the order of the configuration
 */
export function orderCandidates<Candidate extends CandidatePlace>(
  candidates: readonly Candidate[],
): Candidate[] {
  const known = new Set<string>();
  return candidates
    .toSorted((left, right) => left.priority - right.priority)
    .filter(({ ref }) => !known.has(ref) && known.add(ref));
}

/**
 * Returns the candidate that is called next: the first one that was not tried and does not cool down. When all of them
 * cool down at the start of a request, the one that is ready first is the last resort (LLM-021).
 * @param ordered - candidates in the order of their priority
 * @param state - candidates that were tried; `blockedUntil`: end of a candidate's cooldown, undefined without one;
 * `strict`: true without a last resort
 */
export function nextCandidate<Candidate extends CandidatePlace>(
  ordered: readonly Candidate[],
  state: {
    readonly tried: ReadonlySet<string>;
    blockedUntil(candidate: Candidate): number | undefined;
    readonly strict: boolean;
  },
): NextCandidate<Candidate> {
  let earliest: { readonly candidate: Candidate; readonly until: number } | undefined;
  for (const candidate of ordered) {
    if (state.tried.has(candidate.ref)) continue;
    const until = state.blockedUntil(candidate);
    if (until === undefined) return { kind: "available", candidate };
    if (earliest === undefined || until < earliest.until) earliest = { candidate, until };
  }
  const mayForce = state.tried.size === 0 && !state.strict;
  return mayForce && earliest !== undefined
    ? { kind: "last-resort", candidate: earliest.candidate }
    : { kind: "none" };
}
