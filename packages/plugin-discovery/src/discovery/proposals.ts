/** A proposal of the SDK that this host has (SDK-024). */
export interface KnownProposal {
  /** Value in `proposals` of a manifest. */
  readonly name: string;
  /** Member of the `api` that only plugins which name the proposal may use. */
  readonly member: string;
}

/** Proposals of the SDK that this host has. */
export const KNOWN_PROPOSALS = [
  { name: "isolation-tier", member: "isolation" },
] as const satisfies readonly KnownProposal[];

/**
 * Returns the names that a manifest gives and this host does not know.
 * @param proposals - `proposals` of the manifest
 */
export function unknownProposals(proposals: readonly string[] = []): readonly string[] {
  return proposals.filter((named) => !KNOWN_PROPOSALS.some(({ name }) => name === named));
}
