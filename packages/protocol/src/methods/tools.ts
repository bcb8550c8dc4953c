import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

// Models are offered both.
export { skillMethods } from "./skills.js";

const closed = { additionalProperties: false };
const sessionKey = Type.String({
  minLength: 1,
  maxLength: 400,
  description: "Full or short key of the session, for example `agent:main:main` or `main`.",
});

/** The tool methods (GW-029). */
export const toolMethods = methodTable(
  defineMethod({
    name: "tools.catalog",
    summary: "Lists the tools of the core and of the plugins, whether or not policy allows them.",
    params: Type.Object({}, closed),
    result: Type.Object({
      tools: Type.Array(
        Type.Object({
          name: Type.String(),
          source: Type.Enum(["core", "plugin"]),
          pluginId: Type.Optional(Type.String()),
          optional: Type.Optional(
            Type.Boolean({ description: "True if the tool is offered only when policy names it." }),
          ),
          displayName: Type.Optional(
            Type.String({ description: "Name for people, as the plugin registered it." }),
          ),
          description: Type.Optional(
            Type.String({ description: "Description for people, as the plugin registered it." }),
          ),
          risk: Type.Optional(
            Type.Enum(["low", "medium", "high"], {
              description: "Risk as the plugin states it; policy does not depend on it.",
            }),
          ),
          tags: Type.Optional(Type.Array(Type.String())),
          kind: Type.Optional(
            Type.Enum(["mcp", "wasm"], {
              description: "What runs it, when it is an MCP server or a WebAssembly component.",
            }),
          ),
          capabilities: Type.Optional(
            Type.Array(Type.String(), {
              description: "What it may do beyond its arguments, one line each.",
            }),
          ),
          unavailable: Type.Optional(
            Type.String({
              description:
                "Reason why the tool is not offered, and the next step; absent when it is.",
            }),
          ),
        }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "tools.effective",
    summary: "Lists the tools that policy allows in a session, as models are offered them.",
    params: Type.Object({ sessionKey }, closed),
    result: Type.Object({
      sessionKey: Type.String({ description: "Full key of the session." }),
      tools: Type.Array(
        Type.Object({
          name: Type.String(),
          description: Type.String(),
          source: Type.Enum(["core", "plugin"]),
          pluginId: Type.Optional(Type.String()),
          parameters: Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema." }),
          tokens: Type.Integer({
            description: "Tokens that its definition costs in each request, estimated.",
          }),
          mcpServer: Type.Optional(
            Type.String({ description: "MCP server that runs it, as in the name of the tool." }),
          ),
          isDeferred: Type.Optional(
            Type.Boolean({
              description:
                "True when models receive its definition only after `tool_search` has loaded it.",
            }),
          ),
        }),
      ),
    }),
    errors: ["SESSION_NOT_FOUND", "MODEL_NOT_FOUND", "MODEL_PROVIDER_NOT_READY"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "tools.invoke",
    summary:
      "Runs a tool in a session as the caller, through the same checks as the calls of models: policy, schema, hooks, approval and safety (TURN-031). The call waits for an approval if an approver is connected.",
    params: Type.Object(
      {
        sessionKey,
        tool: Type.String({ minLength: 1, maxLength: 200, description: "Name of the tool." }),
        params: Type.Record(Type.String(), Type.Unknown(), {
          description: "Arguments of the tool.",
        }),
        toolCallId: Type.Optional(
          Type.String({
            pattern: "^[A-Za-z0-9_-]{8,64}$",
            description:
              "ID of the call, chosen by the client so that it recognises the events `tool.update` with its progress; a new one when absent.",
          }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      runId: Type.String({ description: "ID of the run of this call, as in approvals and logs." }),
      toolCallId: Type.String(),
      isError: Type.Boolean({ description: "True if the call failed or was denied." }),
      content: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: "Parts of the result, as models receive them.",
      }),
    }),
    errors: ["SESSION_NOT_FOUND", "MODEL_NOT_FOUND", "MODEL_PROVIDER_NOT_READY"],
    scope: "operator.write",
    effect: "write",
  }),
);
