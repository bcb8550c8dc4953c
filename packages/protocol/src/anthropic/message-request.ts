import { type Static, Type } from "typebox";

/** Mark of a client: the provider may cache the request up to here. */
const cacheControl = Type.Optional(
  Type.Union([
    Type.Object({
      type: Type.Literal("ephemeral"),
      /** Default `5m`. */
      ttl: Type.Optional(Type.Enum(["5m", "1h"])),
    }),
    Type.Null(),
  ]),
);
const cacheable = { cache_control: cacheControl };

const text = Type.Object({ type: Type.Literal("text"), text: Type.String(), ...cacheable });

const base64Source = Type.Object({
  type: Type.Literal("base64"),
  media_type: Type.String(),
  data: Type.String(),
});
const urlSource = Type.Object({ type: Type.Literal("url"), url: Type.String() });

const image = Type.Object({
  type: Type.Literal("image"),
  source: Type.Union([base64Source, urlSource]),
  ...cacheable,
});

const title = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const document = Type.Object({
  type: Type.Literal("document"),
  source: Type.Union([
    base64Source,
    urlSource,
    Type.Object({ type: Type.Literal("text"), media_type: Type.String(), data: Type.String() }),
    Type.Object({
      type: Type.Literal("content"),
      content: Type.Union([Type.String(), Type.Array(Type.Union([text, image]))]),
    }),
  ]),
  title,
  context: title,
  ...cacheable,
});

const searchResult = Type.Object({
  type: Type.Literal("search_result"),
  source: Type.String(),
  title: Type.String(),
  content: Type.Array(text),
  ...cacheable,
});

const toolUse = Type.Object({
  type: Type.Literal("tool_use"),
  id: Type.String({ pattern: "^[A-Za-z0-9_-]+$" }),
  name: Type.String(),
  input: Type.Record(Type.String(), Type.Unknown()),
  ...cacheable,
});

const toolResult = Type.Object({
  type: Type.Literal("tool_result"),
  tool_use_id: Type.String(),
  content: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.Union([text, image, document, searchResult]))]),
  ),
  is_error: Type.Optional(Type.Boolean()),
  ...cacheable,
});

const thinking = Type.Object({
  type: Type.Literal("thinking"),
  thinking: Type.String(),
  signature: Type.String(),
});

const redactedThinking = Type.Object({
  type: Type.Literal("redacted_thinking"),
  data: Type.String(),
});

/** Message of a request of the Messages API; unknown fields of newer clients are accepted. */
export const messageParamSchema = Type.Union([
  Type.Object({
    role: Type.Literal("user"),
    content: Type.Union([
      Type.String(),
      Type.Array(Type.Union([text, image, document, searchResult, toolResult])),
    ]),
  }),
  Type.Object({
    role: Type.Literal("assistant"),
    content: Type.Union([
      Type.String(),
      Type.Array(Type.Union([text, toolUse, thinking, redactedThinking])),
    ]),
  }),
  Type.Object({
    role: Type.Literal("system"),
    content: Type.Union([Type.String(), Type.Array(text)]),
  }),
]);

const tool = Type.Object({
  type: Type.Optional(Type.Union([Type.Literal("custom"), Type.Null()])),
  name: Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$" }),
  description: Type.Optional(Type.String()),
  input_schema: Type.Record(Type.String(), Type.Unknown()),
  strict: Type.Optional(Type.Boolean()),
  ...cacheable,
});

const parallel = { disable_parallel_tool_use: Type.Optional(Type.Boolean()) };
const toolChoice = Type.Union([
  Type.Object({ type: Type.Literal("auto"), ...parallel }),
  Type.Object({ type: Type.Literal("any"), ...parallel }),
  Type.Object({ type: Type.Literal("tool"), name: Type.String(), ...parallel }),
  Type.Object({ type: Type.Literal("none") }),
]);

/** `omitted`, or one of the forms in which the platform shows reasoning, among which newer clients have more. */
const display = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const thinkingSettings = Type.Union([
  Type.Object({
    type: Type.Literal("enabled"),
    budget_tokens: Type.Integer({ minimum: 1024 }),
    display,
  }),
  Type.Object({ type: Type.Literal("adaptive"), display }),
  Type.Object({ type: Type.Literal("disabled") }),
]);

const format = Type.Optional(
  Type.Union([
    Type.Object({
      type: Type.Literal("json_schema"),
      schema: Type.Record(Type.String(), Type.Unknown()),
    }),
    Type.Null(),
  ]),
);

const outputConfig = Type.Object({
  effort: Type.Optional(
    Type.Union([Type.Enum(["low", "medium", "high", "xhigh", "max"]), Type.Null()]),
  ),
  format,
});

/** Parameters of a request that say what the model reads. */
const prompt = {
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(messageParamSchema, { minItems: 1 }),
  system: Type.Optional(Type.Union([Type.String(), Type.Array(text)])),
  tools: Type.Optional(Type.Array(tool, { maxItems: 512 })),
  tool_choice: Type.Optional(toolChoice),
  thinking: Type.Optional(thinkingSettings),
  output_config: Type.Optional(outputConfig),
  /** Earlier name of `output_config.format`. */
  output_format: format,
  /** Mark at the end of the request. */
  ...cacheable,
};

/** Body of `POST /v1/messages`: the parameters that the gateway forwards or uses. */
export const messageRequestSchema = Type.Object({
  ...prompt,
  max_tokens: Type.Integer({ minimum: 1 }),
  stream: Type.Optional(Type.Boolean()),
  stop_sequences: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_k: Type.Optional(Type.Integer({ minimum: 0 })),
  metadata: Type.Optional(
    Type.Object({ user_id: Type.Optional(Type.Union([Type.String(), Type.Null()])) }),
  ),
});

/** Body of `POST /v1/messages/count_tokens`. */
export const countTokensRequestSchema = Type.Object(prompt);

/** Message of a request of the Messages API. */
export type MessageParam = Static<typeof messageParamSchema>;
/** Body of `POST /v1/messages`. */
export type MessageRequest = Static<typeof messageRequestSchema>;
