import type { Command, CommandNode, While } from "unbash";
import type { LiteralProgram } from "../literal/literal-command.js";
import type { Emission } from "./emission.js";
import { NotExpandable } from "./expanded-command.js";
import { withListedNames } from "./late-words.js";
import { printNames } from "./name-listing.js";
import type { ShellState } from "./shell-state.js";
import type { SimpleResult } from "./simple-command.js";

/** Expansion of the stages of a pipe. */
export interface PipeStages {
  simple(node: Command): Promise<SimpleResult>;
  /** Expands commands that are given by their words. */
  invoke(invocations: readonly (readonly string[])[]): Promise<void>;
  /** Expands a command that is given by its words, and must be one program. */
  started(words: readonly string[]): Promise<LiteralProgram>;
  script(source: string): Promise<void>;
  /** Expands a loop over the lines of a text. */
  lines(loop: While, text: string): Promise<void>;
  group(node: CommandNode): Promise<void>;
}

/**
 * Expands a pipe; programs after something that is not one program read its kept output.
 * @param nodes - stages as parsed by the grammar
 * @param emission - pipelines of the script
 * @param stages - expansion of single stages
 * @throws NotExpandable when only a shell can run it
 */
export async function expandPipe(
  nodes: readonly CommandNode[],
  state: ShellState,
  emission: Emission,
  stages: PipeStages,
): Promise<void> {
  const { folder } = state;
  const { slot } = emission;
  let programs: LiteralProgram[] = [];
  let kept: number | undefined;
  for (const [index, node] of nodes.entries()) {
    const isLast = index === nodes.length - 1;
    const isFirst = index === 0;
    const separately = async (work: () => Promise<void>) => {
      const own = isLast ? slot : emission.newSlot();
      emission.slot = own;
      await work();
      emission.slot = slot;
      programs = [];
      kept = isLast ? undefined : own;
    };
    const input = async () => {
      if (kept !== undefined) throw new NotExpandable("kept output");
      return await emission.computed(programs, folder);
    };
    const found = node.type === "Command" ? await stages.simple(node) : undefined;
    if (found?.kind === "program") programs.push(found.program);
    else if (found?.kind === "items") {
      const given = found.input;
      // Names are checked when the program starts, so that there may be any number of them.
      const isListed = found.command.listed !== undefined && kept === undefined;
      const areNames = given === undefined && isListed && printNames(programs);
      const read = given === undefined ? input : () => emission.computed([given], folder);
      const text = areNames ? undefined : await orUnknown(read());
      if (text !== undefined) {
        await separately(() => stages.invoke(found.command.invocations(text)));
        continue;
      }
      const { listed } = found.command;
      if (given !== undefined || kept !== undefined || listed === undefined) {
        throw new NotExpandable("unknown items");
      }
      if (!printNames(programs)) throw new NotExpandable("unknown items");
      programs.push(withListedNames(await stages.started(listed.words), listed.names));
    } else if (found?.kind === "script" && isFirst) {
      await separately(() => stages.script(found.source));
    } else if (node.type === "While" && !isFirst) {
      const text = await input();
      await separately(() => stages.lines(node, text));
    } else if (node.type !== "Command" && isFirst) {
      await separately(() => stages.group(node));
    } else throw new NotExpandable("a stage");
  }
  if (state.folder !== folder) throw new NotExpandable("a folder in a pipe");
  if (programs.length > 0) emission.add(programs, ";", kept);
  state.status = undefined;
}

/** Returns undefined for an output that only its programs know. */
async function orUnknown(output: Promise<string>): Promise<string | undefined> {
  return await output.catch((error: unknown) => {
    if (error instanceof NotExpandable) return undefined;
    throw error;
  });
}
