import type { CallToolResult } from "@modelcontextprotocol/client";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import { audioPart, resourcePart } from "@openclaw/plugin-sdk/tool-results";
import type { ToolResult } from "@openclaw/plugin-sdk/tools";

type Block = CallToolResult["content"][number];
type Part = ToolResult["content"][number];

/** Image formats that models accept. */
const IMAGE_TYPES: ReadonlySet<string> = new Set([
  ...["image/png", "image/jpeg", "image/gif", "image/webp"],
]);
/** Longest Base64 of an image that is passed to a model, in characters. */
const MAXIMUM_IMAGE = 5 * 1024 * 1024;

/** File of a result that models do not receive. */
interface ResultFile {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
  readonly uri?: string;
}

/** Details of a result, for clients and hooks. */
export interface McpDetails {
  readonly server: string;
  readonly tool: string;
  readonly structuredContent?: unknown;
}

/**
 * Returns the result of a call in the form of the host. Models receive text and images; a link, audio or another file is
 * described by a line, whose part has the file for clients.
 * @param result - result of the server
 * @param origin - names of the server and the tool
 */
export function toolResult(
  result: CallToolResult,
  origin: Pick<McpDetails, "server" | "tool">,
): ToolResult<McpDetails> {
  const content = result.content.map(partOf);
  const { structuredContent } = result;
  const hasText = content.some((part) => part.type === "text");
  if (structuredContent !== undefined && !hasText) {
    content.push({ type: "text", text: JSON.stringify(structuredContent) });
  }
  if (content.length === 0) content.push({ type: "text", text: "(no content)" });
  return {
    content,
    isError: result.isError === true,
    details: { ...origin, ...defined({ structuredContent }) },
  };
}

function partOf(block: Block): Part {
  switch (block.type) {
    case "text":
      return text(block.text);
    case "image":
      return imageOr(block);
    case "audio":
      return fileNote("audio", block);
    case "resource_link": {
      const { uri, name, mimeType, description } = block;
      const type = mimeType === undefined ? "" : ` (${mimeType})`;
      const about = description === undefined ? "" : `: ${description}`;
      return text(`[resource ${name} ${uri}${type}${about}]`);
    }
    case "resource": {
      const { resource } = block;
      if ("text" in resource) {
        const { uri, mimeType = "text/plain", text } = resource;
        return resourcePart({ uri, mimeType }, { text });
      }
      const { blob, mimeType = "application/octet-stream", uri } = resource;
      const file = { data: blob, mimeType, uri };
      return IMAGE_TYPES.has(mimeType) ? imageOr(file) : fileNote("file", file);
    }
  }
}

function imageOr(image: ResultFile): Part {
  const { data, mimeType } = image;
  const isUsable = IMAGE_TYPES.has(mimeType) && data.length <= MAXIMUM_IMAGE;
  return isUsable ? { type: "image", data, mimeType } : fileNote("image", image);
}

/** Returns a description for models with the file for clients, as far as the host keeps it. */
function fileNote(kind: string, { data, mimeType, uri }: ResultFile): Part {
  const bytes = Math.floor((data.replace(/=+$/, "").length * 3) / 4);
  const where = uri === undefined ? "" : ` ${uri}`;
  const note = `[${kind}${where}, ${mimeType}, ${bytes} bytes, which cannot be shown here]`;
  if (kind === "audio") return audioPart(data, mimeType, note);
  return uri === undefined
    ? text(note)
    : resourcePart({ uri, mimeType }, { data, description: note });
}

function text(value: string): Part {
  return { type: "text", text: value };
}
