import type { CataloguedHookName, HookMap } from "@openclaw/plugin-sdk/hooks";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";

/**
 * An example handler of one hook, and its effect. Files with examples import types only:
 * scripts/reference.mjs loads them without a build, to show `register` on the hook's page.
 */
export interface HookExample<Name extends CataloguedHookName> {
  /** Registers the handler. The page shows its source, so it must not need type annotations. */
  register(api: OpenClawPluginApi): void;
  /** Fields of the sample event that the example depends on. */
  readonly event?: Partial<HookMap[Name]["event"]>;
  readonly context?: Partial<HookMap[Name]["context"]>;
  /** Merged result of a dispatch with this one handler. */
  readonly result?: HookMap[Name]["result"];
  /** Lines that the plugin logs, as `level: message`. */
  readonly logs?: readonly string[];
}

/** One example for each of the named hooks. */
export type HookExamples<Names extends CataloguedHookName> = {
  readonly [Name in Names]: HookExample<Name>;
};
