import type { LoadedConfiguration } from "@openclaw/configuration";
import { nearestName, withSuggestion } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { canonicalToolName } from "@openclaw/tool-policy";

/** Tool that runs without approval, and the setting that allows it (APPR-046). */
export interface UnattendedTool {
  /** Canonical name. */
  readonly name: string;
  readonly by: "--approve-tool" | "tools.approval";
  /** Set when every command that is not recognised as destructive is allowed, `--approve-tool exec=any`. */
  readonly anyCommand?: true;
  /** Set when every command that is not recognised as destructive is allowed in the writable sandbox. */
  readonly sandboxed?: true;
  /** Reason why the setting has no effect; absent when it has. */
  readonly problem?: string | undefined;
}

const COMMAND_TOOL = "exec";
const ANY = "=any";

/**
 * Parses a value of `--approve-tool`: the name of a tool, or `exec=any`.
 * @param written - value that the operator wrote
 */
export function approvedTool(written: string): { readonly name: string; readonly isAny: boolean } {
  const isAny = written.endsWith(ANY);
  const name = isAny ? written.slice(0, -ANY.length) : written;
  return { name: canonicalToolName(name), isAny };
}

/**
 * Describes the effect of a tool that runs without approval (APPR-046).
 * @param tool - result of `unattendedTools` without a problem
 */
export function unattendedNotice({ name, by, anyCommand, sandboxed }: UnattendedTool): string {
  if (anyCommand === true) {
    return `every command that is not recognised as destructive runs without approval (${by} ${name}${ANY}): this trusts the model with your user account`;
  }
  const commands = sandboxed
    ? "commands in the sandbox, which can write to the workspace,"
    : "commands made of literal words";
  const covered = name === COMMAND_TOOL ? `${name} runs ${commands}` : `${name} runs`;
  return `${covered} without approval (${by})`;
}

/**
 * Returns the tools that run without approval in a process.
 * @param settings - values of `--approve-tool` and `tools.approval`
 * @param known - names of the existing tools
 * @param isSandboxed - true when the workspace-writable sandbox is active
 */
export function unattendedTools(
  settings: {
    readonly approvedTools?: readonly string[];
    readonly needs?: Readonly<Record<string, string>>;
  },
  known: readonly string[],
  isSandboxed = false,
): readonly UnattendedTool[] {
  const { approvedTools = [], needs = {} } = settings;
  const names = new Set(known.map(canonicalToolName));
  const tool = (written: string, by: UnattendedTool["by"]): UnattendedTool => {
    const { name, isAny } = approvedTool(written);
    if (names.has(name) && (!isAny || (name === COMMAND_TOOL && by === "--approve-tool"))) {
      if (isAny) return { name, by, anyCommand: true };
      return { name, by, ...(isSandboxed && name === COMMAND_TOOL ? { sandboxed: true } : {}) };
    }
    if (isAny) return { name, by, problem: `only ${COMMAND_TOOL} can be followed by ${ANY}` };
    const nearest = nearestName(name, known);
    return { name, by, problem: withSuggestion(`tool "${written}" not found`, nearest) };
  };
  return [
    ...approvedTools.map((name) => tool(name, "--approve-tool")),
    ...Object.entries(needs)
      .filter(([, need]) => need === "never")
      .map(([name]) => tool(name, "tools.approval")),
  ];
}

/** Tools and settings of the process, for {@link reportUnattendedTools}. */
export interface UnattendedSettings {
  /** Value of `--approve-tool`. */
  readonly approvedTools: readonly string[];
  /** Names of the tools of the host. */
  readonly tools: readonly string[];
  readonly isSandboxActive: boolean;
}

/**
 * Finds the tools that run without approval, and logs each (APPR-046).
 * @param configuration - configuration of the host
 * @param settings - tools, and settings of the process
 * @param logger - receives a line for each tool
 */
export function reportUnattendedTools(
  { value }: LoadedConfiguration,
  { approvedTools, tools, isSandboxActive }: UnattendedSettings,
  logger: Logger,
): readonly UnattendedTool[] {
  const isSandboxed = isSandboxActive && (value.tools?.exec?.sandbox ?? "auto") === "auto";
  const needs = value.tools?.approval ?? {};
  const found = unattendedTools({ approvedTools, needs }, tools, isSandboxed);
  for (const tool of found) {
    if (tool.problem !== undefined) logger.warn(`${tool.by}: ${tool.problem}`);
    else if (tool.anyCommand === true) logger.warn(unattendedNotice(tool));
    else logger.info(unattendedNotice(tool));
  }
  return found;
}
