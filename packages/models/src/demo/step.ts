import type { JsonObject } from "@openclaw/plugin-sdk/tools";

/** Result of a tool since the request. */
export interface DemoResult {
  readonly toolName: string;
  /** Text of a successful result. */
  readonly text: string | undefined;
  /** Error of a call that failed. */
  readonly problem?: string | undefined;
}

/** Next step of a request that needs several. */
export type DemoStep =
  | { readonly kind: "call"; readonly toolName: string; readonly params: JsonObject }
  | { readonly kind: "answer"; readonly text: string };
