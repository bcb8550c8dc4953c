import { defineTool } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import { systemErrorCode } from "../system-error.js";
import { previewChanges } from "./change-preview.js";
import { changingApproval } from "./changing-approval.js";
import { MAX_CONTENT_BYTES, readEditableText } from "./editable-text.js";
import { normalizeLineEnds, uniformLineEnd, withoutMark } from "./line-ends.js";
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
      "Create a file, with its folders, or replace its whole content. A replaced file keeps byte order mark and CRLF. To change a part, use edit.",
    parameters: Type.Object(
      {
        path: Type.String({ minLength: 1, description: "File path." }),
        content: Type.String({ description: "Complete content, at most 1 MiB." }),
      },
      { additionalProperties: false },
    ),
    approval: ({ path }) => changingApproval(paths, () => [path]),
    preview: async ({ path, content }) => {
      assertContentSize(path, content);
      const before = await currentText(paths, path);
      if (before === "unknown") return undefined;
      return previewChanges([{ path, before, after: inFormatOf(before, content).text }]);
    },
    execute: (_id, { path, content }) =>
      answer(`write "${path}"`, async () => {
        assertContentSize(path, content);
        const before = await currentText(paths, path);
        const { text, kept } = inFormatOf(before === "unknown" ? undefined : before, content);
        const bytes = assertContentSize(path, text);
        const { realPath, created } = await replaceWorkspaceFile(paths, path, text);
        const shown = await paths.display(realPath);
        const verb = created ? "Created" : "Replaced";
        const note = kept.length === 0 ? "" : ` Kept the file's ${kept.join(" and ")}.`;
        return {
          content: [{ type: "text", text: `${verb} ${shown} (${bytes} bytes).${note}` }],
          details: { path: realPath, bytes, created },
        };
      }),
  });
}

/** Content in the format of the file that it replaces. */
interface FormattedContent {
  readonly text: string;
  /** Names what was taken from the file, for the answer. */
  readonly kept: readonly string[];
}

/**
 * Gives content the byte order mark and the line ends of the file that it replaces. Models write `\n`
 * whatever the file has. Content with a carriage return has chosen its line ends.
 */
function inFormatOf(before: string | undefined, content: string): FormattedContent {
  if (before === undefined || content === "") return { text: content, kept: [] };
  const file = normalizeLineEnds(before);
  const end = content.includes("\r") ? undefined : uniformLineEnd(file);
  const kept: string[] = [];
  let text = content;
  if (end !== undefined && end !== "\n" && content.includes("\n")) {
    text = text.replaceAll("\n", end);
    kept.push(`${JSON.stringify(end)} line ends`);
  }
  if (file.mark !== "" && withoutMark(content) === content) {
    text = file.mark + text;
    kept.push("byte order mark");
  }
  return { text, kept };
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
    // A file may be writable and not readable.
    if (systemErrorCode(error) === "EACCES") return "unknown";
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
