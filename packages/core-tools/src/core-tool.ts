import type { AnyAgentTool, ToolSessionContext } from "@openclaw/plugin-sdk/tools";

/** A tool of the host, or a factory of tools that depend on the session they run in. */
export type CoreTool =
  | AnyAgentTool
  | ((session: ToolSessionContext) => AnyAgentTool | readonly AnyAgentTool[]);
