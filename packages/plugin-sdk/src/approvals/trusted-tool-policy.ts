import type { HookContext, HookEvent } from "../hooks/map.js";
import type { LiteralCommand } from "../hooks/parsed-command.js";
import type { BeforeToolCallResult } from "../hooks/tool.js";
import type { DeepReadonly } from "../schema/json.js";

/**
 * Reach of a grant for a program beyond the exact command. A number is that of the words, including the
 * program, that a granted prefix must have at least: the policy covers every word that may follow it. With `exact` a
 * grant covers the exact command only. With `sandbox` the policy does not know the options of the program, so a prefix
 * covers further commands only in the workspace-writable sandbox, and only the exact command on a host without one.
 */
export type GrantReach = number | "exact" | "sandbox";

/** Verdict of a trusted policy, which it may return instead of a hook result (D25). */
export interface TrustedToolVerdict {
  /** False denies the call; true passes it to the other checks. */
  allow?: boolean;
  /**
   * `satisfied` waives the tool's own approval (`unless-granted`) for this call with exactly these params.
   * `grantable` does not: for a call of `exec`, `command` may run once each program in `uncovered` has a grant,
   * because the policy covers the other programs and none is destructive or ambiguous.
   * `contained` waives it on a host with an active read-only sandbox, in which the call then runs: `command` without a
   * shell, or the text as shown without `command`. The sandbox hides private files and the data of git, except from a
   * program with a `repository`. Elsewhere it means `grantable` with `uncovered`, and nothing without it.
   */
  approval?: "satisfied" | "grantable" | "contained";
  /** Reason, shown in the audit log; required with `approval`. */
  reason?: string;
  /**
   * For a call of `exec`: the literal command to run, with resolved programs. Without it only `contained` waives the
   * approval of `exec` (APPR-038).
   */
  command?: LiteralCommand;
  /** With `contained`: the command that grants cover, if it differs from `command`. */
  grantableCommand?: LiteralCommand;
  /** With `grantable` and `contained`: indexes of the programs that need a grant, counted from 0 over all pipelines. */
  uncovered?: readonly number[];
  /** With `grantable`: how far a grant for each program in `uncovered` can reach; `sandbox` for each when absent. */
  reach?: readonly GrantReach[];
  /**
   * `read-only` runs `command` in a read-only sandbox if the host has one. `workspace` runs it in a sandbox that can
   * write only the workspace, and does not run it on a host without one.
   */
  access?: "read-only" | "workspace";
}

/** Policy that evaluates tool calls before ordinary hooks receive them (PLUG-037). */
export interface TrustedToolPolicy {
  /** Id, declared in the manifest's `contracts.trustedToolPolicies`. */
  id: string;
  description: string;
  /** Names of the tools that the policy evaluates; every tool when absent. */
  matcher?: string | readonly string[];
  /**
   * Evaluates one call. Called again when a later handler changes the params. A failure denies the call.
   * @param context - session and sender
   */
  evaluate(
    event: HookEvent<"before_tool_call">,
    context: HookContext<"before_tool_call">,
  ): TrustedToolAnswer | Promise<TrustedToolAnswer>;
}

/** Return value of a trusted policy; undefined when the policy does not apply to the call. */
export type TrustedToolAnswer =
  | DeepReadonly<BeforeToolCallResult>
  | TrustedToolVerdict
  | undefined
  | void;
