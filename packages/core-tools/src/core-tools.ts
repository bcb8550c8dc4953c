import type { WebSearchProvider } from "@openclaw/plugin-sdk/plugin-entry";
import {
  AllowedHostError,
  NetworkClient,
  type NetworkPolicyOptions,
  type RuleSet,
} from "@openclaw/safety";
import type { Store } from "@openclaw/store";
import type { CoreTool } from "./core-tool.js";
import { createEchoTool } from "./data/echo.js";
import { createJsonTool } from "./data/json.js";
import { createTimeTool } from "./data/time.js";
import { CoreToolOptionsError } from "./errors.js";
import { EXTENSION_TOOL_NAMES } from "./extensions/tools.js";
import { createApplyPatchTool } from "./files/apply-patch.js";
import { createEditTool } from "./files/edit.js";
import { createGrepTool } from "./files/grep.js";
import { createListTool } from "./files/list.js";
import { createReadTool } from "./files/read.js";
import { type WorkspaceFolders, WorkspacePaths } from "./files/workspace-paths.js";
import { createWriteTool } from "./files/write.js";
import type { StoredCredentials } from "./http/exchange.js";
import { createHttpTool } from "./http/http.js";
import { createWebFetchTool } from "./http/web-fetch.js";
import { createWebSearchTool } from "./http/web-search.js";
import { lazy } from "./lazy.js";
import { BackgroundProcesses } from "./process/background-processes.js";
import { BubblewrapSandbox } from "./process/bubblewrap/sandbox.js";
import { childEnvironment, type Environment } from "./process/child-environment.js";
import { createExecTools } from "./process/exec.js";
import { Sandbox } from "./process/sandbox.js";
import { createMessageTool, type MessagePort } from "./sessions/message.js";
import { createSessionsSendTool, type SendToSession } from "./sessions/send.js";
import { createSessionTools, type SessionVisibility } from "./sessions/sessions.js";

/** Names of the core tools, which no plugin may take (PLUG-032). */
export const CORE_TOOL_NAMES = [
  "read",
  "list",
  "grep",
  "write",
  "edit",
  "apply_patch",
  "exec",
  "process",
  "http",
  "web_fetch",
  "sessions_list",
  "sessions_history",
  "session_status",
  "sessions_send",
  "time",
  "json",
  "echo",
  "sessions_spawn",
  "subagents",
  "skill",
  "tool_search",
  "create_job",
  "list_jobs",
  "job_status",
  "cancel_job",
  "build_software",
  "routine_create",
  "routine_list",
  "routine_update",
  "routine_delete",
  "routine_history",
  "cron",
  "gateway",
  ...EXTENSION_TOOL_NAMES,
] as const;

/**
 * Name of the core tool that is offered only when the operator selected a provider; otherwise a plugin may have a tool of
 * this name.
 */
export const WEB_SEARCH = "web_search";

/** Name of the core tool that is offered only when the configuration has a channel. */
export const MESSAGE = "message";

/** Options of the core tools: folders, hosts and services that they may use. */
export interface CoreToolOptions extends WorkspaceFolders {
  /** `host:port` pairs that http and web_fetch may reach although they are private or have no https. */
  readonly allowHosts?: NetworkPolicyOptions["allowHosts"];
  /** The host's environment, of which child processes receive a safe part; `process.env` when absent. */
  readonly environment?: Environment;
  /** Names of further variables child processes get. */
  readonly passEnvironment?: readonly string[];
  /** Manages commands that run in the background; the host stops them when their session ends. */
  readonly processes?: BackgroundProcesses;
  /**
   * `required` runs commands only in the system's sandbox; `auto` uses a sandbox, where available, for
   * commands without an individual approval; `off`, the default, uses none.
   */
  readonly sandbox?: "auto" | "off" | "required";
  /** Headers with credentials that the host keeps for a target of http and web_fetch. */
  readonly credentials?: StoredCredentials;
  /** Returns the rules of the leak scan of outgoing requests; the built-in ones when absent or undefined. */
  safetyRules?(): RuleSet | undefined;
  /** Returns the provider of web_search; without one the tool is not offered. */
  webSearch?(): WebSearchProvider | undefined;
  /** The sessions that the sessions tools look into; without it they are not offered. */
  readonly store?: Pick<Store, "sessions" | "messages">;
  /** Sessions that those tools reach: of the same sender (default), or all of the agent. */
  readonly sessionVisibility?: SessionVisibility;
  /** Accepts messages from `sessions_send`; without it the tool is not offered. */
  readonly sendToSession?: SendToSession;
  /** Channels that the message tool reaches; without it the tool is not offered. */
  readonly messages?: MessagePort;
  /** The clock of the time tool, in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Creates the tools of every agent, in the order in which models see them (TURN-026).
 * @param options - folders, hosts and services that the tools may use
 * @throws CoreToolOptionsError when an option cannot be used as it is
 */
export function createCoreTools(options: CoreToolOptions): CoreTool[] {
  const { allowHosts, credentials, safetyRules, store, sendToSession, messages, now } = options;
  const paths = new WorkspacePaths(options);
  const environment = environmentOf(options);
  const http = { network: networkOf(allowHosts), credentials, rules: safetyRules };
  const sandbox = options.sandbox === "required" ? sandboxOf(options, environment()) : undefined;
  const bubblewrap =
    options.sandbox === "auto" ? new BubblewrapSandbox(reachOf(options)) : undefined;
  const { processes = new BackgroundProcesses() } = options;
  return [
    createReadTool(paths),
    createListTool(paths),
    createGrepTool(paths),
    createWriteTool(paths),
    createEditTool(paths),
    createApplyPatchTool(paths),
    createExecTools({ paths, environment, processes, sandbox, bubblewrap }),
    createHttpTool(http),
    createWebFetchTool(http),
    () => {
      const provider = options.webSearch?.();
      return provider === undefined ? [] : [createWebSearchTool({ provider, rules: safetyRules })];
    },
    ...(store === undefined
      ? []
      : [createSessionTools(store, { now, visibility: options.sessionVisibility })]),
    ...(sendToSession === undefined ? [] : [createSessionsSendTool(sendToSession)]),
    ...(messages === undefined ? [] : [createMessageTool(messages, paths)]),
    createTimeTool(now),
    createJsonTool(),
    createEchoTool(),
  ];
}

/** The variables are those of now; whether one looks like a secret is searched when the first command runs. */
function environmentOf({ environment = process.env, passEnvironment = [] }: CoreToolOptions) {
  const present = { ...environment };
  const ofChildren = lazy(() => childEnvironment(present, passEnvironment));
  // A variable that is never passed on is an error of the configuration, which must not wait.
  if (passEnvironment.length > 0) ofChildren();
  return ofChildren;
}

function networkOf(allowHosts: CoreToolOptions["allowHosts"]): NetworkClient {
  try {
    return new NetworkClient({ allowHosts });
  } catch (error) {
    if (!AllowedHostError.isInstance(error)) throw error;
    throw new CoreToolOptionsError("allowHosts", error.problem);
  }
}

function sandboxOf(
  options: CoreToolOptions,
  environment: Readonly<Record<string, string>>,
): Sandbox {
  return new Sandbox(reachOf(options), environment);
}

function reachOf({ workspaceDir, roots = [], stateDir, stateWorkspaceDir }: CoreToolOptions) {
  return { folders: [workspaceDir, ...roots], stateDir, stateWorkspaceDir };
}
