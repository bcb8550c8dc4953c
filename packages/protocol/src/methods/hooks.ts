import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const text = Type.String({ minLength: 1, maxLength: 200 });

/** Parameters of the hook methods, by name. */
export const hookMethodParameters = {
  "hooks.list": Type.Object({}, closed),
  "hooks.show": Type.Object(
    {
      hook: text,
      /** Circumstances in which handlers with a scope are asked about. */
      channel: Type.Optional(text),
      agentId: Type.Optional(text),
      toolName: Type.Optional(text),
    },
    closed,
  ),
};

/** Name of a hook method. */
export type HookMethod = keyof typeof hookMethodParameters;

/** Parameters of a hook method. */
export type HookMethodParameters<Method extends HookMethod> = Static<
  (typeof hookMethodParameters)[Method]
>;

/** A hook of the catalog, and how it was used so far (HOOK-050). */
export interface HookSummary {
  readonly hook: string;
  /** How handlers' results are used: observe, rewrite, decide, claim or sync. */
  readonly kind: string;
  /** Step of the host's pipelines at which it fires, for example `X4`. */
  readonly step: string;
  /** Lifecycle phase it stands for, if it does. */
  readonly phase?: string;
  /** Handlers that are active. */
  readonly handlers: number;
  readonly dispatched: number;
  readonly failed: number;
  readonly description: string;
  /** The plugins with active handlers, in the order of registration. */
  readonly plugins: readonly HookPlugin[];
}

/** What one plugin has to do with a hook (TURN-058). */
export interface HookPlugin {
  readonly pluginId: string;
  /** Its active handlers. */
  readonly handlers: number;
  /** How often one of them was called. */
  readonly fired: number;
}

/** A handler, and whether it would run (HOOK-051). */
export type HookHandler = {
  readonly pluginId: string;
  readonly source: string;
  readonly stage: string;
  readonly priority: number;
  /** How often it was called. */
  readonly fired: number;
} & (
  | {
      readonly runs: true;
      readonly mode: string;
      /** In milliseconds, with the level it comes from; absent where nothing is waited for. */
      readonly deadlineMs?: number;
      readonly deadlineFrom?: string;
    }
  | { readonly runs: false; readonly reason: string }
);

/** Results of the hook methods. */
export interface HookMethodResults {
  "hooks.list": { readonly hooks: readonly HookSummary[] };
  "hooks.show": HookSummary & { readonly order: readonly HookHandler[] };
}
