import { nearestName, withSuggestion } from "@openclaw/foundation";
import { canonicalToolName } from "@openclaw/tool-policy";

/** A tool that runs without a question, and what the operator wrote to have it so (APPR-046). */
export interface UnattendedTool {
  /** Canonical name. */
  readonly name: string;
  readonly by: "--approve-tool" | "tools.approval";
  /** Why it has no effect; absent where it has. */
  readonly problem?: string | undefined;
}

/**
 * The tools that run without a question in a process.
 * @param settings - `--approve-tool` and `tools.approval` as they were written
 * @param known - names of the tools that exist
 */
export function unattendedTools(
  settings: {
    readonly approvedTools?: readonly string[];
    readonly needs?: Readonly<Record<string, string>>;
  },
  known: readonly string[],
): readonly UnattendedTool[] {
  const { approvedTools = [], needs = {} } = settings;
  const names = new Set(known.map(canonicalToolName));
  const tool = (written: string, by: UnattendedTool["by"]): UnattendedTool => {
    const name = canonicalToolName(written);
    if (names.has(name)) return { name, by };
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
