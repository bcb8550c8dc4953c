import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import { childEnvironment, type Environment } from "./child-environment.js";
import { HttpTargets } from "./http-target.js";
import { createEditTool } from "./tool-edit.js";
import { createExecTool } from "./tool-exec.js";
import { createListTool } from "./tool-list.js";
import { createReadTool } from "./tool-read.js";
import { createTimeTool } from "./tool-time.js";
import { createWebFetchTool } from "./tool-web-fetch.js";
import { createWriteTool } from "./tool-write.js";
import { type WorkspaceFolders, WorkspacePaths } from "./workspace-paths.js";

/** Names of the core tools, which no plugin may take (PLUG-032). */
export const CORE_TOOL_NAMES = [
  "read",
  "list",
  "write",
  "edit",
  "exec",
  "web_fetch",
  "time",
  "skill",
] as const;

/** What the core tools may reach. */
export interface CoreToolOptions extends WorkspaceFolders {
  /** `host:port` pairs web_fetch may reach although they are private or have no https. */
  readonly allowHosts?: readonly string[];
  /** The host's own environment, from which child processes get a safe part; `process.env` when absent. */
  readonly environment?: Environment;
  /** Names of further variables child processes get. */
  readonly passEnvironment?: readonly string[];
  /** The clock of the time tool, in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The tools every agent has, in the order in which models see them (TURN-026).
 * @param options - what they may reach
 * @throws CoreToolOptionsError when an option cannot be used as it is
 */
export function createCoreTools(options: CoreToolOptions): AnyAgentTool[] {
  const paths = new WorkspacePaths(options);
  const environment = childEnvironment(options.environment ?? process.env, options.passEnvironment);
  const targets = new HttpTargets(
    options.allowHosts === undefined ? {} : { allowHosts: options.allowHosts },
  );
  return [
    createReadTool(paths),
    createListTool(paths),
    createWriteTool(paths),
    createEditTool(paths),
    createExecTool({ paths, environment }),
    createWebFetchTool({ targets }),
    createTimeTool(options.now),
  ];
}
