import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { startOfText } from "@openclaw/foundation";
import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { answer } from "../result.js";
import { systemErrorCode } from "../system-error.js";
import { binaryKindOf } from "./content-type.js";
import { withoutMark } from "./line-ends.js";
import { linearPattern, type PatternTest } from "./linear-pattern.js";
import { pathGlob } from "./path-glob.js";
import { readingApproval } from "./reading-approval.js";
import { notFound, openApprovedFile } from "./workspace-file.js";
import type { WorkspacePaths } from "./workspace-paths.js";
import { walkFolders } from "./workspace-walk.js";

const DEFAULT_RESULTS = 200;
const MAX_RESULTS = 2000;
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_LINE_CHARACTERS = 400;
/** Number of lines searched before the event loop runs other work. */
const LINES_AT_ONCE = 2000;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Creates the `grep` tool, which finds lines in text files in linear time (TURN-060).
 * @param paths - the folders it may touch
 */
export function createGrepTool(paths: WorkspacePaths) {
  return defineTool({
    name: "grep",
    label: "Search files",
    description:
      "Find lines in text files. Returns path:line: text. Skips binary files, files above 5 MiB, .git and node_modules.",
    parameters: Type.Object(
      {
        pattern: Type.String({
          minLength: 1,
          description: "Regular expression (RE2: no back-references, no look-around).",
          "x-safety-role": "prose",
        }),
        path: Type.Optional(
          Type.String({
            minLength: 1,
            description: "Folder or file. Default: workspace.",
          }),
        ),
        glob: Type.Optional(
          Type.String({
            minLength: 1,
            description: "Only these files, such as src/**/*.{ts,tsx}.",
            "x-safety-role": "prose",
          }),
        ),
        ignoreCase: Type.Optional(Type.Boolean({ description: "Ignore case." })),
        maxResults: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_RESULTS,
            description: "Default 200.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    approval: ({ path = "." }) => readingApproval(paths, path, "Searches"),
    parallelSafe: true,
    idempotent: true,
    execute: (
      _id,
      { pattern, path = ".", glob, ignoreCase = false, maxResults = DEFAULT_RESULTS },
      signal,
    ) =>
      answer(`search "${path}"`, async () => {
        const search: Search = {
          matches: linearPattern(pattern, { ignoreCase }),
          lines: [],
          limit: maxResults,
          tooLarge: [],
        };
        const isWanted = glob === undefined ? undefined : pathGlob(glob);
        await searchPath(paths, path, search, isWanted, signal);
        return resultOf(search);
      }),
  });
}

interface Search {
  readonly matches: PatternTest;
  /** Found lines; one more than `limit` tells that there are more. */
  readonly lines: string[];
  readonly limit: number;
  readonly tooLarge: string[];
}

async function searchPath(
  paths: WorkspacePaths,
  given: string,
  search: Search,
  isWanted: PatternTest | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { realPath } = await paths.resolveApprovable(given);
  const found = await stat(realPath).catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) throw await notFound(paths, given, realPath);
  const shown = await paths.display(realPath);
  if (!found.isDirectory()) {
    const { handle } = await openApprovedFile(paths, given);
    await searchFile(handle, shown, search, signal);
    return;
  }
  for await (const { folder, prefix, files } of walkFolders(paths, realPath, signal)) {
    for (const name of files) {
      if (isWanted?.(prefix + name) === false) continue;
      const handle = await open(folder.path(name), READ_FLAGS).catch((error: unknown) => {
        // The file was removed, replaced or made unreadable since the folder was read.
        if (systemErrorCode(error) === undefined) throw error;
        return undefined;
      });
      if (handle === undefined) continue;
      await searchFile(handle, join(shown, prefix, name), search, signal);
      if (isFull(search)) return;
    }
  }
}

async function searchFile(
  handle: FileHandle,
  shown: string,
  search: Search,
  signal: AbortSignal,
): Promise<void> {
  const text = await readText(handle, shown, search);
  if (text === undefined) return;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) {
      await nextTick();
      signal.throwIfAborted();
    }
    const content = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (!search.matches(content)) continue;
    search.lines.push(`${shown}:${index + 1}: ${shortened(content)}`);
    if (isFull(search)) return;
  }
}

/** Returns undefined for a file that is not text or is too large. */
async function readText(
  handle: FileHandle,
  shown: string,
  { tooLarge }: Search,
): Promise<string | undefined> {
  try {
    const { size } = await handle.stat();
    if (size > MAX_FILE_BYTES) {
      tooLarge.push(shown);
      return undefined;
    }
    const bytes = await handle.readFile();
    if (binaryKindOf(bytes) !== undefined) return undefined;
    const text = withoutMark(bytes.toString());
    return text.endsWith("\n") ? text.slice(0, -1) : text;
  } finally {
    await handle.close();
  }
}

function isFull({ lines, limit }: Search): boolean {
  return lines.length > limit;
}

function shortened(line: string): string {
  return line.length > MAX_LINE_CHARACTERS ? `${startOfText(line, MAX_LINE_CHARACTERS)}…` : line;
}

function resultOf(search: Search): ToolResult<{ matches: number; cut: boolean }> {
  const cut = isFull(search);
  const lines = search.lines.slice(0, search.limit);
  const notices: string[] = [];
  if (lines.length === 0) notices.push("No line matches.");
  if (cut) {
    notices.push(
      `Cut at ${search.limit} lines; there are more. Narrow the pattern, path or glob, or raise maxResults (up to ${MAX_RESULTS}).`,
    );
  }
  if (search.tooLarge.length > 0) {
    const more = search.tooLarge.length > 5 ? ", …" : "";
    notices.push(
      `Too large to search: ${search.tooLarge.slice(0, 5).join(", ")}${more}. Use exec with a program for large files.`,
    );
  }
  const content: ToolResult["content"] = [];
  if (lines.length > 0) content.push({ type: "text", text: lines.join("\n") });
  if (notices.length > 0) content.push({ type: "text", text: `[${notices.join(" ")}]` });
  return { content, details: { matches: lines.length, cut } };
}
