import { gatewayMethods } from "@openclaw/protocol";
import { type TSchema, Type } from "typebox";
import type { PortMethod } from "./gateway-port.js";
import { argumentProblem, inputSchemaOf, type ServerTool } from "./server-tool.js";
import { errorResult, failedResult, jsonResult } from "./tool-result.js";

/** Tool that calls a method of the gateway with its arguments. */
interface MethodTool {
  readonly name: string;
  readonly title: string;
  readonly method: PortMethod;
  /** Parameters; those of the method when absent. */
  readonly params?: TSchema;
}

/** Decisions without grants of a chosen scope, which a person makes elsewhere. */
const decision = Type.Object(
  {
    id: Type.String({ description: "ID or code of the approval request." }),
    digest: Type.String({ description: "Digest of the request, as the list shows it." }),
    decision: Type.Enum(["allow-once", "allow-always", "deny"]),
  },
  { additionalProperties: false },
);

/**
 * Tools of a client that may only read. A client that may write has the tools of the gateway with the same names, on the path
 * of all tool calls.
 */
export const READING_TOOLS: readonly ServerTool[] = [
  tool("memory_search", "Search the memory", "memory.search"),
  tool("memory_read", "Read a document of the memory", "memory.read"),
  tool("memory_tree", "List the documents of the memory", "memory.tree"),
  tool("sessions_list", "List sessions", "sessions.list"),
  tool("sessions_history", "Read a session", "chat.history"),
].map(serverTool);

/** Tools with which approval requests are listed and decided. */
export const APPROVAL_TOOLS: readonly ServerTool[] = [
  tool("approvals_list", "List approval requests", "approvals.list"),
  {
    ...tool("approvals_decide", "Decide an approval request", "approvals.resolve"),
    params: decision,
  },
].map(serverTool);

function tool(name: string, title: string, method: PortMethod): MethodTool {
  return { name, title, method };
}

function serverTool({ name, title, method, params }: MethodTool): ServerTool {
  const { summary, effect, params: own, result } = gatewayMethods[method];
  const schema = params ?? own;
  return {
    method,
    definition: {
      ...{ name, title, description: summary },
      inputSchema: inputSchemaOf(schema),
      outputSchema: inputSchemaOf(result),
      annotations: { title, readOnlyHint: effect === "read", openWorldHint: false },
    },
    async run(args, { client }) {
      const problem = argumentProblem(schema, args);
      if (problem !== undefined) return errorResult(problem);
      try {
        return jsonResult(await client.gateway.invoke(method, args));
      } catch (error) {
        return failedResult(error);
      }
    },
  };
}
