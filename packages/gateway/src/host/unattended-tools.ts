import { nearestName, withSuggestion } from "@openclaw/foundation";
import { canonicalToolName } from "@openclaw/tool-policy";

/** A tool that runs without a question, and what the operator wrote to have it so (APPR-046). */
export interface UnattendedTool {
  /** Canonical name. */
  readonly name: string;
  readonly by: "--approve-tool" | "tools.approval";
  /** Set where every command is covered that is not recognised as destructive, `--approve-tool exec=any`. */
  readonly anyCommand?: true;
  /** Set where every command is covered that is not recognised as destructive, in the writable sandbox. */
  readonly sandboxed?: true;
  /** Why it has no effect; absent where it has. */
  readonly problem?: string | undefined;
}

const COMMAND_TOOL = "exec";
const ANY = "=any";

/**
 * Reads a value of `--approve-tool`: the name of a tool, or `exec=any`.
 * @param written - as the operator wrote it
 */
export function approvedTool(written: string): { readonly name: string; readonly isAny: boolean } {
  const isAny = written.endsWith(ANY);
  const name = isAny ? written.slice(0, -ANY.length) : written;
  return { name: canonicalToolName(name), isAny };
}

/**
 * Says what it means that a tool runs without approval (APPR-046).
 * @param tool - one of `unattendedTools` without a problem
 */
export function unattendedNotice({ name, by, anyCommand, sandboxed }: UnattendedTool): string {
  if (anyCommand === true) {
    return `every command that is not recognised as destructive runs without approval (${by} ${name}${ANY}): this trusts the model with your user account`;
  }
  const commands = sandboxed
    ? "commands in the sandbox, which can write the workspace,"
    : "commands of literal words";
  const covered = name === COMMAND_TOOL ? `${name} runs ${commands}` : `${name} runs`;
  return `${covered} without approval (${by})`;
}

/**
 * The tools that run without a question in a process.
 * @param settings - `--approve-tool` and `tools.approval` as they were written
 * @param known - names of the tools that exist
 * @param isSandboxed - whether the workspace-writable sandbox is active
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
    return { name, by, problem: withSuggestion(`there is no tool "${written}"`, nearest) };
  };
  return [
    ...approvedTools.map((name) => tool(name, "--approve-tool")),
    ...Object.entries(needs)
      .filter(([, need]) => need === "never")
      .map(([name]) => tool(name, "tools.approval")),
  ];
}
