import type { HookSetProblem } from "@openclaw/plugin-sdk/hooks";
import type { HookDefinition } from "../definition/definition.js";

/** Hooks of one source, as they are in force. */
export interface HookSource {
  /** File or key of the configuration. */
  readonly location: string;
  /** Working directory of its programs. */
  readonly cwd: string;
  readonly definitions: readonly HookDefinition[];
  /** False leaves its hooks with programs inactive. */
  readonly approved: boolean;
  readonly problems: readonly HookSetProblem[];
}
