import type { CoreTool } from "@openclaw/core-tools";
import type { Timers } from "@openclaw/foundation";
import type { AgentHarness, AgentHarnessAttempt } from "@openclaw/plugin-sdk/plugin-entry";

/** A harness that a plugin registered. */
export interface OfferedHarness {
  readonly pluginId: string;
  readonly harness: AgentHarness;
  /** IDs of the model providers of the same plugin. */
  readonly ownProviders: readonly string[];
  /** Tools of its turns instead of those of the host and of plugins; absent for a harness that has those. */
  readonly tools?: readonly CoreTool[] | undefined;
}

/** The harness that runs a turn. */
export interface SelectedHarness {
  readonly pluginId: string;
  readonly harness: AgentHarness;
  /** See {@link OfferedHarness}. */
  readonly tools?: readonly CoreTool[] | undefined;
  /** Time in milliseconds without a sign of life after which an attempt is ended. */
  readonly timeoutMs: number;
}

/** Turn of an attempt. */
export interface HarnessTurn
  extends Pick<
    AgentHarnessAttempt,
    "agentId" | "sessionKey" | "sessionId" | "workspaceDir" | "provider" | "modelId"
  > {
  readonly runId: string;
  readonly selected: SelectedHarness;
  /** True when plugins requested this pass. */
  readonly isRevision: boolean;
  /** Timers of the time limit; those of the process when absent. */
  readonly timers?: Timers | undefined;
  /** Runs a function so that what it does to the process is attributed to the plugin. */
  callPlugin<Result>(execute: () => Result): Result;
}
