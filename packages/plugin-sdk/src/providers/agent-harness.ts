import type { AgentMessage, ImagePart, Usage } from "../message/message.js";
import type { JsonSchema } from "../schema/json.js";
import type { ToolResult } from "../tools/definition.js";

/** Model of a turn for which the host looks for a harness. */
export interface AgentHarnessSupportContext {
  /** ID of the model's provider. */
  readonly provider: string;
  readonly modelId: string;
  /** Runtime that the configuration names; `auto` when it leaves the choice to the harnesses. */
  readonly requestedRuntime: string;
}

/** Answer of a harness whether it can run a model. */
export type AgentHarnessSupport =
  | {
      readonly supported: true;
      /** The harness with the highest priority runs the model; default 0. */
      readonly priority?: number;
    }
  | {
      readonly supported: false;
      /** Shown to the operator whose configuration names the harness. */
      readonly reason?: string;
    };

/** Tool of the host that a harness can call. */
export interface AgentHarnessTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /**
   * Calls the tool like a call of a model: policy, hooks, approval, deadline, transcript. A call that waits for an
   * approver settles after the decision; a denied call returns the reason with `isError`.
   * @param toolCallId - ID of the call, unique within the attempt
   * @param params - arguments
   * @throws the reason of the end when the turn ends first
   */
  execute(toolCallId: string, params: Record<string, unknown>): Promise<ToolResult>;
}

/** Answer of a harness that is about to stop. */
export interface AgentHarnessAnswer {
  readonly text: string;
  /** Use of models since the last report. */
  readonly usage?: Usage;
}

/** Decision of the host about an answer. */
export type AgentHarnessStopDecision =
  | { readonly action: "finalize" }
  | {
      readonly action: "revise";
      /** Reasons and instructions of the plugins that request the revision, for the next pass. */
      readonly instruction: string;
    };

/** One attempt of a harness to answer a prepared turn. */
export interface AgentHarnessAttempt {
  readonly runId: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  /** Absolute path of the folder in which the agent works. */
  readonly workspaceDir: string;
  readonly provider: string;
  readonly modelId: string;
  /** System prompt, with what plugins added. */
  readonly systemPrompt: string;
  /** Text of the user with what plugins added, or the instruction of a revision. */
  readonly prompt: string;
  readonly images: readonly ImagePart[];
  /** The conversation before the prompt, oldest first. */
  readonly messages: readonly AgentMessage[];
  /**
   * Messages of this turn behind the prompt. They exist when the host was restarted during the turn: the calls among
   * them have run and must not run again.
   */
  readonly progress: readonly AgentMessage[];
  readonly tools: readonly AgentHarnessTool[];
  /** True for the attempts that follow a revision. */
  readonly stopHookActive: boolean;
  /** Time in milliseconds without a sign of life after which the attempt is ended. */
  readonly timeoutMs: number;
  /** Aborts when the turn ends early. */
  readonly abortSignal: AbortSignal;
  /**
   * Shows text of the answer as it arrives.
   * @param part - `delta`: the new text; `text`: the whole text so far, used without `delta`
   */
  onPartialReply(part: { readonly text?: string; readonly delta?: string }): void;
  /**
   * Shows reasoning as it arrives.
   * @param part - as for `onPartialReply`
   */
  onReasoningStream(part: { readonly text?: string; readonly delta?: string }): void;
  /**
   * Is a sign of life while the harness works without text and tools of the host.
   * @param event - its content has no effect
   */
  onAgentEvent(event?: unknown): void;
  /**
   * Asks the host whether the answer is final (`before_agent_finalize`). After `revise` the attempt continues with the
   * instruction; without this call an answer that plugins reject leads to another `runAttempt`.
   */
  onStop(answer: AgentHarnessAnswer): Promise<AgentHarnessStopDecision>;
}

/** Result of an attempt. All fields except `text` and `usage` are those of older plugins. */
export interface AgentHarnessResult {
  /** The answer; the strings of `assistantTexts` when absent. */
  readonly text?: string;
  readonly assistantTexts?: readonly string[];
  /** Use of models since the last report; estimated when absent. */
  readonly usage?: Usage;
  readonly attemptUsage?: Usage;
  /** Reason of a failed attempt. */
  readonly promptError?: unknown;
  readonly aborted?: boolean;
  readonly timedOut?: boolean;
  /** True when the harness has sent the answer by itself: then a result without text ends the turn. */
  readonly didSendViaMessagingTool?: boolean;
}

/** Runs the turns of an agent instead of the model loop of the host (PLUG-700). */
export interface AgentHarness {
  /** ID for `agentRuntime.id` in the configuration, for example `codex`. */
  readonly id: string;
  readonly label?: string;
  /** Providers for which `auto` considers the harness; all when absent. */
  readonly autoSelection?: { readonly providerIds: readonly string[] };
  /**
   * Returns whether the harness can run a model. It is called for each turn and must not wait.
   * @param context - model and runtime
   */
  supports(context: AgentHarnessSupportContext): AgentHarnessSupport;
  /**
   * Runs an attempt to its end.
   * @param attempt - the prepared turn
   * @throws any error, which fails the turn
   */
  runAttempt(attempt: AgentHarnessAttempt): Promise<AgentHarnessResult>;
  /** Ends what the harness keeps running; called when its plugin stops. */
  dispose?(): Promise<void> | void;
}
