import { defineTool } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import { previewChanges } from "./change-preview.js";
import { changingApproval } from "./changing-approval.js";
import { MAX_CONTENT_BYTES, readEditableText } from "./editable-text.js";
import { openWorkspaceFile, replaceWorkspaceFile } from "./workspace-file.js";
import type { WorkspacePaths } from "./workspace-paths.js";

/**
 * Creates the `write` tool, which creates or replaces a whole file (TURN-061).
 * @param paths - the folders it may touch
 */
export function createWriteTool(paths: WorkspacePaths) {
  return defineTool({
    name: "write",
    label: "Write file",
    description:
      "Create a file or replace its whole content. Makes missing parent folders. To change a part of a file, use edit.",
    parameters: Type.Object(
      {
        path: Type.String({
          minLength: 1,
          description: "File path, relative to the workspace or absolute.",
        }),
        content: Type.String({ description: "The complete new content, at most 1 MiB." }),
      },
      { additionalProperties: false },
    ),
    approval: ({ path }) => changingApproval(paths, () => [path]),
    preview: async ({ path, content }) => {
      assertContentSize(path, content);
      const before = await currentText(paths, path);
      return before === "unknown" ? undefined : previewChanges([{ path, before, after: content }]);
    },
    execute: (_id, { path, content }) =>
      answer(`write "${path}"`, async () => {
        const bytes = assertContentSize(path, content);
        const { realPath, created } = await replaceWorkspaceFile(paths, path, content);
        const shown = await paths.display(realPath);
        const verb = created ? "Created" : "Replaced";
        return {
          content: [{ type: "text", text: `${verb} ${shown} (${bytes} bytes).` }],
          details: { path: realPath, bytes, created },
        };
      }),
  });
}

/** Returns the text that a file has now; undefined without a file, `unknown` for one that is not text. */
async function currentText(
  paths: WorkspacePaths,
  path: string,
): Promise<string | undefined | "unknown"> {
  // Where the path may not be written, this says so.
  await paths.resolve(path);
  try {
    return await readEditableText(path, await openWorkspaceFile(paths, path));
  } catch (error) {
    if (!ToolRefusalError.isInstance(error)) throw error;
    if (error.reason === "not-found") return undefined;
    if (error.reason === "unreadable" || error.reason === "too-large") return "unknown";
    throw error;
  }
}

/**
 * Checks that content may be written.
 * @param path - the path as the caller wrote it, for the message
 * @param content - content to write
 * @returns its size in UTF-8 bytes
 * @throws ToolRefusalError when it is larger than 1 MiB
 */
export function assertContentSize(path: string, content: string): number {
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_CONTENT_BYTES) {
    throw new ToolRefusalError(
      "too-large",
      `The content for "${path}" is ${bytes} bytes; at most ${MAX_CONTENT_BYTES} can be written. Nothing was changed. Split it over several files.`,
    );
  }
  return bytes;
}
