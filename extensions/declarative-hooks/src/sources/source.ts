import type { HookSetProblem } from "@openclaw/plugin-sdk/hooks";
import type { HookDefinition } from "../definition/definition.js";

/** Hooks of one source, as they are in force. */
export interface HookSource {
  /** File or key of the configuration. */
  readonly location: string;
  /** Working directory of its programs. */
  readonly cwd: string;
  readonly definitions: readonly HookDefinition[];
  /** Name of a file that is approved by it. */
  readonly file?: string | undefined;
  /** False does not run its programs: gates among its hooks stop their events, the others are inactive. */
  readonly approved: boolean;
  readonly problems: readonly HookSetProblem[];
}
