import type { HookContext, HookEvent } from "../hooks/map.js";
import type { LiteralCommand } from "../hooks/parsed-command.js";
import type { BeforeToolCallResult } from "../hooks/tool.js";
import type { DeepReadonly } from "../schema/json.js";

/** What a trusted policy may say in place of a hook's result (D25). */
export interface TrustedToolVerdict {
  /** False denies the call; true lets it go on to every other check. */
  allow?: boolean;
  /**
   * `satisfied` meets the tool's own need `unless-granted`, for this call with its params as they are.
   * `grantable` does not: for a call of `exec` it says that `command` may run once each program of `uncovered` is
   * granted, since the policy covers the others and none is destructive or doubtful.
   */
  approval?: "satisfied" | "grantable";
  /** Required with `approval`; shown in the audit. */
  reason?: string;
  /**
   * What runs, for a call of `exec`: its literal command with resolved programs. Without it `approval` does
   * not meet the need of `exec` (APPR-038).
   */
  command?: LiteralCommand;
  /** With `grantable`: positions of the programs that need a grant, counted through all pipelines from 0. */
  uncovered?: readonly number[];
  /**
   * `read-only` runs `command` in a read-only sandbox where the host has one; `workspace` in a sandbox that can
   * write only the workspace, or not at all.
   */
  access?: "read-only" | "workspace";
}

/** A policy that evaluates tool calls before any ordinary hook sees them (PLUG-037). */
export interface TrustedToolPolicy {
  /** Declared in the manifest's `contracts.trustedToolPolicies`. */
  id: string;
  description: string;
  /** Names of the tools it evaluates; every tool when absent. */
  matcher?: string | readonly string[];
  /**
   * Judges one call; asked again when a later handler changes the params. A failure denies.
   * @param event - the call
   * @param context - session and sender
   */
  evaluate(
    event: HookEvent<"before_tool_call">,
    context: HookContext<"before_tool_call">,
  ): TrustedToolAnswer | Promise<TrustedToolAnswer>;
}

/** What a trusted policy answers; nothing means that it has no opinion. */
export type TrustedToolAnswer =
  | DeepReadonly<BeforeToolCallResult>
  | TrustedToolVerdict
  | undefined
  | void;
