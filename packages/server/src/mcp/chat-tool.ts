import { defined, OpenClawError } from "@openclaw/foundation";
import { type Static, Type } from "typebox";
import { runAsked } from "./asked-call.js";
import { CallProgress } from "./call-progress.js";
import { chatResult } from "./chat-result.js";
import { ChatTurn } from "./chat-turn.js";
import type { McpRequest, TaskForm } from "./mcp-client.js";
import {
  argumentProblem,
  inputSchemaOf,
  type ServerTool,
  type ToolOutcome,
} from "./server-tool.js";
import { startTask, type TaskMessage } from "./tasks/task-start.js";
import { extensionTask, legacyTask } from "./tasks/task-state.js";
import { errorResult, failedResult } from "./tool-result.js";

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
    execution: { taskSupport: "optional" },
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
  const { gateway } = client;
  const { sessionKey } = await gateway.call("chat.history", {
    ...{ sessionKey: key ?? client.sessionKey, limit: 1 },
  });
  const wanted = client.taskForm(context);
  if (wanted !== undefined) {
    const parameters = { sessionKey, text, ...defined({ model }) };
    return await asTask({ parameters, key: idempotencyKey }, wanted, { client, context });
  }
  using progress = new CallProgress(context, "the agent is working", client.timers);
  const turn = new ChatTurn(gateway, progress);
  return await runAsked(
    {
      ...{ sessionKey, key: idempotencyKey, isLasting: idempotencyKey !== undefined },
      async run(callKey, signal) {
        try {
          return chatResult(
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

/** Starts the turn as a task, and returns the task in the form that the client reads. */
async function asTask(
  message: Omit<TaskMessage, "asks">,
  form: TaskForm,
  { client, context }: McpRequest,
): Promise<ToolOutcome> {
  try {
    const started = await startTask({ ...message, asks: client.canAsk(context) }, client.gateway);
    if ("result" in started) return started.result;
    const { task } = started;
    const state = { status: "working", runId: "" } as const;
    // The library passes fields on that are not those of a result of a tool.
    if (form === "2025") return { content: [], task: legacyTask(task, state) };
    return { content: [], resultType: "task", ...extensionTask(task, state) };
  } catch (error) {
    return failedResult(error);
  }
}
