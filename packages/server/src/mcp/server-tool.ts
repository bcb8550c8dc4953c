import type { CallToolResult, InputRequiredResult, Tool } from "@modelcontextprotocol/server";
import type { TSchema } from "typebox";
import { Check, Errors } from "typebox/value";
import type { PortMethod } from "./gateway-port.js";
import type { McpRequest } from "./mcp-client.js";

/** Result of a tool, or the request that a person at the client must answer first. */
export type ToolOutcome = CallToolResult | InputRequiredResult;

/** Tool that this server has itself. */
export interface ServerTool {
  readonly definition: Tool;
  /** Method of the gateway that the token must be allowed to call. */
  readonly method: PortMethod;
  /**
   * Runs a call.
   * @param args - arguments from the client, which the method checks
   * @param request - client and context
   */
  run(args: Readonly<Record<string, unknown>>, request: McpRequest): Promise<ToolOutcome>;
}

/**
 * Returns a schema of TypeBox as the schema of an argument object.
 * @param schema - object schema of a method
 */
export function inputSchemaOf(schema: TSchema): Tool["inputSchema"] {
  // Only members that are part of JSON Schema.
  return { type: "object", ...JSON.parse(JSON.stringify(schema)) };
}

/**
 * Returns the problem of arguments, for the model.
 * @param schema - schema of the arguments
 * @param args - arguments from the client
 * @returns undefined when they are valid
 */
export function argumentProblem(schema: TSchema, args: unknown): string | undefined {
  if (Check(schema, args)) return undefined;
  const [issue] = Errors(schema, args);
  return `INVALID_REQUEST: ${issue?.instancePath || "/"} ${issue?.message}`;
}
