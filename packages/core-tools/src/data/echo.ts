import { textResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";

const MAX_MESSAGE_BYTES = 64 * 1024;

/** Creates the `echo` tool, which returns its message to show that calls arrive unchanged (TURN-065). */
export function createEchoTool() {
  return defineTool({
    name: "echo",
    label: "Echo",
    description: "Return the message, to test tool calls.",
    parameters: Type.Object(
      { message: Type.String({ description: "Any text." }) },
      { additionalProperties: false },
    ),
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { message }) =>
      answer("echo the message", async () => {
        const bytes = Buffer.byteLength(message);
        if (bytes > MAX_MESSAGE_BYTES) {
          throw new ToolRefusalError(
            "too-large",
            `The message is ${bytes} bytes; the maximum is ${MAX_MESSAGE_BYTES}. Give a shorter one.`,
          );
        }
        return textResult(message);
      }),
  });
}
