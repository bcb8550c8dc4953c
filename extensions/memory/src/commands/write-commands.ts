import { resolve } from "node:path";
import { stdin } from "node:process";
import { text as readAll } from "node:stream/consumers";
import { removeOldNotes } from "../documents/hygiene.js";
import { InvalidParameterError } from "../errors.js";
import { reindex } from "../reindex.js";
import type { MemoryServices } from "../services.js";
import { exportMemory } from "../transfer/export.js";
import { importFolder } from "../transfer/import.js";
import { type CommandOptions, numberOf, ownerOfOptions, type RunCommand } from "./command.js";
import { note, print } from "./output.js";

/** Files between two lines of progress. */
const PROGRESS_EVERY = 500;

/**
 * Writes a document, or an entry of the daily note when the path is `today`.
 * @param run - opens the memory for the command
 * @param path - path of the document
 * @param words - the text; standard input when it is `-` or absent
 * @param options - append and output
 */
export async function writeCommand(
  run: RunCommand,
  path: string,
  words: readonly string[],
  options: CommandOptions & { readonly append?: boolean; readonly tag?: string },
): Promise<void> {
  const isPiped = words.length === 0 || (words.length === 1 && words[0] === "-");
  const content = isPiped ? await readAll(stdin) : words.join(" ");
  if (content.trim() === "") throw new InvalidParameterError("text", "expected a text, got none");
  await run(async (memory) => {
    const owner = ownerOfOptions(options);
    const { append, tag } = options;
    const written =
      path === "today"
        ? await memory.notes.log(owner, content)
        : await memory.documents.write(owner, {
            path,
            content,
            append,
            tags: tag === undefined ? undefined : [tag],
          });
    await embed(memory, options);
    print(options.json === true, written, () => [
      `${written.created ? "Created" : written.changed ? "Changed" : "Unchanged:"} ${written.path}`,
    ]);
  });
}

/**
 * Imports a folder of Markdown files, or an export.
 * @param run - opens the memory for the command
 * @param folder - path on disk
 * @param options - target and output
 */
export async function importCommand(
  run: RunCommand,
  folder: string,
  options: CommandOptions & { readonly target?: string },
): Promise<void> {
  await run(async (memory) => {
    let shown = 0;
    const report = await importFolder(memory, ownerOfOptions(options), resolve(folder), {
      target: options.target,
      onProgress(files) {
        if (options.json === true || files - shown < PROGRESS_EVERY) return;
        shown = files;
        note(`${files} files …`);
      },
    });
    await embed(memory, options);
    const { created, changed, unchanged, skipped } = report;
    print(options.json === true, report, () => [
      `Imported ${created + changed + unchanged} documents: ${created} new, ${changed} changed, ${unchanged} unchanged.`,
      ...skipped.map(({ file, problem }) => `Skipped ${file}: ${problem}.`),
    ]);
  });
}

/**
 * Exports the memory to an empty folder.
 * @param run - opens the memory for the command
 * @param folder - path on disk
 * @param options - output
 */
export async function exportCommand(
  run: RunCommand,
  folder: string,
  options: CommandOptions,
): Promise<void> {
  await run(async (memory) => {
    const report = await exportMemory(memory, ownerOfOptions(options), resolve(folder));
    print(options.json === true, report, () => [
      `Exported ${report.documents} documents to ${report.folder}.`,
    ]);
  });
}

/**
 * Chunks and embeds everything again.
 * @param run - opens the memory for the command
 * @param options - output
 */
export async function reindexCommand(run: RunCommand, options: CommandOptions): Promise<void> {
  await run(async (memory) => {
    const documents = await reindex(memory);
    await embed(memory, options);
    const embedding = await memory.embeddings?.status();
    print(options.json === true, { documents, embedding }, () => [
      `Indexed ${documents} documents again.`,
      ...(embedding === undefined || embedding.pending === 0
        ? []
        : [
            `${embedding.pending} chunks are pending: ${embedding.problem ?? "a gateway continues"}`,
          ]),
    ]);
  });
}

/**
 * Removes old daily notes.
 * @param run - opens the memory for the command
 * @param keepDays - age in days, by configuration
 * @param options - dry run and output
 */
export async function hygieneCommand(
  run: RunCommand,
  keepDays: number,
  options: CommandOptions & { readonly dryRun?: boolean; readonly keepDays?: string },
): Promise<void> {
  await run(async ({ documents, notes }) => {
    const report = await removeOldNotes(
      { documents, today: () => notes.today() },
      {
        keepDays: numberOf("keep-days", options.keepDays, keepDays),
        dryRun: options.dryRun === true,
      },
    );
    print(options.json === true, report, () => [
      report.removed.length === 0
        ? "No old daily notes."
        : `${report.dryRun ? "Would remove" : "Removed"} ${report.removed.length} daily notes: ${report.removed.join(", ")}`,
    ]);
  });
}

/**
 * Lists the facts about the user, or deletes one.
 * @param run - opens the memory for the command
 * @param options - fact to delete, and output
 */
export async function profileCommand(
  run: RunCommand,
  options: CommandOptions & { readonly delete?: string },
): Promise<void> {
  await run(async ({ profiles }) => {
    const { user } = ownerOfOptions(options);
    if (options.delete !== undefined) await profiles.remove(user, options.delete);
    const facts = await profiles.list(user);
    print(options.json === true, { facts }, () =>
      facts.length === 0
        ? ["No facts."]
        : facts.map(({ key, value, type, source }) => `${key}: ${value}  (${type}, ${source})`),
    );
  });
}

/** Embeds what the command wrote; a gateway that runs does the rest when this fails. */
async function embed({ embeddings }: MemoryServices, { json }: CommandOptions): Promise<void> {
  if (embeddings === undefined) return;
  embeddings.start();
  await embeddings.idle();
  const { pending, problem } = await embeddings.status();
  if (pending > 0 && json !== true)
    note(`${pending} chunks are not embedded yet: ${problem ?? ""}`);
}
