import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type PromptMessage,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { defined, OpenClawError } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { type FormInput, inputForm } from "./approval-question.js";
import type { McpRequest } from "./mcp-client.js";
import { contentOf } from "./tool-result.js";

const answer = Type.Object(
  {
    action: Type.Enum(["accept", "decline", "cancel"]),
    content: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
);

/**
 * Answers so far. They need no signature: a client that changes them answers otherwise, and the gateway checks each of them
 * against what the prompt asks.
 */
const promptState = Type.Object(
  { answers: Type.Record(Type.String(), answer) },
  { additionalProperties: false },
);

type Answers = Static<typeof promptState>["answers"];

/**
 * Renders a prompt of a plugin. Input that it needs is asked of the person at the client (EXT-506); where the client cannot ask,
 * the prompt is rendered without it.
 * @param name - name of the prompt in the gateway
 * @param values - values of its arguments
 * @param request - client and context
 * @throws ProtocolError for a prompt that cannot be rendered, and an answer that does not fit
 */
export async function pluginPrompt(
  name: string,
  values: Readonly<Record<string, string>>,
  { client, context }: McpRequest,
): Promise<{ messages: PromptMessage[] } | InputRequiredResult> {
  const { gateway } = client;
  const answers = { ...earlierAnswers(context), ...newAnswers(context) };
  for (;;) {
    const inputs = { ...answers };
    const { messages, input } = await rendered(() =>
      gateway.call("prompts.get", { name, arguments: { ...values }, inputs }),
    );
    if (input === undefined) {
      const parts = messages.flatMap(({ role, content }) =>
        contentOf([content]).map((part) => ({ role, content: part })),
      );
      return { messages: parts };
    }
    if (client.canAsk(context)) return questionOf(input, answers);
    // The gateway rejects a prompt that asks without end.
    answers[input.name] = { action: "cancel" };
  }
}

async function rendered(
  render: () => Promise<GatewayMethodResult<"prompts.get">>,
): Promise<GatewayMethodResult<"prompts.get">> {
  try {
    return await render();
  } catch (error) {
    if (!OpenClawError.isInstance(error)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.code}: ${error.message}`);
  }
}

function questionOf(
  input: NonNullable<GatewayMethodResult<"prompts.get">["input"]>,
  answers: Answers,
): InputRequiredResult {
  const { name, message, schema, url } = input;
  // The gateway has checked that it is the schema of an object.
  const form = inputForm({ message, schema: schema as FormInput["schema"], ...defined({ url }) });
  return inputRequired({
    inputRequests: { [name]: inputRequired.elicit(form) },
    requestState: Buffer.from(JSON.stringify({ answers })).toString("base64url"),
  });
}

function earlierAnswers(context: ServerContext): Answers {
  const state = context.mcpReq.requestState<string>();
  if (state === undefined) return {};
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(state, "base64url").toString("utf8"));
  } catch {
    read = undefined;
  }
  if (Check(promptState, read)) return read.answers;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "the requestState is not one that this server sent; get the prompt again without it",
  );
}

function newAnswers({ mcpReq }: ServerContext): Answers {
  const responses = { ...mcpReq.inputResponses };
  const answers: Answers = {};
  for (const name of Object.keys(responses)) {
    const response = inputResponse(responses, name);
    if (response.kind !== "elicit") continue;
    const { action, content } = response;
    answers[name] = { action, ...(content === undefined ? {} : { content: { ...content } }) };
  }
  return answers;
}
