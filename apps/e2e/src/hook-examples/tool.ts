import type { HookExamples } from "./example.js";

/** Examples of the hooks around tool calls and transcript writes. */
export const toolExamples: HookExamples<
  | "before_tool_call"
  | "after_tool_call"
  | "tool_error"
  | "tool_result_persist"
  | "before_message_write"
> = {
  before_tool_call: {
    register(api) {
      api.on("before_tool_call", ({ toolName, params, derivedPaths = [] }) => {
        if (derivedPaths.some((path) => path.endsWith(".env"))) {
          return { block: true, blockReason: "environment files stay unread" };
        }
        if (toolName === "read" && params.limit === undefined) {
          return { params: { ...params, limit: 500 } };
        }
      });
    },
    event: { toolName: "read", params: { path: "a.txt" }, derivedPaths: ["/work/a.txt"] },
    result: { params: { path: "a.txt", limit: 500 } },
  },
  after_tool_call: {
    register(api) {
      api.on("after_tool_call", ({ toolName, outcome, durationMs = 0 }, { sessionKey }) => {
        api.logger.info(`${sessionKey}: ${toolName} ${outcome} in ${durationMs} ms`);
      });
    },
    event: { toolName: "read", outcome: "ok", durationMs: 12 },
    context: { sessionKey: "agent:main:main" },
    logs: ["info: agent:main:main: read ok in 12 ms"],
  },
  tool_error: {
    register(api) {
      api.on("tool_error", ({ toolName, error, durationMs }) => {
        if (error.kind === "aborted") return;
        api.logger.warn(`${toolName} ${error.kind} after ${durationMs} ms: ${error.message}`);
      });
    },
    event: {
      toolName: "fetch",
      error: { code: "TOOL_TIMEOUT", message: "no answer", kind: "timeout" },
      durationMs: 30_000,
    },
    logs: ["warn: fetch timeout after 30000 ms: no answer"],
  },
  tool_result_persist: {
    register(api) {
      api.on("tool_result_persist", ({ toolName, message, isSynthetic }) => {
        if (toolName !== "exec" || isSynthetic || message.role !== "toolResult") return;
        const content = message.content.map((part) =>
          part.type === "text" ? { ...part, text: part.text.slice(0, 2000) } : part,
        );
        return { message: { ...message, content } };
      });
    },
    event: {
      toolName: "exec",
      message: {
        role: "toolResult",
        toolCallId: "call-1",
        toolName: "exec",
        content: [{ type: "text", text: "a".repeat(5000) }],
        isError: false,
        timestamp: 0,
      },
    },
    result: {
      message: {
        role: "toolResult",
        toolCallId: "call-1",
        toolName: "exec",
        content: [{ type: "text", text: "a".repeat(2000) }],
        isError: false,
        timestamp: 0,
      },
    },
  },
  before_message_write: {
    register(api) {
      api.on("before_message_write", ({ message, agentId }) => {
        if (agentId !== "kiosk" || message.role !== "user") return;
        const content = message.content.filter(({ type }) => type === "text");
        return { message: { ...message, content } };
      });
    },
    event: {
      agentId: "kiosk",
      message: {
        role: "user",
        content: [
          { type: "text", text: "what is this?" },
          { type: "image", mimeType: "image/png", data: "aGVsbG8=" },
        ],
        timestamp: 0,
      },
    },
    result: {
      message: {
        role: "user",
        content: [{ type: "text", text: "what is this?" }],
        timestamp: 0,
      },
    },
  },
};
