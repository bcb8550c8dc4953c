import type { CallToolResult } from "@modelcontextprotocol/client";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { ToolResult } from "@openclaw/plugin-sdk/tools";

type Block = CallToolResult["content"][number];
type Part = ToolResult["content"][number];

/** Image formats that models accept. */
const IMAGE_TYPES: ReadonlySet<string> = new Set([
  ...["image/png", "image/jpeg", "image/gif", "image/webp"],
]);
/** Longest Base64 of an image that is passed to a model, in characters. */
const MAXIMUM_IMAGE = 5 * 1024 * 1024;
/** Longest Base64 of audio and files in the details, in characters. */
const MAXIMUM_FILE = 1024 * 1024;

/** File of a result that models do not receive. */
interface ResultFile {
  readonly mimeType: string;
  /** Base64; absent for a file that is too large. */
  readonly data?: string;
  readonly uri?: string;
}

/** Details of a result, for clients and hooks. */
export interface McpDetails {
  readonly server: string;
  readonly tool: string;
  readonly structuredContent?: unknown;
  readonly files?: readonly ResultFile[];
}

/**
 * Returns the result of a call in the form of the host. Models receive text and images; a link, audio or another file is
 * described by a line, and its content is in the details.
 * @param result - result of the server
 * @param origin - names of the server and the tool
 */
export function toolResult(
  result: CallToolResult,
  origin: Pick<McpDetails, "server" | "tool">,
): ToolResult<McpDetails> {
  const files: ResultFile[] = [];
  const content = result.content.map((block) => partOf(block, files));
  const { structuredContent } = result;
  const hasText = content.some((part) => part.type === "text");
  if (structuredContent !== undefined && !hasText) {
    content.push({ type: "text", text: JSON.stringify(structuredContent) });
  }
  if (content.length === 0) content.push({ type: "text", text: "(no content)" });
  return {
    content,
    isError: result.isError === true,
    details: {
      ...origin,
      ...defined({ structuredContent, files: files.length === 0 ? undefined : files }),
    },
  };
}

function partOf(block: Block, files: ResultFile[]): Part {
  switch (block.type) {
    case "text":
      return text(block.text);
    case "image":
      return imageOr(block, files);
    case "audio":
      return fileNote("audio", block, files);
    case "resource_link": {
      const { uri, name, mimeType, description } = block;
      const type = mimeType === undefined ? "" : ` (${mimeType})`;
      const about = description === undefined ? "" : `: ${description}`;
      return text(`[resource ${name} ${uri}${type}${about}]`);
    }
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return text(`[resource ${resource.uri}]\n${resource.text}`);
      const { blob, mimeType = "application/octet-stream", uri } = resource;
      const file = { data: blob, mimeType, uri };
      return IMAGE_TYPES.has(mimeType) ? imageOr(file, files) : fileNote("file", file, files);
    }
  }
}

function imageOr(
  image: Required<Pick<ResultFile, "data" | "mimeType">>,
  files: ResultFile[],
): Part {
  const { data, mimeType } = image;
  const isUsable = IMAGE_TYPES.has(mimeType) && data.length <= MAXIMUM_IMAGE;
  return isUsable ? { type: "image", data, mimeType } : fileNote("image", image, files);
}

function fileNote(
  kind: string,
  { data, mimeType, uri }: ResultFile & { readonly data: string },
  files: ResultFile[],
): Part {
  const isKept = data.length <= MAXIMUM_FILE;
  files.push({
    mimeType,
    ...defined({ data: isKept ? data : undefined, uri }),
  });
  const bytes = Math.floor((data.length * 3) / 4);
  const where = uri === undefined ? "" : ` ${uri}`;
  return text(`[${kind}${where}, ${mimeType}, ${bytes} bytes, which cannot be shown here]`);
}

function text(value: string): Part {
  return { type: "text", text: value };
}
