import type { ToolSessionContext } from "./definition.js";

/** Additional metadata of a tool, beyond its definition (PLUG-056). */
export interface ToolMetadata {
  /** Name of a tool; only `modelDescription` also describes tools of the host and of other plugins. */
  toolName: string;
  displayName?: string;
  /** Description for people. */
  description?: string;
  /**
   * Returns text that is added to the description for the model, built when a turn starts (EXT-004). For the prompt cache it
   * should be the same in every turn of a session.
   * @param context - session of the turn, with its channel
   */
  modelDescription?(context: ToolSessionContext): string | undefined;
  risk?: "low" | "medium" | "high";
  tags?: readonly string[];
}
