import type { CliCommand, CliRegistrar } from "@openclaw/plugin-sdk/plugin-entry";
import type { MemoryServices } from "../services.js";
import type { CommandOptions, RunCommand } from "./command.js";
import { readCommand, searchCommand, statusCommand, treeCommand } from "./read-commands.js";
import {
  exportCommand,
  hygieneCommand,
  importCommand,
  profileCommand,
  reindexCommand,
  writeCommand,
} from "./write-commands.js";

/** Dependencies of the commands. */
export interface CommandDependencies {
  /** Opens the memory. */
  readonly services: () => Promise<MemoryServices>;
  /** Age in days from which daily notes are removed, by configuration. */
  readonly keepDays: number;
}

/**
 * Returns the registrar of `openclaw memory` (MEM-042).
 * @param dependencies - memory, and configured values
 */
export function memoryCommands({ services, keepDays }: CommandDependencies): CliRegistrar {
  return ({ program }) => {
    const run: RunCommand = async (work) => await work(await services());
    const memory = program
      .command("memory")
      .description("Search, read and write the long-term memory of agents.");
    described(memory, "search <words...>", "Search by meaning and by words.")
      .option("--limit <number>", "maximum number of hits, 1 to 50 (default: 10)")
      .option("--path <path>", "folder or document to search in")
      .option("--space <name>", "space to search in")
      .option("--tag <tag>", "tag that documents must have")
      .option("--from <date>", "first date, as YYYY-MM-DD")
      .option("--to <date>", "last date, as YYYY-MM-DD")
      .action((words: string[], options: CommandOptions) => searchCommand(run, words, options));
    described(memory, "read <path>", "Print a document.").action(
      (path: string, options: CommandOptions) => readCommand(run, path, options),
    );
    described(
      memory,
      "write <path> [text...]",
      "Write a document; the path `today` adds an entry to the daily note. Without a text, standard input is read.",
    )
      .option("--append", "add the text instead of replacing the document")
      .option("--tag <tag>", "tag of the document")
      .action((path: string, words: string[], options: CommandOptions) =>
        writeCommand(run, path, words, options),
      );
    described(memory, "tree [path]", "List documents and folders.")
      .option("--depth <number>", "number of levels, 1 to 10 (default: 3)")
      .action((path: string | undefined, options: CommandOptions) =>
        treeCommand(run, path, options),
      );
    described(
      memory,
      "status",
      "Show the number of documents, the search engine and pending work.",
    ).action((options: CommandOptions) => statusCommand(run, options));
    described(memory, "reindex", "Chunk and embed every document again.").action(
      (options: CommandOptions) => reindexCommand(run, options),
    );
    described(memory, "import <folder>", "Import a folder of Markdown files, or an export.")
      .option("--target <path>", "folder of the memory that receives the documents")
      .action((folder: string, options: CommandOptions) => importCommand(run, folder, options));
    described(
      memory,
      "export <folder>",
      "Write the memory as Markdown files to an empty folder.",
    ).action((folder: string, options: CommandOptions) => exportCommand(run, folder, options));
    described(memory, "hygiene", "Remove old daily notes now.")
      .option("--dry-run", "show what would be removed")
      .option("--keep-days <number>", "age in days from which a note is removed")
      .action((options: CommandOptions) => hygieneCommand(run, keepDays, options));
    described(memory, "profile", "List the facts about the user.")
      .option("--delete <key>", "delete a fact first")
      .action((options: CommandOptions) => profileCommand(run, options));
  };
}

function described(memory: CliCommand, name: string, description: string): CliCommand {
  return memory
    .command(name)
    .description(description)
    .option("--agent <id>", "agent whose documents are meant (default: main)")
    .option("--user <id>", "user whose documents are meant (default: the owner)")
    .option("--json", "print JSON");
}
