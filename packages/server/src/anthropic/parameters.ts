import { countTokensRequestSchema, messageRequestSchema } from "@openclaw/protocol/anthropic";
import { records, unsupported } from "../openai/body.js";
import { invalid, type OpenAiFailure } from "../openai/error.js";
import type { IgnoredParameters } from "../openai/ignored-parameters.js";
import type { ParameterRules } from "../openai/parameters.js";

/** Tools whose results or products a client expects in the answer; every other one is an offer to the model. */
const NEEDED_TOOL = /^(?:code_execution|computer|mcp_toolset)(?:_|$)/;

/**
 * Hints for scheduling, billing and telemetry, and services of the platform that the host has itself: compaction,
 * failover, safety.
 */
const IGNORED: IgnoredParameters = {
  names: [
    ...["billing_policy", "compaction", "context_management", "diagnostics"],
    ...["fallback_credit_token", "fallbacks", "safeguards", "service_tier", "speed"],
    ...["user_profile_id", "workspace_id"],
  ],
  isIgnoredTool: (type) => typeof type === "string" && type !== "custom" && !NEEDED_TOOL.test(type),
};

/** Parameters of messages. */
export const MESSAGE_PARAMETERS: ParameterRules = {
  supported: new Set(Object.keys(messageRequestSchema.properties)),
  defaults: { mcp_servers: ["[]"], service_tier: ['"auto"', '"standard_only"'] },
  ignored: IGNORED,
  unsupportedContent,
};

/** Parameters of a count of tokens. Those of the reply do not change the number. */
export const COUNT_PARAMETERS: ParameterRules = {
  supported: new Set(Object.keys(countTokensRequestSchema.properties)),
  defaults: { mcp_servers: ["[]"] },
  ignored: { ...IGNORED, names: [...IGNORED.names, "max_tokens", "stream", "metadata"] },
  unsupportedContent,
};

const SUPPORTED_BLOCKS: ReadonlySet<unknown> = new Set([
  ...["text", "image", "document", "search_result", "tool_use", "tool_result"],
  ...["thinking", "redacted_thinking"],
]);

const SUPPORTED_SOURCES: ReadonlySet<unknown> = new Set(["base64", "url", "text", "content"]);

/** Names the first block, source or tool of a type that the gateway does not support. */
function unsupportedContent(body: Readonly<Record<string, unknown>>): OpenAiFailure | undefined {
  for (const [index, message] of records(body.messages)) {
    const refusal = unsupportedBlock(message.content, `messages[${index}].content`);
    if (refusal !== undefined) return refusal;
  }
  for (const [index, tool] of records(body.tools)) {
    const isOfClient = tool.type === undefined || tool.type === null || tool.type === "custom";
    if (!isOfClient) return unsupported(tool, `tools[${index}]`);
  }
  return undefined;
}

function asksForCitations({ citations }: Readonly<Record<string, unknown>>): boolean {
  return records([citations]).some(([, { enabled }]) => enabled === true);
}

function unsupportedBlock(content: unknown, place: string): OpenAiFailure | undefined {
  for (const [index, block] of records(content)) {
    const at = `${place}[${index}]`;
    if (!SUPPORTED_BLOCKS.has(block.type)) return unsupported(block, at);
    if (asksForCitations(block)) {
      const message = `${at}.citations asks for citations, which this gateway does not return; remove it from the request`;
      return invalid("unsupported_parameter", message, `${at}.citations`);
    }
    const [[, source] = []] = records([block.source]);
    if (source !== undefined && !SUPPORTED_SOURCES.has(source.type)) {
      return unsupported(source, `${at}.source`);
    }
    const refusal = unsupportedBlock(block.content, `${at}.content`);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
