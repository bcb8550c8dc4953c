import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";

/** Variable that tells the child process which step it runs. */
export const STEP_VARIABLE = "LOBSTER_STEP_ID";

/** Work that the parent gives to the child process, once. */
export interface ChildTask {
  readonly kind: "task";
  /** URL of the engine. */
  readonly engine: string;
  readonly request:
    | { readonly action: "run"; readonly pipeline: string }
    | { readonly action: "run"; readonly filePath: string; readonly args: JsonObject }
    | {
        readonly action: "resume";
        readonly token: string;
        readonly approved?: boolean;
        readonly response?: JsonValue;
      };
  /** Absolute path of the folder of the run. */
  readonly cwd: string;
  /** Environment of the steps. */
  readonly env: Readonly<Record<string, string>>;
  readonly maxItems: number;
  readonly maxBytes: number;
}

/** Effect that a step has outside the child process; the host performs it. */
export type Effect =
  | {
      readonly type: "exec";
      /** Command line for a shell, or a program with its arguments. */
      readonly command: { readonly line: string } | { readonly argv: readonly string[] };
      readonly cwd: string;
      /** Variables that the step adds to the environment of commands. */
      readonly env: Readonly<Record<string, string>>;
      /** Standard input; empty when absent. */
      readonly input?: string;
    }
  | { readonly type: "tool"; readonly tool: string; readonly params: JsonObject }
  | { readonly type: "llm"; readonly params: JsonObject };

/** Result of an effect. */
export type EffectResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly message: string; readonly fatal?: boolean };

/** Message of the child process to its parent. */
export type ChildMessage =
  | { readonly kind: "ready" }
  /** A step or stage started. */
  | { readonly kind: "stage"; readonly name: string }
  | {
      readonly kind: "effect";
      readonly id: number;
      readonly step: string | undefined;
      readonly effect: Effect;
    }
  | { readonly kind: "cancel-effect"; readonly id: number }
  /** A limit was reached; the parent ends the process. */
  | { readonly kind: "limit"; readonly message: string; readonly step: string | undefined }
  | { readonly kind: "envelope"; readonly text: string };

/** Message of the parent to the child process. */
export type ParentMessage =
  | ChildTask
  | { readonly kind: "effect-result"; readonly id: number; readonly result: EffectResult };
