import { defined } from "@openclaw/foundation";
import type { ApprovalNeed } from "@openclaw/plugin-sdk/tools";
import {
  type CommandClassification,
  classifyCommand,
  type ParsedCommand,
  parseCommand,
} from "@openclaw/safety";
import { canonicalToolName } from "@openclaw/tool-policy";
import type { LoadedConfiguration } from "../configuration/configuration.js";
import { hostSafety } from "../host/safety.js";

const COMMAND_TOOL = "exec";

/** What a host knows of a shell command before anything evaluates the call it stands in. */
export interface CheckedCommand {
  readonly parsed: ParsedCommand;
  /** By the rules of safety. */
  readonly safety: CommandClassification;
  /** Whether the tool that runs it needs approval, after the operator's settings. */
  readonly need: ApprovalNeed;
}

/**
 * Reads a shell command as the tool path does, and runs nothing of it (APPR-044).
 * @param source - as the shell would get it
 * @param configuration - of the host
 * @param environment - variables of the process
 * @throws ConfigurationError when a variable cannot be used
 */
export async function checkCommand(
  source: string,
  configuration: Pick<LoadedConfiguration, "value">,
  environment: NodeJS.ProcessEnv,
): Promise<CheckedCommand> {
  const parsed = await parseCommand(source);
  const { rules } = hostSafety(configuration, environment);
  const needs = Object.entries(configuration.value.tools?.approval ?? {});
  const [, need = "unless-granted"] =
    needs.find(([name]) => canonicalToolName(name) === COMMAND_TOOL) ?? [];
  return { parsed, safety: classifyCommand(parsed, defined({ rules })), need };
}
