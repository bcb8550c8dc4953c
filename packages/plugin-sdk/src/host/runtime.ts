import type { OlderChannelRuntime } from "../channel/older-runtime.js";
import type { Logger } from "../logger.js";
import type { AgentMessage } from "../message/message.js";
import type { JsonValue } from "../schema/json.js";
import type { AnyAgentTool, NestedToolResult, ToolRequester } from "../tools/definition.js";
import type { RuntimeEmbeddings } from "./embeddings.js";
import type { RuntimeMessages } from "./messages.js";
import type { RuntimeOAuth } from "./oauth.js";
import type { RuntimePatterns } from "./patterns.js";
import type { RuntimePlugins } from "./plugins.js";
import type { RuntimeSafety } from "./safety.js";

/** Configuration of a host by section; the owner of a section defines its shape. */
export type OpenClawConfig = Record<string, unknown>;

/** Configuration of the host as shown to plugins: frozen, secrets redacted. */
export type VisibleConfig = Readonly<OpenClawConfig>;

/** Reads and changes the host's configuration. */
export interface RuntimeConfig {
  /** Current configuration. */
  current(): VisibleConfig;
  /** Legacy name of `current`. */
  loadConfig(): VisibleConfig;
  /**
   * Changes the configuration file to the given configuration. The host checks the result as a whole before it writes
   * it; values that were redacted for the plugin keep their stored value.
   * @param config - the whole configuration
   */
  writeConfigFile?(config: Record<string, unknown>): Promise<void>;
  /**
   * The form of `writeConfigFile` of newer plugins.
   * @param replacement - the whole configuration as `nextConfig`
   */
  replaceConfigFile?(replacement: ConfigReplacement): Promise<void>;
  /**
   * Updates parts of the configuration file, with the checks of `writeConfigFile`.
   * @param change - mutates the draft that it receives; newer plugins pass it as `mutate`
   */
  mutateConfigFile?(change: ConfigMutation | { readonly mutate: ConfigMutation }): Promise<void>;
}

/** Argument of `replaceConfigFile`; other members are ignored. */
export interface ConfigReplacement {
  readonly nextConfig: Record<string, unknown>;
}

/** Mutates a draft of the configuration. */
export type ConfigMutation = (draft: Record<string, unknown>) => unknown;

/** Options of a command. */
export interface RunCommandOptions {
  /** Timeout in milliseconds, after which the command and its child processes are killed. */
  timeoutMs: number;
  /** Working directory, absolute or relative to the plugin's folder; default is the plugin's folder. */
  cwd?: string;
  /** Additional environment variables; variables that hold secrets of the host are never passed. */
  env?: Readonly<Record<string, string>>;
  /** Standard input; empty when absent. */
  input?: string;
  /** Kills the command when it aborts. */
  signal?: AbortSignal;
  /**
   * Maximum number of bytes of standard output, and of standard error; a command that writes more is killed, with the
   * termination `output-limit`. Without it the newest 8 MiB of each are kept.
   */
  maxOutputBytes?: number;
  /** Time in milliseconds between asking a command to end, at its timeout or on abort, and killing it; default 2000. */
  graceMs?: number;
}

/** Exit status and output of a command. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** True when the output exceeded a limit and only a part of it is included. */
  readonly truncated: boolean;
  /** Exit code; null when a signal ended the command. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly termination: "exit" | "timeout" | "aborted" | "signal" | "output-limit";
}

/** Runs programs. */
export interface RuntimeSystem {
  /**
   * Runs a program without a shell, bound by the manifest's `permissions.exec`.
   * @param command - the program and its arguments
   * @param options - options, or only the timeout in milliseconds
   * @throws PluginPermissionError for a program that the manifest does not allow
   */
  runCommandWithTimeout?(
    command: readonly string[],
    options: number | RunCommandOptions,
  ): Promise<CommandResult>;
  /**
   * Adds a line that the model of a session receives at the beginning of its next turn.
   * @param text - the line
   * @param options - the session; an equal line that still waits under the same `contextKey` is not added again
   */
  enqueueSystemEvent?(text: string, options: SystemEventOptions): void;
}

/** Session of a system event. */
export interface SystemEventOptions {
  readonly sessionKey: string;
  readonly contextKey?: string | null;
}

/** Session for which a memory tool is created. */
export interface MemoryToolRequest {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly agentSessionKey?: string;
}

/** Call of a tool outside a turn. */
export interface ToolInvocation {
  /** Full key of the session. */
  readonly sessionKey: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Arguments of the tool. */
  readonly params: Readonly<Record<string, JsonValue>>;
  /** Requester of the work that the call continues, from the context of the tool factory; it decides what policy allows. */
  readonly requester: ToolRequester;
  /** Stops the call. */
  readonly signal?: AbortSignal;
}

/** Creates tools that need services of the host. */
export interface RuntimeTools {
  /** @param request - session of the tool */
  createMemorySearchTool(request: MemoryToolRequest): AnyAgentTool | null;
  /** @param request - session of the tool */
  createMemoryGetTool(request: MemoryToolRequest): AnyAgentTool | null;
}

/** Message of a request to a model outside a turn. */
export interface CompletionMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** Request to a model outside a turn: a prompt, or the messages of a conversation. */
export interface CompletionRequest {
  readonly prompt?: string;
  readonly messages?: readonly CompletionMessage[];
  readonly system?: string;
  /** Older name of `system`. */
  readonly systemPrompt?: string;
  /** Model as `provider/model`; the agent's model when absent. */
  readonly model?: string;
  readonly maxOutputTokens?: number;
  /** Older name of `maxOutputTokens`. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** Full key of the session whose budget the request counts against; only the agent's counts when absent. */
  readonly sessionKey?: string;
  readonly signal?: AbortSignal;
}

/** Response of a model outside a turn. */
export interface CompletionAnswer {
  readonly text: string;
  /** Model that responded, as `provider/model`. */
  readonly model: string;
  /** Provider of the model. */
  readonly provider?: string;
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
}

/** Calls models outside a turn. */
export interface RuntimeModels {
  /** @param request - a prompt or messages, without tools */
  complete(request: CompletionRequest): Promise<CompletionAnswer>;
}

/** Turn of an agent that a plugin requests. */
export interface AgentRunRequest {
  readonly prompt: string;
  /** Session of the turn; one of the plugin for `sessionId` when absent. */
  readonly sessionKey?: string;
  readonly sessionId?: string;
  /** Provider of `model`. */
  readonly provider?: string;
  /** Model as `provider/model`, or a model of `provider`; the agent's model when absent. */
  readonly model?: string;
  readonly extraSystemPrompt?: string;
  /** True asks the model once, without tools and without a session. */
  readonly disableTools?: boolean;
  /** Time limit in milliseconds. */
  readonly timeoutMs?: number;
}

/** Outcome of an agent's turn. */
export interface AgentRunAnswer {
  /** Parts of the reply. */
  readonly payloads: readonly { readonly text: string; readonly isError?: boolean }[];
  readonly meta: { readonly durationMs: number; readonly aborted?: boolean };
}

/** Folders, turns and tools of agents. */
export interface RuntimeAgents {
  /**
   * Runs a turn of an agent and returns its reply. Policy, hooks and approvals apply as for a message.
   * @param request - prompt and session
   */
  runEmbeddedPiAgent?(request: AgentRunRequest): Promise<AgentRunAnswer>;
  /**
   * Calls a tool in a session without a model, for example to continue work after an approval. The call takes the path of
   * a model's call with the rights of the requester, and waits for an approval where one is needed (PLUG-130).
   * @param invocation - session, tool and requester
   * @returns the result; a denied or failing call does not throw
   * @throws SessionNotFoundError when the session does not exist
   */
  callTool?(invocation: ToolInvocation): Promise<NestedToolResult>;
  /**
   * Returns the folder in which the host stores the data of an agent.
   * @param config - ignored; older plugins pass it
   * @param agentId - default `main`
   */
  resolveAgentDir?(config?: unknown, agentId?: string): string;
  /**
   * Returns the workspace of an agent.
   * @param config - ignored; older plugins pass it
   * @param agentId - default `main`
   */
  resolveAgentWorkspaceDir?(config?: unknown, agentId?: string): string;
  /** Returns true when the user trusts the workspace of the host, so that its files may change what the host does. */
  isWorkspaceTrusted?(): boolean;
}

/** Task for a subagent. */
export interface SubagentRequest {
  readonly task: string;
  /** Session of the turn. */
  readonly sessionKey: string;
  readonly agentId?: string;
  readonly label?: string;
  readonly timeoutMs?: number;
}

/** Outcome of a subagent's run. */
export interface SubagentAnswer {
  readonly runId: string;
  readonly sessionKey: string;
  readonly status: "completed" | "failed" | "timed-out";
  readonly text?: string;
}

/** Message for an agent in a session; the form of older versions of the API. */
export interface SubagentStart {
  readonly message: string;
  readonly sessionKey: string;
  /** Model as `provider/model`. */
  readonly model?: string;
}

/** Runs turns of agents for the plugin. */
export interface RuntimeSubagents {
  /**
   * Starts a turn without waiting for it.
   * @param request - message and session
   */
  run(request: SubagentStart): Promise<{ readonly runId: string }>;
  /**
   * Runs a turn and waits for its reply.
   * @param request - task and session
   */
  run(request: SubagentRequest): Promise<SubagentAnswer>;
  /** @param wait - the run, and the time to wait in milliseconds */
  waitForRun(wait: {
    readonly runId: string;
    readonly timeoutMs?: number;
  }): Promise<{ readonly status: "ok" | "error" | "timeout"; readonly error?: string }>;
  /** @param session - the session, and the maximum number of messages */
  getSessionMessages(session: {
    readonly sessionKey: string;
    readonly limit?: number;
  }): Promise<{ readonly messages: readonly AgentMessage[] }>;
  /**
   * Deletes a session that the plugin started, with its messages.
   * @param session - the session
   * @throws an error with code `PLUGIN_SESSION_DENIED` for a session that the plugin did not start
   */
  deleteSession(session: { readonly sessionKey: string }): Promise<void>;
}

/** Creates loggers, and removes secrets. */
export interface RuntimeLogging {
  /**
   * Returns a logger that adds fields to each line.
   * @param fields - for example the component of the plugin
   */
  getChildLogger(fields: Readonly<Record<string, unknown>>): Logger;
  /** Returns true when the host logs lines of level `debug`. */
  shouldLogVerbose(): boolean;
  /**
   * Returns a value without secrets, as the host would log it: secrets are found by their form in strings, and by the
   * names of fields. Use it for content that leaves the host, for example with spans.
   * @param value - any value; it is not modified
   * @returns the same value when it has no secrets, otherwise a copy made of plain objects
   */
  redact(value: unknown): unknown;
}

/** Options of `runtime.state.openKeyedStore`. */
export interface KeyedStoreOptions {
  /** Name of the store among those of the plugin. */
  readonly namespace: string;
  /** Number of values from which the oldest are removed; unlimited when absent. */
  readonly maxEntries?: number;
  /** Time in milliseconds after which a value expires; never when absent. */
  readonly defaultTtlMs?: number;
}

/** Value in a keyed store. */
export interface KeyedStoreEntry<Value> {
  readonly key: string;
  readonly value: Value;
  /** Time in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt?: number;
}

/** Lasting values of a plugin by key, with an expiry. The values are JSON of at most 256 KiB. */
export interface KeyedStore<Value> {
  register(key: string, value: Value, options?: { readonly ttlMs?: number }): Promise<void>;
  /** Returns false, and stores nothing, when the key has a value. */
  registerIfAbsent(
    key: string,
    value: Value,
    options?: { readonly ttlMs?: number },
  ): Promise<boolean>;
  lookup(key: string): Promise<Value | undefined>;
  /** Returns a value and removes it. */
  consume(key: string): Promise<Value | undefined>;
  delete(key: string): Promise<boolean>;
  /** Returns the values in the order in which they were stored. */
  entries(): Promise<readonly KeyedStoreEntry<Value>[]>;
  clear(): Promise<void>;
}

/** Lasting state of plugins. */
export interface RuntimeState {
  /** Returns the state folder of the host. */
  resolveStateDir?(): string;
  /**
   * Opens a store of lasting values.
   * @typeParam Value - type of the values, not checked by the host
   * @param options - name and limits
   */
  openKeyedStore?<Value>(options: KeyedStoreOptions): KeyedStore<Value>;
}

/**
 * Capabilities of the host for plugins, `api.runtime` (PLUG-041). A capability that the host does not have is
 * `undefined`.
 */
export interface HostRuntime {
  /**
   * Version of the host, for example `1.4.0`; for a plugin of an older API the newest calendar version of that API that
   * the host supports, because such plugins compare it with theirs.
   */
  readonly version: string;
  readonly config: RuntimeConfig;
  readonly state: RuntimeState;
  readonly system: RuntimeSystem;
  readonly tools?: RuntimeTools;
  readonly llm?: RuntimeModels;
  readonly embeddings?: RuntimeEmbeddings;
  readonly agent: RuntimeAgents;
  readonly subagent?: RuntimeSubagents;
  readonly logging: RuntimeLogging;
  readonly messages?: RuntimeMessages;
  /** Access tokens of the OAuth credentials of the plugin; undefined on a host without stored secrets. */
  readonly oauth?: RuntimeOAuth;
  /** Channels in the form of older plugins. */
  readonly channel?: OlderChannelRuntime;
  readonly patterns: RuntimePatterns;
  readonly safety: RuntimeSafety;
  readonly plugins: RuntimePlugins;
  /**
   * Checks a URL as `fetch` would, without sending a request: https only, without user name and password, and not a
   * host or address that is not public, unless `tools.http.allowHosts` names it. The addresses of a host name are
   * checked when a request is sent.
   * @param url - absolute URL
   * @returns the URL in its canonical spelling
   * @throws an error with code `NETWORK_DENIED`, whose `reason` names the rule
   */
  checkUrl(url: string | URL): URL;
  /**
   * Fetches like the global function, bound by the manifest's `permissions.network` and by the network check of
   * the host: https and public addresses only, unless `tools.http.allowHosts` names the host; at most 3 redirects,
   * each checked again; at most 5 MB of response body.
   * @param input - URL or request
   * @param init - as for `fetch`
   * @throws PluginPermissionError for a host that the manifest does not allow; an error with code `NETWORK_DENIED` for
   * a request that the network check denies
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}
