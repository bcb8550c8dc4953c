import { type Static, Type } from "typebox";
import {
  functionDefinitionSchema,
  jsonFormatSchema,
  metadataSchema,
  nullable,
  reasoningEffortSchema,
} from "./schema.js";

const inputText = Type.Object({ type: Type.Literal("input_text"), text: Type.String() });
const inputImage = Type.Object({
  type: Type.Literal("input_image"),
  image_url: Type.String(),
});
const inputFile = Type.Object({
  type: Type.Literal("input_file"),
  file_data: nullable(Type.String()),
  file_url: nullable(Type.String()),
  file_id: nullable(Type.String()),
  filename: nullable(Type.String()),
});
const inputParts = Type.Array(Type.Union([inputText, inputImage, inputFile]));
const outputText = Type.Object({ type: Type.Literal("output_text"), text: Type.String() });
const refusal = Type.Object({ type: Type.Literal("refusal"), refusal: Type.String() });

const inputMessage = Type.Object({
  type: Type.Optional(Type.Literal("message")),
  role: Type.Union([Type.Literal("user"), Type.Literal("system"), Type.Literal("developer")]),
  content: Type.Union([Type.String(), inputParts]),
});

const outputMessage = Type.Object({
  type: Type.Optional(Type.Literal("message")),
  role: Type.Literal("assistant"),
  content: Type.Union([Type.String(), Type.Array(Type.Union([outputText, refusal, inputText]))]),
});

const functionCall = Type.Object({
  type: Type.Literal("function_call"),
  call_id: Type.String(),
  name: Type.String(),
  arguments: Type.String(),
});

const functionCallOutput = Type.Object({
  type: Type.Literal("function_call_output"),
  call_id: Type.String(),
  output: Type.Union([Type.String(), inputParts]),
});

const itemReference = Type.Object({ type: Type.Literal("item_reference"), id: Type.String() });

/** Entry of `include` that asks for the encrypted reasoning of a reply. */
export const ENCRYPTED_REASONING = "reasoning.encrypted_content";

/** Reasoning of an earlier reply, which clients send back with the other items of its output. */
const reasoningItem = Type.Object({
  type: Type.Literal("reasoning"),
  encrypted_content: nullable(Type.String()),
});

/** Schema of an item of the input; unknown fields of newer clients are accepted. */
const responseInputItem = Type.Union([
  inputMessage,
  outputMessage,
  functionCall,
  functionCallOutput,
  itemReference,
  reasoningItem,
]);

const tool = Type.Intersect([
  Type.Object({ type: Type.Literal("function") }),
  functionDefinitionSchema,
]);

const toolChoice = Type.Union([
  Type.Literal("auto"),
  Type.Literal("none"),
  Type.Literal("required"),
  Type.Object({ type: Type.Literal("function"), name: Type.String() }),
]);

const format = Type.Union([
  Type.Object({ type: Type.Literal("text") }),
  Type.Object({ type: Type.Literal("json_object") }),
  Type.Intersect([Type.Object({ type: Type.Literal("json_schema") }), jsonFormatSchema]),
]);

/** Body of `POST /v1/responses`: the parameters that the gateway forwards or uses. */
export const responseRequestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  input: Type.Union([Type.String(), Type.Array(responseInputItem, { minItems: 1 })]),
  instructions: nullable(Type.String()),
  previous_response_id: nullable(Type.String()),
  store: nullable(Type.Boolean()),
  stream: nullable(Type.Boolean()),
  user: nullable(Type.String()),
  metadata: nullable(metadataSchema),
  include: nullable(Type.Array(Type.Literal(ENCRYPTED_REASONING))),
  tools: nullable(Type.Array(tool, { maxItems: 128 })),
  tool_choice: nullable(toolChoice),
  parallel_tool_calls: nullable(Type.Boolean()),
  text: nullable(Type.Object({ format: nullable(format) }, { additionalProperties: false })),
  temperature: nullable(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  max_output_tokens: nullable(Type.Integer({ minimum: 1 })),
  reasoning: nullable(
    Type.Object(
      { effort: nullable(reasoningEffortSchema), summary: nullable(Type.Literal("auto")) },
      { additionalProperties: false },
    ),
  ),
});

/** Body of `POST /v1/responses`. */
export type ResponseRequest = Static<typeof responseRequestSchema>;
