/** Origin of a tool. */
export type ToolOrigin = "core" | "plugin" | "mcp" | "wasm" | "client";

/** The tool a decision is about (POL-002). */
export interface PolicyTool {
  /** 1 to 64 characters of `A-Z a-z 0-9 _ -`; compared without regard to case. */
  readonly name: string;
  /** Id of the plugin that registered it. */
  readonly pluginId?: string;
  readonly origin: ToolOrigin;
  /** True: offered only where an allow entry names it (POL-023). */
  readonly optional: boolean;
  /** Further names that entries may use for it; the host vouches for them. */
  readonly aliases: readonly string[];
  /** True: its plugin comes with the host, and a list may leave it out without a warning. */
  readonly preinstalled?: boolean;
  /** True: only owners may use it (POL-015). */
  readonly ownerOnly?: boolean;
}
