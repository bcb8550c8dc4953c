import { countTokensRequestSchema, messageRequestSchema } from "@openclaw/protocol/anthropic";
import {
  chatCompletionRequestSchema,
  embeddingRequestSchema,
  responseRequestSchema,
} from "@openclaw/protocol/openai";
import { SchemaComponents } from "./components.js";

const components = new SchemaComponents();
const openAiError = {
  description: "Failure, in the shape of OpenAI.",
  content: json({
    type: "object",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        required: ["message", "type", "code"],
        properties: {
          message: { type: "string" },
          type: { type: "string" },
          code: { type: ["string", "null"] },
        },
      },
    },
  }),
};
const failures = { "4XX": openAiError, "5XX": openAiError };
const anthropicError = {
  description: "Failure, in the shape of Anthropic.",
  content: json({
    type: "object",
    required: ["type", "error"],
    properties: {
      type: { const: "error" },
      error: {
        type: "object",
        required: ["type", "message", "code"],
        properties: {
          type: { type: "string" },
          message: { type: "string" },
          code: { type: "string" },
        },
      },
    },
  }),
};
const messageFailures = { "4XX": anthropicError, "5XX": anthropicError };
/** The same body as that of methods. */
const wireFailures = {
  "4XX": { $ref: "#/components/responses/Failure400" },
  "5XX": { $ref: "#/components/responses/Failure500" },
};
/** Failure of the gateway before the message is read, or error of the protocol. */
const mcpError = {
  description: "Failure, in the shape of methods or of JSON-RPC.",
  content: json({ type: "object", required: ["error"], properties: { error: { type: "object" } } }),
};
const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
const events = { "text/event-stream": { schema: { type: "string" } } };

/** Routes that are not methods; a route that is added to the server is added here (GW-032). */
export const OTHER_ROUTES: Readonly<Record<string, unknown>> = {
  "/healthz": {
    get: {
      ...operation("healthz", "host", "Responds while the gateway runs."),
      security: [],
      responses: { 200: { description: "It runs.", content: json(objectWith("status")) } },
    },
  },
  "/readyz": {
    get: {
      ...operation("readyz", "host", "Responds with 200 when the gateway is ready, else with 503."),
      description: "With a token also the result of each check.",
      security: [{}, { bearer: [] }],
      responses: {
        200: { description: "It is ready.", content: json(objectWith("status")) },
        503: { description: "It is not ready.", content: json(objectWith("status")) },
      },
    },
  },
  "/metrics": {
    get: {
      ...operation("metrics", "host", "Returns metrics in the text format of Prometheus."),
      responses: {
        200: {
          description: "The metrics.",
          content: { "text/plain": { schema: { type: "string" } } },
        },
        ...wireFailures,
      },
    },
  },
  "/hooks/{name}": {
    post: {
      ...operation("webhook", "webhooks", "Turns a request of another service into a message."),
      description: "Signed with the secret of the webhook, or with its token (GW-041).",
      security: [{}, { bearer: [] }],
      parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
      requestBody: { required: true, content: json({}) },
      responses: {
        202: { description: "The message is stored.", content: json(objectWith("messageId")) },
        ...wireFailures,
      },
    },
  },
  "/mcp": {
    post: {
      ...operation("mcp", "host", "Serves MCP over streamable HTTP (EXT-015)."),
      description: "One message of JSON-RPC, for clients of both eras of the protocol.",
      requestBody: { required: true, content: json({ type: "object" }) },
      responses: {
        200: { description: "The answer, also as a stream.", content: { ...json({}), ...events } },
        202: { description: "A notification was accepted." },
        "4XX": mcpError,
        "5XX": mcpError,
      },
    },
  },
  "/openapi.json": {
    get: {
      ...operation("openapi", "host", "Returns this document."),
      responses: {
        200: { description: "The document.", content: json(objectWith("openapi", "paths")) },
        ...wireFailures,
      },
    },
  },
  "/api/v1/events": {
    get: {
      ...operation("events", "host", "Streams events as server-sent events (GW-034)."),
      description: "Sends the events since the header `Last-Event-ID` first.",
      parameters: [
        query("session", "Full or short key of a session; `*` for every session.", {
          type: "string",
        }),
        query("types", "Names of events, separated by commas; all when absent.", {
          type: "string",
        }),
      ],
      responses: { 200: { description: "The events.", content: events }, ...wireFailures },
    },
  },
  "/v1/models": {
    get: {
      ...operation("models", "openai", "Lists the agents as models, and the models."),
      responses: {
        200: { description: "The list.", content: json(objectWith("object", "data")) },
        ...failures,
      },
    },
  },
  "/v1/models/{id}": {
    get: {
      ...operation("model", "openai", "Returns one model."),
      parameters: [id],
      responses: {
        200: { description: "The model.", content: json(objectWith("id", "object")) },
        ...failures,
      },
    },
  },
  "/v1/chat/completions": {
    post: {
      ...operation("chatCompletion", "openai", "Creates a chat completion, as with OpenAI."),
      requestBody: {
        required: true,
        content: json(components.schema(chatCompletionRequestSchema)),
      },
      responses: {
        200: {
          description: "The completion; with `stream` as server-sent events.",
          content: { ...json(objectWith("id", "object", "choices")), ...events },
        },
        ...failures,
      },
    },
  },
  "/v1/messages": {
    post: {
      ...operation("createMessage", "anthropic", "Creates a message, as with Anthropic."),
      requestBody: { required: true, content: json(components.schema(messageRequestSchema)) },
      responses: {
        200: {
          description: "The message; with `stream` as server-sent events.",
          content: { ...json(objectWith("id", "type", "content", "usage")), ...events },
        },
        ...messageFailures,
      },
    },
  },
  "/v1/messages/count_tokens": {
    post: {
      ...operation("countTokens", "anthropic", "Estimates the tokens of a message."),
      requestBody: { required: true, content: json(components.schema(countTokensRequestSchema)) },
      responses: {
        200: { description: "The estimate.", content: json(objectWith("input_tokens")) },
        ...messageFailures,
      },
    },
  },
  "/v1/embeddings": {
    post: {
      ...operation("createEmbedding", "openai", "Returns vectors of strings, as with OpenAI."),
      requestBody: { required: true, content: json(components.schema(embeddingRequestSchema)) },
      responses: {
        200: {
          description: "The vectors.",
          content: json(objectWith("object", "data", "model", "usage")),
        },
        ...failures,
      },
    },
  },
  "/v1/responses": {
    post: {
      ...operation("createResponse", "openai", "Creates a response, as with OpenAI."),
      requestBody: { required: true, content: json(components.schema(responseRequestSchema)) },
      responses: {
        200: {
          description: "The response; with `stream` as server-sent events.",
          content: { ...json(objectWith("id", "object", "output")), ...events },
        },
        ...failures,
      },
    },
  },
  "/v1/responses/{id}": {
    get: {
      ...operation("storedResponse", "openai", "Returns a stored response."),
      parameters: [id],
      responses: {
        200: { description: "The response.", content: json(objectWith("id", "object")) },
        ...failures,
      },
    },
    delete: {
      ...operation("deletedResponse", "openai", "Deletes a stored response."),
      parameters: [id],
      responses: {
        200: { description: "It was deleted.", content: json(objectWith("id", "deleted")) },
        ...failures,
      },
    },
  },
};

function operation(operationId: string, tag: string, summary: string) {
  return { operationId, tags: [tag], summary };
}

function query(name: string, description: string, schema: object) {
  return { name, in: "query", required: false, description, schema };
}

function objectWith(...required: readonly string[]) {
  return { type: "object", required };
}

function json(schema: unknown) {
  return { "application/json": { schema } };
}
