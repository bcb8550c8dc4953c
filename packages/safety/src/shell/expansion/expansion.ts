import type { Statement } from "unbash";
import { loadShellGrammar } from "../grammar/grammar.js";
import type { ParsedCommand } from "../grammar/parsed-command.js";
import type { LiteralCommand, LiteralProgram } from "../literal/literal-command.js";
import {
  type ExpandedCommand,
  ExpansionBudget,
  type ExpansionScene,
  NotExpandable,
} from "./expanded-command.js";
import { isLate } from "./late-words.js";
import { ScriptExpansion } from "./script-expansion.js";
import { type SharedExpansion, ShellState } from "./shell-state.js";

const FOLDER_CHANGE = /\b(?:cd|pushd|popd)\b/;

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
  const { commands } = grammar.parse(source);
  const budget = new ExpansionBudget();
  // What follows a folder change depends on it if it can; a group or a substitution cannot, and the folder exists.
  for (const entersFolders of [false, true]) {
    const computed: SharedExpansion["computed"] = [];
    const shared = { scene, grammar, budget, computed, slots: 0, depth: 0, entersFolders };
    const command = await expandedWith(commands, shared);
    if (command !== undefined) return { command, computed };
    if (!FOLDER_CHANGE.test(source)) return undefined;
  }
  return undefined;
}

async function expandedWith(
  statements: readonly Statement[],
  shared: SharedExpansion,
): Promise<LiteralCommand | undefined> {
  const state = new ShellState(shared.scene);
  const expansion = new ScriptExpansion(shared, state);
  try {
    await expansion.run(statements);
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
  return { pipelines };
}
