import { type ClientCall, isRecord } from "@openclaw/plugin-sdk/kit";
import type { ToolResult } from "@openclaw/plugin-sdk/tools";

/** Result of a call in the fields of the events after it. */
export type ResponseFields =
  | { readonly tool_response: unknown }
  | { readonly error: string; readonly is_interrupt: false };

/**
 * Returns the result of a call as Claude Code tells it to hooks (EXT-541): the fields of the tools of that client, and a command that
 * ended with another code than 0 as a failure.
 * @param call - call as Claude Code names it
 * @param result - result here
 * @param isError - true when the tool failed
 */
export function responseOf(call: ClientCall, result: ToolResult, isError: boolean): ResponseFields {
  const text = textOf(result);
  if (isError) return { error: text, is_interrupt: false };
  const details: unknown = result.details;
  const fields = isRecord(details) ? details : {};
  if (call.tool === "Bash") {
    const { output, exitCode, processId } = fields;
    const stdout = typeof output === "string" ? output.replace(/\n$/, "") : "";
    if (exitCode !== undefined && exitCode !== 0) {
      const said = stdout === "" ? "" : `\n${stdout}`;
      return { error: `Exit code ${String(exitCode)}${said}`, is_interrupt: false };
    }
    const started = processId === undefined ? {} : { backgroundTaskId: processId };
    return {
      tool_response: { stdout, stderr: "", interrupted: false, isImage: false, ...started },
    };
  }
  return { tool_response: fileResponse(call, fields, text) ?? details ?? text };
}

function fileResponse(
  { tool, input }: ClientCall,
  fields: Readonly<Record<string, unknown>>,
  text: string,
): object | undefined {
  const { path, created, firstLine, reachedEnd } = fields;
  if (typeof path !== "string") return undefined;
  if (tool === "Write") {
    const type = created === true ? "create" : "update";
    return { type, filePath: path, content: input.content, userModified: false };
  }
  if (tool === "Edit") {
    const replaceAll = input.replace_all === true;
    const { old_string: oldString, new_string: newString } = input;
    return { filePath: path, oldString, newString, userModified: false, replaceAll };
  }
  if (tool !== "Read" || typeof firstLine !== "number") return undefined;
  const numLines = text.split("\n").length;
  // The number of lines of a file is known only to who read it to its end.
  const total = reachedEnd === true ? { totalLines: Math.max(firstLine, 1) + numLines - 1 } : {};
  return {
    type: "text",
    file: { filePath: path, content: text, numLines, startLine: firstLine, ...total },
  };
}

/**
 * Returns the text of a result.
 * @param result - result of a tool
 */
function textOf({ content }: ToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}
