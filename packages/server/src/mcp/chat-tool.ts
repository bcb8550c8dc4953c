import type { CallToolResult } from "@modelcontextprotocol/server";
import { defined, OpenClawError } from "@openclaw/foundation";
import { type Static, Type } from "typebox";
import { runAsked } from "./asked-call.js";
import { CallProgress } from "./call-progress.js";
import { ChatTurn } from "./chat-turn.js";
import type { McpRequest } from "./mcp-client.js";
import {
  argumentProblem,
  inputSchemaOf,
  type ServerTool,
  type ToolOutcome,
} from "./server-tool.js";
import { errorResult, failedResult } from "./tool-result.js";
import type { ChatAnswer } from "./turn-state.js";

const parameters = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 1_000_000, description: "Message to the agent." }),
    sessionKey: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 400 },
        description:
          "Full or short key of the session, for example `agent:main:main`; the session of this client when absent.",
      }),
    ),
    model: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 200 },
        description: "Model of this turn, `provider/model`.",
      }),
    ),
    idempotencyKey: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 128 },
        description:
          "With a key the turn continues when the connection is lost; repeat the call with the same key to receive its answer.",
      }),
    ),
  },
  { additionalProperties: false },
);

const answer = Type.Object({
  sessionKey: Type.String({ description: "Full key of the session." }),
  messageId: Type.String(),
  status: Type.Enum(["replied", "answered", "withheld", "interrupted", "failed"]),
  text: Type.String({ description: "Reply of the agent, or the problem." }),
});

/** Tool that sends a message to an agent and returns its reply. */
export const chatTool: ServerTool = {
  method: "chat.send",
  definition: {
    name: "chat_send",
    title: "Send a message to an agent",
    description:
      "Sends a message to an agent of OpenClaw and returns its reply. Text and tool calls are reported as progress while the turn runs.",
    inputSchema: inputSchemaOf(parameters),
    outputSchema: inputSchemaOf(answer),
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  },
  async run(args, request) {
    const problem = argumentProblem(parameters, args);
    return problem === undefined ? await send(args as Message, request) : errorResult(problem);
  },
};

type Message = Static<typeof parameters>;

async function send(
  { text, model, sessionKey: key, idempotencyKey }: Message,
  { client, context }: McpRequest,
): Promise<ToolOutcome> {
  using progress = new CallProgress(context, "the agent is working", client.timers);
  const { gateway } = client;
  const { sessionKey } = await gateway.call("chat.history", {
    ...{ sessionKey: key ?? client.sessionKey, limit: 1 },
  });
  const turn = new ChatTurn(gateway, progress);
  return await runAsked(
    {
      ...{ sessionKey, key: idempotencyKey, isLasting: idempotencyKey !== undefined },
      async run(callKey, signal) {
        try {
          return resultOf(
            await turn.run({ sessionKey, text, ...defined({ model }) }, callKey, signal),
          );
        } catch (error) {
          if (signal.aborted && !OpenClawError.isInstance(error)) throw error;
          return failedResult(error);
        }
      },
      owns: ({ runId }) => runId !== undefined && runId === turn.runId,
    },
    { gateway, context, progress, canAsk: client.canAsk(context) },
  );
}

/** Returns the answer as the result of the tool. */
function resultOf(chatAnswer: ChatAnswer): CallToolResult {
  const { status, text } = chatAnswer;
  return {
    content: [{ type: "text", text }],
    structuredContent: { ...chatAnswer },
    isError: status === "failed" || status === "interrupted",
  };
}
