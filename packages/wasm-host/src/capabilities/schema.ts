import type { ValueSchema } from "@openclaw/foundation";

const text: ValueSchema = { type: "string" };
const number: ValueSchema = { type: "number" };
const flag: ValueSchema = { type: "boolean" };
const texts: ValueSchema = { type: "array", items: text };

const rateLimit: ValueSchema = {
  type: "object",
  properties: { requests_per_minute: number, requests_per_hour: number },
};

const credential: ValueSchema = {
  type: "object",
  properties: {
    secret_name: text,
    location: {
      type: "object",
      properties: {
        type: { type: "string", enum: ["bearer", "basic", "header", "query_param", "url_path"] },
        username: text,
        name: text,
        prefix: text,
        placeholder: text,
      },
      required: ["type"],
      additionalProperties: false,
    },
    host_patterns: texts,
  },
  required: ["secret_name", "location", "host_patterns"],
  additionalProperties: false,
};

const capabilities: Readonly<Record<string, ValueSchema>> = {
  http: {
    type: "object",
    properties: {
      allowlist: {
        type: "array",
        items: {
          type: "object",
          properties: { host: text, path_prefix: text, methods: texts },
          required: ["host"],
          additionalProperties: false,
        },
      },
      credentials: { type: "object", additionalProperties: credential },
      rate_limit: rateLimit,
      max_request_bytes: number,
      max_response_bytes: number,
      timeout_secs: number,
    },
    required: ["allowlist"],
    additionalProperties: false,
  },
  secrets: {
    type: "object",
    properties: { allowed_names: texts },
    additionalProperties: false,
  },
  tool_invoke: {
    type: "object",
    properties: {
      aliases: { type: "object", additionalProperties: text },
      rate_limit: rateLimit,
    },
    additionalProperties: false,
  },
  workspace: {
    type: "object",
    properties: { allowed_prefixes: texts },
    additionalProperties: false,
  },
  channel: {
    type: "object",
    properties: {
      allowed_paths: texts,
      allow_polling: flag,
      min_poll_interval_ms: number,
      workspace_prefix: text,
      emit_rate_limit: {
        type: "object",
        properties: { messages_per_minute: number, messages_per_hour: number },
      },
      max_message_size: number,
      callback_timeout_secs: number,
      webhook: {
        type: "object",
        properties: { secret_header: text, secret_name: text },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
};

const auth: ValueSchema = {
  type: "object",
  properties: {
    secret_name: text,
    display_name: text,
    oauth: {
      type: "object",
      properties: {
        ...{ authorization_url: text, token_url: text, access_token_field: text, use_pkce: flag },
        ...{ client_id: text, client_id_env: text, client_secret: text, client_secret_env: text },
        ...{ scopes: texts, extra_params: { type: "object", additionalProperties: text } },
      },
      required: ["authorization_url", "token_url"],
    },
    instructions: text,
    setup_url: text,
    token_hint: text,
    env_var: text,
    provider: text,
    validation_endpoint: {
      type: "object",
      properties: { url: text, method: text, success_status: number },
      required: ["url"],
    },
  },
  required: ["secret_name"],
};

const setup: ValueSchema = {
  type: "object",
  properties: {
    required_secrets: {
      type: "array",
      items: {
        type: "object",
        properties: {
          name: text,
          prompt: text,
          validation: text,
          optional: flag,
          auto_generate: { type: "object", properties: { length: number } },
        },
        required: ["name", "prompt"],
      },
    },
    validation_endpoint: text,
  },
};

/** Schema of a capabilities file of a tool or a channel (WASM-009 to WASM-013). */
export const CAPABILITIES_SCHEMA: ValueSchema = {
  type: "object",
  properties: {
    ...capabilities,
    auth,
    setup,
    ...{ type: text, name: text, description: text, version: text, wit_version: text },
    config: { type: "object" },
    capabilities: { type: "object", properties: capabilities, additionalProperties: false },
  },
  additionalProperties: false,
};
