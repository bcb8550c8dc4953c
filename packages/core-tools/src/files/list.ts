import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { sensitivePath } from "@openclaw/safety";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import { systemErrorCode } from "../system-error.js";
import { PinnedDirectory } from "./pinned-directory.js";
import { readingApproval } from "./reading-approval.js";
import { notFound } from "./workspace-file.js";
import type { WorkspacePaths } from "./workspace-paths.js";
import { NOT_DESCENDED } from "./workspace-walk.js";

const MAX_ENTRIES = 1000;
const DEFAULT_DEPTH = 3;

/**
 * Creates the `list` tool, which lists files and folders in a stable order, without the state folder
 * (TURN-060).
 * @param paths - the folders it may touch
 */
export function createListTool(paths: WorkspacePaths) {
  return defineTool({
    name: "list",
    label: "List folder",
    description:
      "List files and folders (/), links (@); at most 1000. recursive does not open .git and node_modules.",
    parameters: Type.Object(
      {
        path: Type.Optional(
          Type.String({
            minLength: 1,
            description: "Default: workspace.",
          }),
        ),
        recursive: Type.Optional(Type.Boolean({ description: "Folders inside too." })),
        maxDepth: Type.Optional(
          Type.Integer({
            minimum: 1,
            description: "Levels of recursive. Default 3.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    approval: ({ path = "." }) => readingApproval(paths, path, "Lists"),
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { path = ".", recursive = false, maxDepth = DEFAULT_DEPTH }, signal) =>
      answer(`list "${path}"`, async () => {
        const { realPath } = await paths.resolveApprovable(path);
        const top = await readTop(paths, path, realPath);
        const listing = await collect(paths, realPath, top, recursive ? maxDepth : 1, signal);
        const { names, cut, unreadable } = listing;
        const notices: string[] = [];
        if (names.length === 0) notices.push("The folder is empty.");
        if (unreadable.length > 0) notices.push(`Could not be read: ${unreadable.join(", ")}.`);
        if (cut) {
          notices.push(
            `Cut at ${MAX_ENTRIES} entries; there are more. List a folder inside, or lower maxDepth.`,
          );
        }
        const content: ToolResult["content"] = [];
        if (names.length > 0) content.push({ type: "text", text: names.join("\n") });
        if (notices.length > 0) content.push({ type: "text", text: `[${notices.join(" ")}]` });
        return { content, details: { path: realPath, entries: names.length, cut } };
      }),
  });
}

async function readTop(paths: WorkspacePaths, given: string, realPath: string): Promise<Dirent[]> {
  const entries = await readEntries(realPath);
  if (entries !== undefined) return entries;
  const found = await lstat(realPath).catch(() => undefined);
  if (found === undefined) throw await notFound(paths, given, realPath);
  throw new ToolRefusalError(
    "wrong-kind",
    `"${given}" is a file, not a folder. Use read to see its content.`,
  );
}

interface Listing {
  names: string[];
  cut: boolean;
  unreadable: string[];
}

/** Collects entries level by level, so that truncation drops the deepest first. */
async function collect(
  paths: WorkspacePaths,
  top: string,
  topEntries: Dirent[],
  maxDepth: number,
  signal: AbortSignal,
): Promise<Listing> {
  const isStateFolder = await paths.stateFolderTest();
  const listing: Listing = { names: [], cut: false, unreadable: [] };
  let level = [{ folder: top, prefix: "" }];
  for (let depth = 1; level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { folder, prefix } of level) {
      signal.throwIfAborted();
      const entries = depth === 1 ? topEntries : await readInside(folder);
      if (entries === undefined) {
        listing.unreadable.push(prefix);
        continue;
      }
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const entryPath = join(folder, entry.name);
        const name = prefix + entry.name;
        if (entry.isSymbolicLink() && (await leadsIntoState(paths, entryPath, folder))) continue;
        if (entry.isDirectory() && (await isStateFolder(entryPath))) continue;
        if (listing.names.length === MAX_ENTRIES) return inOrder({ ...listing, cut: true });
        listing.names.push(name + markOf(entry));
        if (!entry.isDirectory() || depth >= maxDepth || NOT_DESCENDED.has(entry.name)) continue;
        if (sensitivePath(entryPath) !== undefined) continue;
        next.push({ folder: entryPath, prefix: `${name}/` });
      }
    }
    level = next;
  }
  return inOrder(listing);
}

/** A circle of links leads nowhere; it is listed as the link that it is. */
async function leadsIntoState(
  paths: WorkspacePaths,
  path: string,
  folder: string,
): Promise<boolean> {
  try {
    return await paths.leadsIntoState(path, folder);
  } catch (error) {
    if (ToolRefusalError.isInstance(error)) return false;
    throw error;
  }
}

/** Returns undefined when the path is not a folder or is now reached through a link. */
async function readEntries(realPath: string): Promise<Dirent[] | undefined> {
  const folder = await PinnedDirectory.open(realPath);
  if (folder === undefined) return undefined;
  try {
    return await readdir(folder.path("."), { withFileTypes: true });
  } finally {
    await folder.close();
  }
}

/** Also returns undefined for an unreadable folder, so that the rest is still listed. */
async function readInside(realPath: string): Promise<Dirent[] | undefined> {
  try {
    return await readEntries(realPath);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

function inOrder(listing: Listing): Listing {
  return { ...listing, names: listing.names.sort() };
}

function markOf(entry: Dirent): string {
  if (entry.isDirectory()) return "/";
  return entry.isSymbolicLink() ? "@" : "";
}
