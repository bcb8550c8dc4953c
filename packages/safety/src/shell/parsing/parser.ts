import { valueAt } from "../../text/checked-index.js";
import { loadedShellGrammar, loadShellGrammar, type ShellGrammar } from "../grammar/grammar.js";
import type { CommandDefinition, ParsedCommand, SimpleCommand } from "../grammar/parsed-command.js";
import { readLiteralCommand } from "../literal/reader.js";
import { writtenPaths } from "../writes/written-paths.js";
import type { CommandDraft } from "./command-draft.js";
import { CommandList } from "./command-list.js";
import { CommandReader } from "./command-reader.js";

/** Maximum length of a command that is parsed, in UTF-8 bytes (APPR-045). */
const LONGEST_COMMAND = 16_384;
/**
 * Maximum number of arithmetic expressions, because the grammar reads nested ones again at every
 * level.
 */
const MOST_ARITHMETIC = 256;
/** Maximum number of parameters and alternatives in braces, for the same reason. */
const MOST_BRACES = 512;

/**
 * Parses a shell command without running any of it (SAFE-044). The grammar is that of Bash, which
 * includes that of POSIX shells.
 * @param source - command as the shell would receive it
 * @returns a tree with the commands that could be read; `complete` is false when part of the
 *   command cannot be read, it is over 16 KiB, has more than 256 commands or 512 braces, or nests
 *   too deeply
 */
export async function parseCommand(source: string): Promise<ParsedCommand> {
  return isTooLarge(source) ? unread(source) : read(source, await loadShellGrammar());
}

/**
 * Parses like `parseCommand`, for synchronous callers. Before the grammar is loaded, no part of the
 * command is read, as for a command that is too long.
 * @param source - command as the shell would receive it
 */
export function parseCommandAtOnce(source: string): ParsedCommand {
  const grammar = loadedShellGrammar();
  return grammar === undefined || isTooLarge(source) ? unread(source) : read(source, grammar);
}

function unread(source: string): ParsedCommand {
  return { source, complete: false, commands: [], definitions: [], features: [] };
}

function read(source: string, grammar: ShellGrammar): ParsedCommand {
  const list = new CommandList();
  new CommandReader(grammar, list).read(source);
  const { drafts, definitions, features } = list;
  const complete = list.complete && !source.includes("\0");
  const literal = complete ? readLiteralCommand(source) : undefined;
  return {
    source,
    complete,
    ...inSourceOrder(drafts, definitions),
    features: [...features],
    ...(literal === undefined ? {} : { literal }),
  };
}

function isTooLarge(source: string): boolean {
  return (
    source.length > LONGEST_COMMAND ||
    Buffer.byteLength(source) > LONGEST_COMMAND ||
    source.split("((").length > MOST_ARITHMETIC ||
    source.split("{").length > MOST_BRACES
  );
}

/** Sorts commands by their start, outer ones first, and renumbers the references to them. */
function inSourceOrder(
  drafts: readonly CommandDraft[],
  definitions: readonly CommandDefinition[],
): Pick<ParsedCommand, "commands" | "definitions"> {
  const order = drafts
    .map((draft, index) => ({ draft, index }))
    .sort((a, b) => a.draft.range[0] - b.draft.range[0] || b.draft.range[1] - a.draft.range[1]);
  const places = new Map(order.map(({ index }, place) => [index, place]));
  const renumber = (indexes: readonly number[]) => [
    ...new Set(indexes.map((index) => valueAt(places, index))),
  ];
  return {
    commands: order.map(
      ({ draft }): SimpleCommand => ({
        ...draft,
        writes: writtenPaths(draft),
        input: renumber(draft.input),
        substitutions: renumber(draft.substitutions),
      }),
    ),
    definitions: definitions.map((definition) => ({
      ...definition,
      commands: renumber(definition.commands),
    })),
  };
}
