import { defined } from "@openclaw/foundation";
import type { ClientRequest, ClientTool } from "@openclaw/messaging";
import type { FunctionDefinition, ResponseRequest } from "@openclaw/protocol/openai";
import { invalid, type OpenAiFailure } from "./error.js";
import type { IgnoredParameters } from "./ignored-parameters.js";

/** Parameters of an API. All others are rejected: they may change the meaning of the answer. */
export interface ParameterRules {
  /** Names of the parameters that the gateway forwards or uses. */
  readonly supported: ReadonlySet<string>;
  /** Values that other parameters have by default, as JSON: the gateway does what they ask for. */
  readonly defaults: Readonly<Record<string, readonly string[]>>;
  /** Parameters that never change the meaning of an answer, with any value. */
  readonly ignored: IgnoredParameters;
  /**
   * Returns the failure of a request with content of a type that the gateway does not support; by default content of
   * the OpenAI API.
   * @param body - body of the request without the ignored parameters
   */
  readonly unsupportedContent?: (
    body: Readonly<Record<string, unknown>>,
  ) => OpenAiFailure | undefined;
}

/** Default values of parameters that both APIs have. */
export const DEFAULT_VALUES = {
  service_tier: ['"auto"', '"default"'],
  top_logprobs: ["0"],
} as const satisfies ParameterRules["defaults"];

/** Ignored parameters that both APIs have: hints for caches, abuse detection, scheduling, telemetry and wire format. */
export const IGNORED_NAMES = [
  "client_metadata",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "safety_identifier",
  "service_tier",
  "stream_options.include_obfuscation",
] as const;

/**
 * Returns true for a value that a parameter has by default.
 * @param rules - parameters of the API
 * @param name - name of the parameter
 */
export function isDefaultValue(
  { defaults }: Pick<ParameterRules, "defaults">,
  name: string,
  value: unknown,
): boolean {
  const values = Object.hasOwn(defaults, name) ? (defaults[name] ?? []) : [];
  return values.includes(JSON.stringify(value));
}

/**
 * Returns the failure of a request with a parameter that the gateway neither forwards nor uses: a parameter
 * that is silently ignored would give an answer to another request.
 * @param body - body of the request without the ignored parameters
 * @param rules - parameters of the API
 */
export function unsupportedParameter(
  body: Readonly<Record<string, unknown>>,
  rules: ParameterRules,
): OpenAiFailure | undefined {
  const { supported, defaults } = rules;
  for (const [name, value] of Object.entries(body)) {
    if (supported.has(name) || value === null || isDefaultValue(rules, name, value)) continue;
    const accepted = Object.hasOwn(defaults, name) ? (defaults[name] ?? []) : [];
    const only = accepted.length === 0 ? "" : ` with a value other than ${accepted.join(" or ")}`;
    const message = `the parameter \`${name}\`${only} is not supported by this gateway; remove it from the request`;
    return invalid("unsupported_parameter", message, name);
  }
  return undefined;
}

/** Tools of a request and their use. */
export interface RequestedTools {
  readonly tools: readonly FunctionDefinition[];
  /** Undefined when the request leaves the choice to the model. */
  readonly choice: "auto" | "none" | "required" | { readonly name: string } | undefined;
  readonly isParallel: boolean | undefined;
}

/**
 * Reads the tools of a request.
 * @param requested - tools and their use
 * @param isEnabled - false rejects tools, `gateway.openai.clientTools`
 */
export function readTools(
  { tools, choice, isParallel }: RequestedTools,
  isEnabled: boolean,
): Pick<ClientRequest, "tools" | "toolChoice" | "parallelToolCalls"> | OpenAiFailure {
  if (tools.length > 0 && !isEnabled) {
    const message =
      "this gateway runs only its own tools (gateway.openai.clientTools is false); remove `tools` from the request";
    return invalid("client_tools_disabled", message, "tools");
  }
  const names = new Set<string>();
  for (const [index, { name, parameters }] of tools.entries()) {
    const param = `tools[${index}]`;
    if (names.has(name)) {
      return invalid("duplicate_tool", `two tools have the name ${JSON.stringify(name)}`, param);
    }
    names.add(name);
    if (parameters !== null && parameters !== undefined && !isObjectSchema(parameters)) {
      const message = `the parameters of the tool ${JSON.stringify(name)} must be a JSON Schema of type "object"`;
      return invalid("invalid_tool_parameters", message, `${param}.parameters`);
    }
  }
  if (typeof choice === "object" && !names.has(choice.name)) {
    const message = `the tool ${JSON.stringify(choice.name)} is not among the tools of the request`;
    return invalid("unknown_tool_choice", message, "tool_choice");
  }
  if (choice === "required" && tools.length === 0) {
    const message = '`tool_choice` "required" needs `tools`';
    return invalid("unknown_tool_choice", message, "tool_choice");
  }
  return defined({
    tools: tools.length === 0 ? undefined : tools.map(clientTool),
    toolChoice: typeof choice === "object" ? { toolName: choice.name } : choice,
    parallelToolCalls: isParallel,
  });
}

function clientTool({ name, description, parameters, strict }: FunctionDefinition): ClientTool {
  return {
    name,
    description: description ?? "",
    parameters: { ...parameters, type: "object" },
    ...defined({ strict: strict ?? undefined }),
  };
}

function isObjectSchema({ type, properties, required }: Readonly<Record<string, unknown>>) {
  return (
    (type === undefined || type === "object") &&
    (properties === undefined || (typeof properties === "object" && properties !== null)) &&
    (required === undefined || Array.isArray(required))
  );
}

/** Format of the reply to a request. */
type RequestedFormat = NonNullable<NonNullable<ResponseRequest["text"]>["format"]>;

/**
 * Returns the setting for the format of a reply.
 * @param format - format of the request
 */
export function replyFormat(
  format: RequestedFormat | undefined,
): NonNullable<ClientRequest["settings"]>["responseFormat"] {
  if (format === undefined || format.type === "text") return undefined;
  if (format.type === "json_object") return { type: "json" };
  const { name, description, schema } = format;
  return {
    type: "json",
    name,
    ...defined({ description: given(description), schema: given(schema) }),
  };
}

/**
 * Returns a value that a client may leave out or send as null.
 * @param value - value of a parameter
 */
export function given<Value>(value: Value | null | undefined): Value | undefined {
  return value ?? undefined;
}
