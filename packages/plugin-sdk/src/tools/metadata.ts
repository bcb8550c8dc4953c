/** Additional metadata of a tool, beyond its definition (PLUG-056). */
export interface ToolMetadata {
  /** Name of a tool of the same plugin. */
  toolName: string;
  displayName?: string;
  description?: string;
  risk?: "low" | "medium" | "high";
  tags?: readonly string[];
}
