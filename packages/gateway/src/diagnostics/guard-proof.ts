import type { Guard } from "./guard-canary.js";
import { type GuardProofOptions, openGuardProofHost } from "./guard-proof-host.js";
import { TOOL_PATHS, type ToolPath } from "./guard-proof-paths.js";

/** What became of the canary on one way, with one guard armed. */
export interface GuardProofResult {
  readonly path: string;
  readonly title: string;
  readonly tool: string;
  readonly guard: Guard;
  /** `denied`: the tool did not run, and somebody is on record for that. */
  readonly status: "denied" | "let-through" | "not-reached";
  /** Who denied it, as the audit names them. */
  readonly deniedBy?: string | undefined;
}

/** Whether every guard holds on every way. */
export interface GuardProof {
  readonly proven: boolean;
  readonly results: readonly GuardProofResult[];
}

/**
 * Proves that what denies a tool call is heeded on every way that calls take (TURN-031): for each way and
 * guard a denial is planted in a host of its own, and the call sent. A way that the canary does not get
 * to proves nothing, and counts as a failure.
 * @param options - plugins and configuration of the host that is proven
 * @param paths - the ways
 */
export async function proveGuards(
  options: GuardProofOptions,
  paths: Readonly<Record<string, ToolPath>> = TOOL_PATHS,
): Promise<GuardProof> {
  const results: GuardProofResult[] = [];
  for (const [name, path] of Object.entries(paths)) {
    for (const guard of path.guards) results.push(await prove(name, path, guard, options));
  }
  return { proven: results.every(({ status }) => status === "denied"), results };
}

async function prove(
  name: string,
  path: ToolPath,
  guard: Guard,
  options: GuardProofOptions,
): Promise<GuardProofResult> {
  const { title, tool } = path;
  await using proof = await openGuardProofHost(options);
  const seen = await path.send(proof, guard);
  const row = { path: name, title, tool, guard };
  if (proof.canary.ran.length > 0) return { ...row, status: "let-through" };
  const audited = await proof.store.decisions.toolAuditLog.list();
  const deniedBy = seen?.decider ?? audited.at(-1)?.decider;
  return deniedBy === undefined
    ? { ...row, status: "not-reached" }
    : { ...row, status: "denied", deniedBy };
}
