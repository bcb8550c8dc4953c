import type { Guard } from "./guard-canary.js";
import { type GuardProofOptions, openGuardProofHost } from "./guard-proof-host.js";
import { TOOL_PATHS, type ToolPath } from "./guard-proof-paths.js";

/** Result of the canary's call on one path, with one guard armed. */
export interface GuardProofResult {
  readonly path: string;
  readonly title: string;
  readonly tool: string;
  readonly guard: Guard;
  /** `denied`: the tool did not run, and the audit log records the denial. */
  readonly status: "denied" | "let-through" | "not-reached";
  /** Decider of the denial, as named in the audit log. */
  readonly deniedBy?: string | undefined;
}

/** Results of all guards on all paths. */
export interface GuardProof {
  readonly proven: boolean;
  readonly results: readonly GuardProofResult[];
}

/**
 * Checks that a denial of a tool call is respected on every path that calls take (TURN-031): for each path
 * and guard, a denial is activated in a separate host, and the call is sent. A path that the canary does not
 * reach counts as a failure.
 * @param options - plugins and configuration of the host to check
 * @param paths - paths to check
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
