import type { OpenClawConfiguration } from "@openclaw/configuration";
import type { ApprovalSummary } from "@openclaw/gateway";
import type { Caller } from "@openclaw/messaging";
import type { ModelScript, ScriptedModel } from "@openclaw/models";
import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import type { HookInspection, PluginGeneration, PluginRecord } from "@openclaw/plugin-runtime";
import type {
  HookResult,
  LifecyclePhase,
  PluginDefinition,
  PluginManifest,
} from "@openclaw/plugin-sdk";
import type { CataloguedHookName, HookMap } from "@openclaw/plugin-sdk/hooks";
import type { LifecycleAlias, PhaseHook } from "@openclaw/plugin-sdk/lifecycle";
import type { PromptMessage } from "@openclaw/plugin-sdk/plugin-entry";
import type {
  InputRequest,
  JsonObject,
  JsonValue,
  ToolInput,
  ToolResultMessage,
} from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type { TestClock } from "./clock.js";
import type { SentText, TestAnswer, TestMessage, TestReply } from "./conversation.js";
import type { LogLine } from "./recorded-log.js";
import type { SearchScript } from "./scripted-search.js";
import type { TestedPlugin } from "./tested-plugin.js";

/** Options of a test host. */
export interface TestHostOptions<Config = Record<string, unknown>> {
  /** The plugin under test: its definition, or path or URL of its folder or entry file. */
  readonly plugin: TestedPlugin<Config>;
  /** Manifest of a plugin given as a definition; only its configuration schema is used. */
  readonly manifest?: Pick<PluginManifest, "configSchema">;
  /** The plugin's configuration, `plugins.entries.<id>.config`. */
  readonly pluginConfig?: Config;
  /** Further plugins of the same host, loaded after the one under test. */
  readonly neighbours?: readonly PluginDefinition[];
  /** The host's configuration, checked as its file would be. */
  readonly config?: OpenClawConfiguration;
  /** Replies of the model `scripted/model`, in order; or name of another model. Default: `demo/echo`. */
  readonly model?: ModelScript | string;
  /** Results of web searches, of the provider `scripted`; when absent the tool `web_search` is not offered. */
  readonly webSearch?: SearchScript;
  /** Files of the agent's workspace by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Decides approval requests; when absent there is no approver. */
  readonly answer?: TestAnswer;
  /** Receives the replies; delivery fails when it throws. When absent every reply is delivered. */
  readonly surface?: NonNullable<Caller["surface"]>;
  /** Clock of the host; when absent it is stopped until `advance`. */
  readonly clock?: TestClock;
  /**
   * The only version of the plugin API that the host claims to support; every supported version
   * when absent.
   */
  readonly api?: string | undefined;
  /**
   * Modules, in addition to the SDK, that plugins may import below `openclaw/plugin-sdk`: URL by specifier. They
   * apply to the whole process.
   */
  readonly sdkModules?: ReadonlyMap<string, string> | undefined;
  /** Store of the host; in memory when absent. The caller closes a store that it passes. */
  readonly store?: Store;
}

/** Request to the HTTP interface of a test host. */
export interface TestRequest extends RequestInit {
  /** False sends no token of the gateway, as a caller from outside; true when absent. */
  readonly authenticated?: boolean;
}

/** Sender and channel of a command; absent fields are those of the operator at the terminal. */
export type TestCommandSender = Omit<Partial<TestMessage>, "text">;

/** Record of one dispatch of a hook. */
export type HookTrace = Parameters<Parameters<HookInspection["trace"]>[0]>[0];

/** All registrations of the plugin, in lists by kind. */
export type TestRegistrations = Omit<PluginGeneration, "number" | "plugins" | "diagnostics">;

/** The result of a tool call. */
export interface TestToolResult extends ToolResultMessage {
  /** Its text parts. */
  readonly text: string;
}

/** Rendered prompt of a plugin. */
export interface TestPrompt {
  readonly description: string;
  readonly messages: readonly PromptMessage[];
  /** Request for input, without which the prompt has no messages. */
  readonly input?: InputRequest | undefined;
}

/** Answers to the input requests of a prompt, by their names. */
export type TestPromptInputs = Readonly<
  Record<string, { readonly action: ToolInput["action"]; readonly content?: JsonObject }>
>;

/** A host in memory with a plugin under test. */
export interface TestHost extends AsyncDisposable {
  /** The plugin's record in the host. */
  readonly plugin: PluginRecord;
  readonly registrations: TestRegistrations;
  /** The host's diagnostics about the plugin and about plugins as a whole. */
  readonly diagnostics: readonly PluginDiagnostic[];
  readonly sent: readonly SentText[];
  /** Approval requests sent to the approver. */
  readonly questions: readonly ApprovalSummary[];
  readonly logs: readonly LogLine[];
  /** Every dispatch of a hook since the plugins were loaded, oldest first. */
  readonly trace: readonly HookTrace[];
  /** Requests sent to the scripted model. */
  readonly modelRequests: ScriptedModel["requests"];
  readonly workspaceDir: string;
  readonly clock: TestClock;
  /**
   * Dispatches a hook according to its kind, and waits until every handler has finished.
   * @param hook - a catalogued hook
   * @param event - event for the handlers; see `sampleEvent`
   * @param context - fields of their context that differ from the sample
   * @returns the merged result; undefined when no handler had one
   */
  fire<Name extends CataloguedHookName>(
    hook: Name,
    event: HookMap[Name]["event"],
    context?: Partial<HookMap[Name]["context"]>,
  ): Promise<HookResult<Name> | undefined>;
  /** Like `fire`, by lifecycle phase or alias. */
  firePhase<Phase extends LifecyclePhase | LifecycleAlias>(
    phase: Phase,
    event: HookMap[PhaseHook<Phase>]["event"],
    context?: Partial<HookMap[PhaseHook<Phase>]["context"]>,
  ): Promise<HookResult<PhaseHook<Phase>> | undefined>;
  /**
   * Calls a tool through the complete pipeline: policy, schema, hooks, approval, execution.
   * @param name - name of any tool of the host
   * @param params - as a model would give them; default `{}`
   */
  callTool(name: string, params?: JsonValue): Promise<TestToolResult>;
  /**
   * Renders a prompt, as for an MCP client. As a slash command, send it with `runCommand`.
   * @param name - name of the prompt
   * @param values - values of its arguments; default `{}`
   * @param inputs - answers to its input requests; default `{}`
   * @throws PluginPromptNotFoundError, PluginPromptFailedError
   */
  prompt(
    name: string,
    values?: Readonly<Record<string, string>>,
    inputs?: TestPromptInputs,
  ): Promise<TestPrompt>;
  /**
   * Reads a resource of a plugin with its tool, through the complete pipeline.
   * @param uri - URI of the resource
   * @throws TestResourceNotFoundError when no plugin has a resource or template for the URI
   */
  readResource(uri: string): Promise<TestToolResult>;
  /**
   * Sends a slash command of the plugin or of the host, and waits for its reply. No model is called, unless the
   * command passes the message on to the agent.
   * @param text - name and arguments, for example `/note buy milk`; the slash may be absent
   * @param sender - fields that differ from the operator's own at the terminal
   * @throws TestCommandNotFoundError when the host has no such command
   */
  runCommand(text: string, sender?: TestCommandSender): Promise<TestReply>;
  /**
   * Sends an HTTP request to the routes and gateway methods of the plugin. The first call starts the listener of the
   * gateway on a free port of 127.0.0.1. The request is sent with the token of the gateway, and is aborted
   * when the host is disposed of.
   * @param path - path with a leading slash, and query
   * @param request - method, headers and body, as for `fetch`
   * @throws TypeError when the path does not begin with a slash
   */
  request(path: string, request?: TestRequest): Promise<Response>;
  /**
   * Sends a message as the operator at the terminal and waits for the end of its turn.
   * @param text - text of the message
   */
  turn(text: string): Promise<TestReply>;
  /**
   * Accepts a message as from a channel.
   * @param message - its text, and fields that differ from the operator's own at the terminal
   */
  receive(message: TestMessage): Promise<TestReply>;
  /**
   * Approves a pending call; `answer` must have left the request pending.
   * @param idOrCode - id or code of the approval request; the only pending one when absent
   * @param decision - `allow-always` also grants similar later calls; `allow-once` when absent
   * @throws QuestionUnclearError when none or several are pending
   */
  approve(idOrCode?: string, decision?: "allow-once" | "allow-always"): Promise<void>;
  /**
   * Denies a pending call.
   * @param idOrCode - id or code of the approval request; the only pending one when absent
   * @throws QuestionUnclearError when none or several are pending
   */
  deny(idOrCode?: string): Promise<void>;
  /**
   * Advances the clock; deadlines, retries and approval timeouts that become due take effect.
   * @param milliseconds - time to advance
   */
  advance(milliseconds: number): Promise<void>;
  /**
   * Stops the host and unloads the plugin. Further calls have no effect.
   * @throws PluginLeftoversError when timers, handles, listeners or registrations of the plugin remain
   */
  dispose(): Promise<void>;
}
