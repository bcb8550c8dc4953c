import type { LoadedConfiguration } from "@openclaw/configuration";
import { expandInWorkspace } from "@openclaw/core-tools";
import { defined } from "@openclaw/foundation";
import type { ApprovalNeed } from "@openclaw/plugin-sdk/tools";
import {
  type CommandClassification,
  classifyCommand,
  type ParsedCommand,
  parseCommand,
} from "@openclaw/safety";
import { canonicalToolName } from "@openclaw/tool-policy";
import { hostSafety } from "../host/safety.js";

const COMMAND_TOOL = "exec";

/** Properties of a shell command that are known before a call with it is evaluated. */
export interface CheckedCommand {
  readonly parsed: ParsedCommand;
  /** Class by the safety rules. */
  readonly safety: CommandClassification;
  /** Approval requirement of the tool that runs it, according to the operator's settings. */
  readonly need: ApprovalNeed;
}

/**
 * Parses a shell command as a call of `exec` does, and expands it in a workspace; runs nothing.
 * @param workspaceDir - workspace in which it would run
 * @param source - command as the shell would receive it
 */
export async function parseCommandIn(workspaceDir: string, source: string): Promise<ParsedCommand> {
  const parsed = await parseCommand(source);
  const expanded = await expandInWorkspace(parsed, { workspaceDir });
  return { ...parsed, ...defined({ expanded }) };
}

/**
 * Parses a shell command like the tool pipeline does, without running it (APPR-044).
 * @param source - command as the shell would receive it
 * @param workspaceDir - workspace in which it would run
 * @param configuration - configuration of the host
 * @param environment - environment variables of the process
 * @throws ConfigurationError when a variable is not valid
 */
export async function checkCommand(
  source: string,
  workspaceDir: string,
  configuration: Pick<LoadedConfiguration, "value">,
  environment: NodeJS.ProcessEnv,
): Promise<CheckedCommand> {
  const parsed = await parseCommandIn(workspaceDir, source);
  const { rules } = hostSafety(configuration, environment);
  const needs = Object.entries(configuration.value.tools?.approval ?? {});
  const [, need = "unless-granted"] =
    needs.find(([name]) => canonicalToolName(name) === COMMAND_TOOL) ?? [];
  return { parsed, safety: classifyCommand(parsed, defined({ rules })), need };
}
