import { loadShellGrammar } from "../grammar/grammar.js";
import type { ParsedCommand } from "../grammar/parsed-command.js";
import type { LiteralProgram } from "../literal/literal-command.js";
import {
  type ExpandedCommand,
  ExpansionBudget,
  type ExpansionScene,
  NotExpandable,
} from "./expanded-command.js";
import { isLate } from "./late-words.js";
import { ScriptExpansion } from "./script-expansion.js";
import { type SharedExpansion, ShellState } from "./shell-state.js";

/**
 * Replaces everything in a command that a shell would expand by the words that it means now: patterns, variables, braces,
 * loops, tests and substitutions (APPR-620). It runs nothing; what runs later are exactly these words.
 * @param parsed - command as parsed by the grammar
 * @param scene - folder, variables and files
 * @returns undefined when part of the command is known only to a shell
 */
export async function expandCommand(
  { source, complete }: Pick<ParsedCommand, "source" | "complete">,
  scene: ExpansionScene,
): Promise<ExpandedCommand | undefined> {
  if (!complete || isLate(source)) return undefined;
  const grammar = await loadShellGrammar();
  const budget = new ExpansionBudget();
  const shared: SharedExpansion = { scene, grammar, budget, computed: [], slots: 0, depth: 0 };
  const state = new ShellState(scene);
  const expansion = new ScriptExpansion(shared, state);
  try {
    await expansion.run(grammar.parse(source).commands);
  } catch (error) {
    if (error instanceof NotExpandable) return undefined;
    throw error;
  }
  const pipelines = [...expansion.pipelines];
  // The last outcome was computed, so a program with this outcome ends the command.
  if (pipelines.length === 0 || state.status === false) {
    const program: LiteralProgram = {
      program: state.status === false ? "false" : "true",
      arguments: [],
      redirections: [],
    };
    pipelines.push({ after: ";", programs: [program] });
  }
  return { command: { pipelines }, computed: shared.computed };
}
