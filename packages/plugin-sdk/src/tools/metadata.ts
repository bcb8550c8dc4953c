/** What a plugin says of one of its own tools beyond its definition (PLUG-056). */
export interface ToolMetadata {
  /** A tool of the same plugin. */
  toolName: string;
  displayName?: string;
  description?: string;
  risk?: "low" | "medium" | "high";
  tags?: readonly string[];
}
