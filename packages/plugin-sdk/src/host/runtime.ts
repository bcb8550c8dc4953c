import type { Logger } from "../logger.js";
import type { AnyAgentTool } from "../tools/definition.js";

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
   * Replaces the configuration file.
   * @param config - the whole configuration
   */
  writeConfigFile(config: Record<string, unknown>): Promise<void>;
  /**
   * Updates parts of the configuration file.
   * @param change - mutates the copy that it receives
   */
  mutateConfigFile(change: (draft: Record<string, unknown>) => void): Promise<void>;
}

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
}

/** Exit status and output of a command. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** True when the output exceeded the limit and only its end is included. */
  readonly truncated: boolean;
  /** Exit code; null when a signal ended the command. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly termination: "exit" | "timeout" | "aborted" | "signal";
}

/** Runs programs. */
export interface RuntimeSystem {
  /**
   * Runs a program without a shell, bound by the manifest's `permissions.exec`.
   * @param command - the program and its arguments
   * @param options - options, or only the timeout in milliseconds
   * @throws PluginPermissionError for a program that the manifest does not allow
   */
  runCommandWithTimeout(
    command: readonly string[],
    options: number | RunCommandOptions,
  ): Promise<CommandResult>;
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

/** Request to a model outside a turn. */
export interface CompletionRequest {
  readonly prompt: string;
  readonly system?: string;
  /** Model as `provider/model`; the agent's model when absent. */
  readonly model?: string;
  readonly maxOutputTokens?: number;
  readonly signal?: AbortSignal;
}

/** Response of a model outside a turn. */
export interface CompletionAnswer {
  readonly text: string;
  /** Model that responded, as `provider/model`. */
  readonly model: string;
}

/** Calls models outside a turn. */
export interface RuntimeModels {
  /** @param request - a single prompt, without tools */
  complete(request: CompletionRequest): Promise<CompletionAnswer>;
}

/** Folders of agents. */
export interface RuntimeAgents {
  /**
   * Returns the folder in which the host stores the data of an agent.
   * @param config - ignored; older plugins pass it
   * @param agentId - default `main`
   */
  resolveAgentDir(config?: unknown, agentId?: string): string;
  /**
   * Returns the workspace of an agent.
   * @param config - ignored; older plugins pass it
   * @param agentId - default `main`
   */
  resolveAgentWorkspaceDir(config?: unknown, agentId?: string): string;
}

/** Task for a subagent. */
export interface SubagentRequest {
  readonly task: string;
  /** Session that requests the run. */
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

/** Runs subagents. */
export interface RuntimeSubagents {
  /** @param request - task and requesting session */
  run(request: SubagentRequest): Promise<SubagentAnswer>;
}

/** Creates loggers. */
export interface RuntimeLogging {
  /**
   * Returns a logger that adds fields to each line.
   * @param fields - for example the component of the plugin
   */
  getChildLogger(fields: Readonly<Record<string, unknown>>): Logger;
  /** Returns true when the host logs lines of level `debug`. */
  shouldLogVerbose(): boolean;
}

/**
 * Capabilities of the host for plugins, `api.runtime` (PLUG-041). A capability that the host does not offer throws
 * `RuntimeCapabilityError` when it is called.
 */
export interface HostRuntime {
  /** Version of the host, for example `1.4.0`. */
  readonly version: string;
  readonly config: RuntimeConfig;
  readonly state: {
    /** Returns the state folder of the host. */
    resolveStateDir(): string;
  };
  readonly system: RuntimeSystem;
  readonly tools: RuntimeTools;
  readonly llm: RuntimeModels;
  readonly agent: RuntimeAgents;
  readonly subagent: RuntimeSubagents;
  readonly logging: RuntimeLogging;
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
