import type { Logger } from "../logger.js";
import type { AnyAgentTool } from "../tools/definition.js";

/** A host's configuration; each section's shape is its owner's affair. */
export type OpenClawConfig = Record<string, unknown>;

/** The host's configuration as plugins see it: frozen, secrets redacted. */
export type VisibleConfig = Readonly<OpenClawConfig>;

/** Reads and changes the host's configuration. */
export interface RuntimeConfig {
  /** The configuration of this moment. */
  current(): VisibleConfig;
  /** The same as `current`, under its older name. */
  loadConfig(): VisibleConfig;
  /**
   * Replaces the configuration file.
   * @param config - all of it
   */
  writeConfigFile(config: Record<string, unknown>): Promise<void>;
  /**
   * Changes the configuration file, keeping what is not touched.
   * @param change - changes the copy it is given
   */
  mutateConfigFile(change: (draft: Record<string, unknown>) => void): Promise<void>;
}

/** How a command is run. */
export interface RunCommandOptions {
  /** Ends the command and all it started, in milliseconds. */
  timeoutMs: number;
  /** Absolute, or relative to the plugin's folder, which is the default. */
  cwd?: string;
  /** Variables over those every command gets; none that names a secret of the host is among them. */
  env?: Readonly<Record<string, string>>;
  /** What it reads from standard input; nothing when absent. */
  input?: string;
  /** Ends the command early. */
  signal?: AbortSignal;
}

/** How a command ended, and what it wrote. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** True when it wrote more than the host keeps, and only the newest is here. */
  readonly truncated: boolean;
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly termination: "exit" | "timeout" | "aborted" | "signal";
}

/** Runs programs. */
export interface RuntimeSystem {
  /**
   * Runs a program without a shell, bound by the manifest's `permissions.exec`.
   * @param command - the program and its arguments
   * @param options - how, or just how long, in milliseconds
   * @throws PluginPermissionError for a program the manifest does not allow
   */
  runCommandWithTimeout(
    command: readonly string[],
    options: number | RunCommandOptions,
  ): Promise<CommandResult>;
}

/** For which session a tool of the memory is made. */
export interface MemoryToolRequest {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly agentSessionKey?: string;
}

/** Makes tools that only a host can make. */
export interface RuntimeTools {
  /** @param request - for which session */
  createMemorySearchTool(request: MemoryToolRequest): AnyAgentTool | null;
  /** @param request - for which session */
  createMemoryGetTool(request: MemoryToolRequest): AnyAgentTool | null;
}

/** What a model is asked outside a turn. */
export interface CompletionRequest {
  readonly prompt: string;
  readonly system?: string;
  /** `provider/model`; the agent's own when absent. */
  readonly model?: string;
  readonly maxOutputTokens?: number;
  readonly signal?: AbortSignal;
}

/** What it answered. */
export interface CompletionAnswer {
  readonly text: string;
  /** `provider/model` that answered. */
  readonly model: string;
}

/** Asks models. */
export interface RuntimeModels {
  /** @param request - one prompt, without tools */
  complete(request: CompletionRequest): Promise<CompletionAnswer>;
}

/** Where agents have their files. */
export interface RuntimeAgents {
  /**
   * The folder in which the host keeps what belongs to an agent.
   * @param config - not used; older plugins pass it
   * @param agentId - default `main`
   */
  resolveAgentDir(config?: unknown, agentId?: string): string;
  /**
   * The workspace of an agent.
   * @param config - not used; older plugins pass it
   * @param agentId - default `main`
   */
  resolveAgentWorkspaceDir(config?: unknown, agentId?: string): string;
}

/** What another agent is asked to do. */
export interface SubagentRequest {
  readonly task: string;
  /** The session that asks. */
  readonly sessionKey: string;
  readonly agentId?: string;
  readonly label?: string;
  readonly timeoutMs?: number;
}

/** What became of it. */
export interface SubagentAnswer {
  readonly runId: string;
  readonly sessionKey: string;
  readonly status: "completed" | "failed" | "timed-out";
  readonly text?: string;
}

/** Lets other agents work. */
export interface RuntimeSubagents {
  /** @param request - the task, and who asks */
  run(request: SubagentRequest): Promise<SubagentAnswer>;
}

/** Makes loggers. */
export interface RuntimeLogging {
  /**
   * A logger whose lines carry further fields.
   * @param fields - for example the part of the plugin that writes
   */
  getChildLogger(fields: Readonly<Record<string, unknown>>): Logger;
  /** Whether lines of level `debug` are kept. */
  shouldLogVerbose(): boolean;
}

/**
 * What the host can do for a plugin, `api.runtime` (PLUG-041). An ability that this host lacks throws
 * `RuntimeCapabilityError` when it is called.
 */
export interface HostRuntime {
  /** Version of the host. */
  readonly version: string;
  readonly config: RuntimeConfig;
  readonly state: {
    /** The host's state folder. */
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
   * @throws PluginPermissionError for a host the manifest does not allow; an error with code `NETWORK_DENIED` for
   * a request that the network check denies
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}
