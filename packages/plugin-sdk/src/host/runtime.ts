import type { OlderChannelRuntime } from "../channel/older-runtime.js";
import type { Logger } from "../logger.js";
import type { AnyAgentTool } from "../tools/definition.js";
import type { RuntimeAgents, RuntimeSubagents } from "./agents.js";
import type { RuntimeEmbeddings } from "./embeddings.js";
import type { RuntimeMessages } from "./messages.js";
import type { RuntimeModels } from "./models.js";
import type { RuntimeOAuth } from "./oauth.js";
import type { RuntimePatterns } from "./patterns.js";
import type { RuntimePlugins } from "./plugins.js";
import type { RunningProcess, StartProcessOptions } from "./process.js";
import type { RuntimeSafety } from "./safety.js";
import type { RuntimeSpeech } from "./speech.js";
import type { RuntimeState } from "./state.js";

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
   * Starts a program without a shell that runs next to the host, bound by the manifest's `permissions.exec`. It is ended,
   * with its process group, when the plugin is unloaded or the host stops (SDK-520).
   * @param command - the program and its arguments
   * @param options - folder and environment
   * @throws PluginPermissionError for a program that the manifest does not allow; the system error when the program cannot
   * be started
   */
  startProcess?(command: readonly string[], options?: StartProcessOptions): Promise<RunningProcess>;
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

/** Creates tools that need services of the host. */
export interface RuntimeTools {
  /** @param request - session of the tool */
  createMemorySearchTool(request: MemoryToolRequest): AnyAgentTool | null;
  /** @param request - session of the tool */
  createMemoryGetTool(request: MemoryToolRequest): AnyAgentTool | null;
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
  readonly speech?: RuntimeSpeech;
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
