import type { ApprovalSummary, OpenClawConfiguration } from "@openclaw/gateway";
import type { Caller } from "@openclaw/messaging";
import type { ModelScript, ScriptedModel } from "@openclaw/models";
import type {
  HookInspection,
  PluginDiagnostic,
  PluginGeneration,
  PluginRecord,
} from "@openclaw/plugin-runtime";
import type {
  HookResult,
  LifecyclePhase,
  PluginDefinition,
  PluginManifest,
} from "@openclaw/plugin-sdk";
import type { CataloguedHookName, HookMap } from "@openclaw/plugin-sdk/hooks";
import type { LifecycleAlias, PhaseHook } from "@openclaw/plugin-sdk/lifecycle";
import type { JsonValue, ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type { TestClock } from "./clock.js";
import type { SentText, TestAnswer, TestMessage, TestReply } from "./conversation.js";
import type { LogLine } from "./recorded-log.js";
import type { TestedPlugin } from "./tested-plugin.js";

/** How a test host is made. */
export interface TestHostOptions<Config = Record<string, unknown>> {
  /** The plugin under test: its definition, or path or address of its folder or entry file. */
  readonly plugin: TestedPlugin<Config>;
  /** Manifest of a plugin that is given as a definition; only its schema of the configuration counts. */
  readonly manifest?: Pick<PluginManifest, "configSchema">;
  /** What an operator would write under `plugins.entries.<id>.config`. */
  readonly pluginConfig?: Config;
  /** Further plugins of the same host, loaded after the one under test. */
  readonly neighbours?: readonly PluginDefinition[];
  /** The host's configuration, checked as its file would be. */
  readonly config?: OpenClawConfiguration;
  /** Replies of the model `scripted/model`, in order; or name of another model. Default: `demo/echo`. */
  readonly model?: ModelScript | string;
  /** Files of the agent's workspace by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Answers questions to a person; nobody can be asked when it is absent. */
  readonly answer?: TestAnswer;
  /** Takes the replies, and fails where it throws; when absent every reply reaches its sender. */
  readonly surface?: NonNullable<Caller["surface"]>;
  /** Time of the host; it stands still until `advance` when absent. */
  readonly clock?: TestClock;
  /** The one version of the plugin API that the host claims to serve; all of its own when absent. */
  readonly api?: string | undefined;
  /** Where the host keeps its rows; in memory when absent. Whoever gives it closes it. */
  readonly store?: Store;
}

/** What the host tells of one dispatch of a hook. */
export type HookTrace = Parameters<Parameters<HookInspection["trace"]>[0]>[0];

/** Everything the plugin registered, in lists by kind. */
export type TestRegistrations = Omit<PluginGeneration, "number" | "plugins" | "diagnostics">;

/** The answer to a tool call. */
export interface TestToolResult extends ToolResultMessage {
  /** Its text parts. */
  readonly text: string;
}

/** A host in memory with a plugin under test. */
export interface TestHost extends AsyncDisposable {
  /** The plugin as the host knows it. */
  readonly plugin: PluginRecord;
  readonly registrations: TestRegistrations;
  /** What the host has to say about the plugin and about plugins as a whole. */
  readonly diagnostics: readonly PluginDiagnostic[];
  readonly sent: readonly SentText[];
  /** Questions that were put to a person. */
  readonly questions: readonly ApprovalSummary[];
  readonly logs: readonly LogLine[];
  /** Every dispatch of a hook since the plugins were loaded, oldest first. */
  readonly trace: readonly HookTrace[];
  /** Requests that the scripted model was sent. */
  readonly modelRequests: ScriptedModel["requests"];
  readonly workspaceDir: string;
  readonly clock: TestClock;
  /**
   * Dispatches a hook the way its kind asks for, and waits until every handler has had its turn.
   * @param hook - a catalogued hook
   * @param event - what the handlers are given; see `sampleEvent`
   * @param context - fields of their context that are to differ from the sample
   * @returns the merged result; undefined when no handler had one
   */
  fire<Name extends CataloguedHookName>(
    hook: Name,
    event: HookMap[Name]["event"],
    context?: Partial<HookMap[Name]["context"]>,
  ): Promise<HookResult<Name> | undefined>;
  /** As `fire`, by lifecycle phase or alias. */
  firePhase<Phase extends LifecyclePhase | LifecycleAlias>(
    phase: Phase,
    event: HookMap[PhaseHook<Phase>]["event"],
    context?: Partial<HookMap[PhaseHook<Phase>]["context"]>,
  ): Promise<HookResult<PhaseHook<Phase>> | undefined>;
  /**
   * Calls a tool on the path that every call takes: policy, schema, hooks, approval, execution.
   * @param name - of any tool of the host
   * @param params - as a model would give them; default `{}`
   */
  callTool(name: string, params?: JsonValue): Promise<TestToolResult>;
  /**
   * Sends a message as the operator at the terminal and waits for the end of its turn.
   * @param text - of the message
   */
  turn(text: string): Promise<TestReply>;
  /**
   * Takes a message in as a channel would hand it over.
   * @param message - its text, and what else is to differ from the operator's own at the terminal
   */
  receive(message: TestMessage): Promise<TestReply>;
  /**
   * Allows a call that waits for a person's word; `answer` must have left the question open.
   * @param idOrCode - of the question; the only one that waits when absent
   * @param decision - `allow-always` also grants later calls like it; `allow-once` when absent
   * @throws QuestionUnclearError when none or several wait
   */
  approve(idOrCode?: string, decision?: "allow-once" | "allow-always"): Promise<void>;
  /**
   * Refuses a call that waits for a person's word.
   * @param idOrCode - of the question; the only one that waits when absent
   * @throws QuestionUnclearError when none or several wait
   */
  deny(idOrCode?: string): Promise<void>;
  /**
   * Moves the clock on; deadlines, retries and the times of questions that fall due happen.
   * @param milliseconds - how far
   */
  advance(milliseconds: number): Promise<void>;
  /**
   * Stops the host and unloads the plugin. Calling it again does nothing.
   * @throws PluginLeftoversError when timers, handles, listeners or registrations of the plugin remain
   */
  dispose(): Promise<void>;
}
