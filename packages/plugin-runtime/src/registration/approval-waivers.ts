import { AsyncLocalStorage } from "node:async_hooks";
import type { LiteralCommand } from "@openclaw/plugin-sdk/hooks";

/** A trusted policy. */
export interface PolicyIdentity {
  readonly pluginId: string;
  readonly policyId: string;
}

/** A trusted policy's word that the tool's own need of an approval is met for one call (D25). */
export interface MetNeed extends PolicyIdentity {
  readonly reason: string;
  /** What runs, for a call of a shell tool (APPR-038). */
  readonly command?: LiteralCommand | undefined;
  /** Where it runs. */
  readonly access?: "read-only" | "workspace" | undefined;
}

/** A trusted policy's word on which programs of a command a grant has to cover (APPR-021). */
export interface GrantableNeed extends PolicyIdentity {
  readonly reason: string;
  /** What runs once they are granted. */
  readonly command: LiteralCommand;
  /** Positions of the programs, counted through all pipelines from 0. */
  readonly uncovered: readonly number[];
}

interface Gathering {
  readonly asked: PolicyIdentity[];
  readonly met: MetNeed[];
  readonly grantable: GrantableNeed[];
}

const open = new AsyncLocalStorage<Gathering>();

/**
 * Runs a dispatch and gathers which trusted policies were asked in it, in their order, and which meet the
 * need of its call. It goes past the hook engine, so that no ordinary handler has a way to say it.
 * @param dispatch - asks the policies
 */
export async function gatherMetNeeds<Result>(dispatch: () => Promise<Result>): Promise<{
  readonly result: Result;
  readonly asked: readonly PolicyIdentity[];
  readonly met: readonly MetNeed[];
  readonly grantable: readonly GrantableNeed[];
}> {
  const gathering: Gathering = { asked: [], met: [], grantable: [] };
  const result = await open.run(gathering, dispatch);
  // What comes later than the dispatch ended is not part of it.
  const { asked, met, grantable } = gathering;
  return { result, asked: [...asked], met: [...met], grantable: [...grantable] };
}

/**
 * Notes that a policy is asked about a call.
 * @param policy - which
 */
export function noteAsked(policy: PolicyIdentity): void {
  open.getStore()?.asked.push(policy);
}

/**
 * Notes that a policy meets the need of the call it is asked about.
 * @param need - whose word, and why
 */
export function noteMetNeed(need: MetNeed): void {
  open.getStore()?.met.push(need);
}

/**
 * Notes which programs of the call a policy is asked about a grant has to cover.
 * @param need - whose word, and why
 */
export function noteGrantable(need: GrantableNeed): void {
  open.getStore()?.grantable.push(need);
}
