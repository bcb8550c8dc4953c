import type { ToolKind } from "@openclaw/plugin-sdk/hooks";
import type { JsonSchema, ToolDefinition } from "@openclaw/plugin-sdk/tools";
import type { PolicyTool } from "@openclaw/tool-policy";

/** The kinds of tools that turns offer. */
export const OFFERED_TOOL_KINDS = [
  "builtin",
  "plugin",
  "mcp",
  "wasm",
  "client",
] as const satisfies readonly ToolKind[];

/** A kind of tool that turns offer. */
export type OfferedToolKind = (typeof OFFERED_TOOL_KINDS)[number];

/** A tool that the turn's model may call. */
export interface ToolEntry {
  readonly name: string;
  readonly tool: ToolDefinition;
  /** Description for the model, built for the session of the turn (EXT-004). */
  readonly description: string;
  readonly kind: OfferedToolKind;
  readonly pluginId: string | undefined;
  readonly parameters: JsonSchema;
  /** True asks the provider of the model to follow the schema exactly. */
  readonly strict?: boolean | undefined;
  /** True when models receive the definition only after `tool_search` has loaded it (TURN-067). */
  readonly isDeferred?: boolean | undefined;
  /** The tool in the form that policy evaluates. */
  readonly policyTool: PolicyTool;
}

/** The tools of one turn by name, in the order sent to the model; fixed for the turn (TURN-026). */
export type ToolSet = ReadonlyMap<string, ToolEntry>;

/** A tool or factory that was not added to the set; with a type mismatch or without an added text the tools were added. */
export interface ToolSetProblem {
  readonly code:
    | "TOOL_FACTORY_FAILED"
    | "TOOL_DUPLICATE"
    | "TOOL_SCHEMA_INVALID"
    | "TOOL_PARAM_CONFLICT"
    | "TOOL_PARAM_TYPE_MISMATCH"
    | "TOOL_DESCRIPTION_FAILED"
    | "TOOL_NAME_INVALID";
  readonly pluginId: string;
  readonly message: string;
}
