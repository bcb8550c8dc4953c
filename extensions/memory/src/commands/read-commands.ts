import { normaliseFolder } from "../documents/path.js";
import { DEFAULT_DEPTH, treeOf } from "../documents/tree.js";
import { DEFAULT_LIMIT } from "../search/search.js";
import { memoryStatus } from "../status.js";
import { type CommandOptions, numberOf, ownerOfOptions, type RunCommand } from "./command.js";
import { hitLines, print, treeLines } from "./output.js";

/** Options of `memory search`. */
interface SearchOptions extends CommandOptions {
  readonly limit?: string;
  readonly path?: string;
  readonly space?: string;
  readonly tag?: string;
  readonly from?: string;
  readonly to?: string;
}

/**
 * Searches the memory.
 * @param run - opens the memory for the command
 * @param words - words of the query
 * @param options - limit and filter
 */
export async function searchCommand(
  run: RunCommand,
  words: readonly string[],
  options: SearchOptions,
): Promise<void> {
  await run(async ({ search }) => {
    const { path, space, tag, from, to } = options;
    const result = await search.search(ownerOfOptions(options), {
      query: words.join(" "),
      limit: numberOf("limit", options.limit, DEFAULT_LIMIT),
      paths: path === undefined ? undefined : [path],
      space,
      tags: tag === undefined ? undefined : [tag],
      from,
      to,
    });
    print(options.json === true, result, () => hitLines(result));
  });
}

/**
 * Prints a document.
 * @param run - opens the memory for the command
 * @param path - path of the document
 * @param options - output
 */
export async function readCommand(
  run: RunCommand,
  path: string,
  options: CommandOptions,
): Promise<void> {
  await run(async ({ documents }) => {
    const document = await documents.read(ownerOfOptions(options), path);
    print(options.json === true, document, () => [document.content]);
  });
}

/**
 * Lists documents and folders.
 * @param run - opens the memory for the command
 * @param path - folder; the root when undefined
 * @param options - depth and output
 */
export async function treeCommand(
  run: RunCommand,
  path: string | undefined,
  options: CommandOptions & { readonly depth?: string },
): Promise<void> {
  await run(async ({ documents }) => {
    const folder = normaliseFolder(path ?? "");
    const listed = await documents.list(ownerOfOptions(options), folder);
    const entries = treeOf(listed, folder, numberOf("depth", options.depth, DEFAULT_DEPTH));
    print(options.json === true, { path: folder, entries }, () =>
      entries.length === 0
        ? ['No documents. Add one: openclaw memory write notes/first.md "a text"']
        : treeLines(entries),
    );
  });
}

/**
 * Prints the state of the memory.
 * @param run - opens the memory for the command
 * @param options - output
 */
export async function statusCommand(run: RunCommand, options: CommandOptions): Promise<void> {
  await run(async (memory) => {
    const status = await memoryStatus(memory);
    print(options.json === true, status, () => [
      `Documents   ${status.documents} of ${status.owners} ${status.owners === 1 ? "user or agent" : "users and agents"}`,
      `Chunks      ${status.chunks}`,
      `Full text   ${textLine(status)}`,
      `Vectors     ${vectorLine(status)}`,
      `Database    ${status.engine}${status.vectorFunctions === "none" ? "" : ` with ${status.vectorFunctions}`}`,
      ...status.notices.map((notice) => `note: ${notice}`),
    ]);
  });
}

function textLine({ fullText, unindexed }: Awaited<ReturnType<typeof memoryStatus>>): string {
  if (!fullText) return "no";
  return unindexed === 0 ? "yes" : `${unindexed} chunks are indexed again after an upgrade`;
}

function vectorLine({ embedding }: Awaited<ReturnType<typeof memoryStatus>>): string {
  if (embedding === undefined) return "none: no embedding provider is set up";
  const { model, dimension, pending, excluded, problem } = embedding;
  const name = model === undefined ? "nothing embedded yet" : `${model} (${dimension} dimensions)`;
  return [
    name,
    pending === 0 ? undefined : `${pending} chunks pending`,
    excluded === 0 ? undefined : `${excluded} excluded because of secrets`,
    problem === undefined ? undefined : `last failure: ${problem}`,
  ]
    .filter((part) => part !== undefined)
    .join("; ");
}
