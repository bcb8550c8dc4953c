import { ownInputRequest } from "@openclaw/approval-broker";
import { defined, jsonCopy, jsonText, parseUsd, startOfText } from "@openclaw/foundation";
import type {
  ImagePart,
  JsonValue,
  PartFile,
  TextPart,
  ToolOutput,
  ToolResult,
  UsageCost,
} from "@openclaw/plugin-sdk/tools";

import { unusableInput } from "./input-request.js";

const PREVIEW_LENGTH = 200;
/** Longest Base64 of a file that a transcript keeps, in characters. */
const LONGEST_FILE = 1024 * 1024;

/**
 * Normalises the output of a tool: a full result is kept, plain text and JSON are wrapped as text, anything
 * else becomes an error result (TURN-037). Returns a copy, so that changes by the tool and by hooks do not
 * affect each other. `details` keep only JSON values.
 * @param toolName - name of the tool, for the message of an error result
 * @param output - return value of `execute`
 */
export function normaliseToolOutput(toolName: string, output: ToolOutput): ToolResult<JsonValue> {
  if (isToolResult(output)) return ownResult(toolName, output);
  if (typeof output === "string") return textOf(output);
  const json = jsonText(output ?? null, 2);
  if (json !== undefined) return textOf(json);
  return {
    isError: true,
    content: [
      { type: "text", text: `${toolName} failed: it returned something that is not a result` },
    ],
  };
}

/**
 * Returns a one-line preview of a result for a log or a terminal.
 * @param result - a normalised result
 */
export function previewOf({ content }: ToolResult): string {
  const text = content
    .map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > PREVIEW_LENGTH ? `${startOfText(text, PREVIEW_LENGTH)}...` : text;
}

/**
 * Returns the text of an incomplete result as shown to clients, with its line breaks.
 * @param result - a normalised result
 */
export function updateText({ content }: ToolResult): string {
  return content
    .map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`))
    .join("\n");
}

type Content = ToolResult["content"];

function ownResult(
  toolName: string,
  { content, details, cost, terminate, isError, input }: ToolResult,
): ToolResult<JsonValue> {
  const request = input === undefined ? undefined : ownInputRequest(input);
  if (typeof request === "string") return unusableInput(toolName, request);
  return {
    content: content.map(ownPart),
    ...defined({
      details: jsonCopy(details),
      cost: ownCost(cost),
      terminate: terminate === true || undefined,
      isError: isError === true || undefined,
      input: request,
    }),
  };
}

/**
 * Returns the cost that a tool reported; undefined when it is not an amount.
 * @param cost - `cost` of a result
 */
function ownCost(cost: unknown): UsageCost | undefined {
  if (typeof cost !== "object" || cost === null || !("usd" in cost)) return undefined;
  const { usd } = cost;
  if (typeof usd !== "string" || parseUsd(usd) === undefined) return undefined;
  return { usd, estimated: "estimated" in cost && cost.estimated === true };
}

/**
 * Returns true for an output whose cost is not `{ usd }` with a decimal number, so that it is left out.
 * @param output - return value of `execute`
 */
export function hasInvalidCost(output: ToolOutput): boolean {
  if (typeof output !== "object" || output === null || !isToolResult(output)) return false;
  return output.cost !== undefined && ownCost(output.cost) === undefined;
}

function ownPart(part: TextPart | ImagePart): TextPart | ImagePart {
  if (part.type === "text") {
    return { type: "text", text: part.text, ...defined({ file: ownFile(part.file) }) };
  }
  return { type: "image", data: part.data, mimeType: part.mimeType };
}

/** Returns the file of a part; undefined for one that is too large for a transcript, of which the text remains. */
function ownFile(file: unknown): PartFile | undefined {
  if (typeof file !== "object" || file === null || !("mimeType" in file)) return undefined;
  const { mimeType } = file;
  const uri = "uri" in file && typeof file.uri === "string" ? file.uri : undefined;
  const data = "data" in file && typeof file.data === "string" ? file.data : undefined;
  const hasContent = uri !== undefined || data !== undefined;
  if (typeof mimeType !== "string" || !hasContent) return undefined;
  if (data !== undefined && data.length > LONGEST_FILE) return undefined;
  return { mimeType, ...defined({ uri, data }) };
}

function isToolResult(output: ToolOutput): output is ToolResult {
  if (typeof output !== "object" || output === null || !("content" in output)) return false;
  const { content } = output;
  return Array.isArray(content) && content.every(isContentPart);
}

function isContentPart(part: unknown): boolean {
  if (typeof part !== "object" || part === null || !("type" in part)) return false;
  if (part.type === "text") return "text" in part && typeof part.text === "string";
  if (part.type !== "image" || !("data" in part) || !("mimeType" in part)) return false;
  return typeof part.data === "string" && typeof part.mimeType === "string";
}

function textOf(text: string): ToolResult<JsonValue> {
  return { content: [{ type: "text", text }] };
}

/**
 * Truncates the text parts of a result to a total size; images do not count.
 * @param parts - parts of the result
 * @param maximum - maximum number of UTF-8 bytes (SAFE-002)
 * @param slack - excess bytes that are tolerated, for example those of an earlier notice
 */
export function boundContent(parts: Content, maximum: number, slack = 0): Content {
  const bytes = parts.reduce((sum, part) => sum + textBytes(part), 0);
  if (bytes <= maximum + slack) return parts;
  const kept: Content = [];
  let left = maximum;
  let isCut = false;
  for (const part of parts) {
    if (part.type === "image" || (!isCut && textBytes(part) <= left)) {
      kept.push(part);
      left -= textBytes(part);
    } else if (!isCut) {
      isCut = true;
      // What is left of a resource is not the resource.
      kept.push({ type: "text", text: cut(part.text, left, bytes, maximum) });
    }
  }
  return kept;
}

function textBytes(part: TextPart | ImagePart): number {
  return part.type === "text" ? Buffer.byteLength(part.text) : 0;
}

function cut(text: string, room: number, bytes: number, maximum: number): string {
  const notice = `[Output truncated: ${bytes} bytes exceeded maximum of ${maximum} bytes]`;
  // A character takes at least one byte, so the rest of a huge text need not be encoded.
  const encoded = Buffer.from(startOfText(text, room)).subarray(0, room);
  // In stream mode the decoder omits a character that was cut in the middle.
  const head = new TextDecoder("utf-8", { ignoreBOM: true }).decode(encoded, { stream: true });
  return head === "" ? notice : `${head}\n${notice}`;
}
