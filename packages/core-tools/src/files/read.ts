import type { FileHandle } from "node:fs/promises";
import { imageTypeOf } from "@openclaw/foundation";
import { imageResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import { binaryKindOf } from "./content-type.js";
import { type LineWindow, readLineWindow } from "./line-window.js";
import { readingApproval } from "./reading-approval.js";
import { openApprovedFile } from "./workspace-file.js";
import type { WorkspacePaths } from "./workspace-paths.js";

const MAX_LINES = 2000;
/**
 * Below the 100 000 bytes at which the host truncates a result (SAFE-002), so that the notice on how to
 * continue matches the visible text; it is also below the 256 KiB of TURN-060.
 */
const MAX_TEXT_BYTES = 96 * 1024;
/** 5 MB as base64, the most that common model providers accept. */
const MAX_IMAGE_BYTES = 3_750_000;
const START_BYTES = 8192;

/**
 * Creates the `read` tool, which returns text by lines and images as images (TURN-060).
 * @param paths - the folders it may touch
 */
export function createReadTool(paths: WorkspacePaths) {
  return defineTool({
    name: "read",
    label: "Read file",
    description:
      "Read a text file, or look at an image. Returns up to 2000 lines or 96 KiB; a notice says where to continue.",
    parameters: Type.Object(
      {
        path: Type.String({
          minLength: 1,
          description: "Path, relative to the workspace or absolute.",
        }),
        offset: Type.Optional(Type.Integer({ minimum: 1, description: "First line, from 1." })),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_LINES,
            description: "Most lines.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    approval: ({ path }) => readingApproval(paths, path, "Reads"),
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { path, offset = 1, limit = MAX_LINES }) =>
      answer(`read "${path}"`, async () => {
        const { handle, realPath, size } = await openApprovedFile(paths, path);
        try {
          const start = await readStart(handle);
          const imageType = imageTypeOf(start);
          if (imageType !== undefined) return await readImage(handle, path, imageType, size);
          assertText(path, start, size);
          const range = { first: offset, maxLines: limit, maxBytes: MAX_TEXT_BYTES };
          const window = await readLineWindow(handle, range);
          assertText(path, window.bytes, size);
          return textOf(path, realPath, offset, window);
        } finally {
          await handle.close();
        }
      }),
  });
}

async function readStart(handle: FileHandle): Promise<Buffer> {
  const start = Buffer.alloc(START_BYTES);
  const { bytesRead } = await handle.read({ buffer: start, position: 0 });
  return start.subarray(0, bytesRead);
}

async function readImage(
  handle: FileHandle,
  path: string,
  mimeType: string,
  size: number,
): Promise<ToolResult> {
  if (size > MAX_IMAGE_BYTES) {
    throw new ToolRefusalError(
      "too-large",
      `"${path}" is an image of ${size} bytes; at most ${MAX_IMAGE_BYTES} can be shown. Make a smaller copy first, for example with exec.`,
    );
  }
  const image = await handle.readFile();
  return imageResult(
    image.toString("base64"),
    mimeType,
    `${path} (${mimeType}, ${image.length} bytes)`,
  );
}

function assertText(path: string, bytes: Uint8Array, size: number): void {
  const kind = binaryKindOf(bytes);
  if (kind === undefined) return;
  throw new ToolRefusalError(
    "unreadable",
    `"${path}" is ${kind} (${size} bytes), which read cannot show as text. Use exec with a program that understands it.`,
  );
}

interface ReadDetails {
  path: string;
  /** Numbers of the first and last line returned, from 1; 0 for an empty file. */
  firstLine: number;
  lastLine: number;
  reachedEnd: boolean;
}

function textOf(
  path: string,
  realPath: string,
  firstLine: number,
  window: LineWindow,
): ToolResult<ReadDetails> {
  const { lines, linesBefore, reachedEnd } = window;
  if (lines === 0 && firstLine > 1) {
    throw new ToolRefusalError(
      "invalid-value",
      `"${path}" has only ${linesBefore} ${linesBefore === 1 ? "line" : "lines"}; offset ${firstLine} is past its end. Give a smaller offset.`,
    );
  }
  if (lines === 0) {
    return {
      content: [{ type: "text", text: "[The file is empty.]" }],
      details: { path: realPath, firstLine: 0, lastLine: 0, reachedEnd: true },
    };
  }
  const lastLine = firstLine + lines - 1;
  const { text, damaged } = decode(window.bytes);
  const notices: string[] = [];
  if (damaged) notices.push("The file is not valid UTF-8; unreadable bytes are shown as \uFFFD.");
  if (window.cutLine) {
    notices.push(
      `Line ${firstLine} is longer than ${MAX_TEXT_BYTES} bytes and is cut; continue behind it with offset ${firstLine + 1}.`,
    );
  } else if (!reachedEnd) {
    notices.push(
      `Lines ${firstLine} to ${lastLine} shown; the file continues. Continue with offset ${lastLine + 1}.`,
    );
  }
  const content: ToolResult["content"] = [{ type: "text", text }];
  if (notices.length > 0) content.push({ type: "text", text: `[${notices.join(" ")}]` });
  return { content, details: { path: realPath, firstLine, lastLine, reachedEnd } };
}

function decode(bytes: Uint8Array): { text: string; damaged: boolean } {
  // In stream mode the decoder omits a character that was cut in the middle.
  const inPart = { stream: true };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, inPart);
    return { text, damaged: false };
  } catch {
    return { text: new TextDecoder("utf-8").decode(bytes, inPart), damaged: true };
  }
}
