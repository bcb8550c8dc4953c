import type { CataloguedHookName, HookMap } from "@openclaw/plugin-sdk/hooks";
import type { ContextGroups } from "./context.js";
import type { CatalogFields, EventFields } from "./field.js";
import type { MergeRules } from "./merge.js";

/** Timeout of a handler that may decide or rewrite, in milliseconds (D5). */
export const DECISION_DEADLINE_MS = 15_000;

/** Timeout of a handler that may replace the host's work, in milliseconds. */
export const TAKEOVER_DEADLINE_MS = 60_000;

/** Timeout of a handler that only observes, in milliseconds (D5). */
export const OBSERVATION_DEADLINE_MS = 30_000;

/** Default effect of a failed handler: it is skipped and logged, or the hook denies. */
export type HookFailureDefault = "open" | "closed";

type Shape<Name extends CataloguedHookName> = HookMap[Name];
type Result<Name extends CataloguedHookName> = NonNullable<Shape<Name>["result"]>;

/** The shared context type of a hook, and the fields that its context adds. */
type ContextOf<Context> = {
  [Group in keyof ContextGroups]: Context extends ContextGroups[Group]
    ? keyof ContextGroups[Group] extends keyof Context
      ? {
          readonly contextGroup: Group;
          readonly context: CatalogFields<Omit<Context, keyof ContextGroups[Group]>>;
        }
      : never
    : never;
}[keyof ContextGroups];

interface Described<Name extends CataloguedHookName> {
  readonly kind: Shape<Name>["kind"];
  /** When the hook fires and what a handler may do, in one sentence. */
  readonly summary: string;
  /** The steps of the host's pipelines at which it fires, for example `X4`. */
  readonly step: string;
  readonly event: EventFields<Shape<Name>["event"]>;
  readonly failure: HookFailureDefault;
}

/** A terminal value: a result that holds it ends the dispatch (HOOK-012). */
export type TerminalRule<Result> = {
  readonly [Field in keyof Result]-?: {
    readonly field: Field;
    readonly value: NonNullable<Result[Field]>;
  };
}[keyof Result];

interface Answering<Name extends CataloguedHookName> {
  readonly result: CatalogFields<Result<Name>>;
  /** Effect of a failure under `fail-closed` on the step, in one sentence (HCR-003, HCR-004). */
  readonly closedFailure: string;
}

interface Merging<Name extends CataloguedHookName> extends Answering<Name> {
  readonly merge: MergeRules<Result<Name>>;
  /**
   * Event fields that change with a merged field, unless only the field of the same name changes;
   * an undefined one is removed.
   */
  readonly rewrites?: {
    readonly [Field in keyof Result<Name>]?: (
      merged: NonNullable<Result<Name>[Field]>,
      event: Shape<Name>["event"],
    ) => Readonly<Record<string, unknown>>;
  };
  /**
   * The denial that results from a failure under `fail-closed`; absent where the step fails
   * instead.
   */
  readonly deny?: (reason: string) => Result<Name>;
  /** True where `null` and `{}` are invalid results rather than no result. */
  readonly emptyResultFails?: boolean;
}

interface Timed {
  readonly deadlineMs: number;
}

interface Behaviours<Name extends CataloguedHookName> {
  observe: Timed;
  claim: Timed & Answering<Name>;
  rewrite: Timed & Merging<Name>;
  decide: Timed & Merging<Name> & { readonly terminal: readonly TerminalRule<Result<Name>>[] };
  sync: Merging<Name> & { readonly terminal?: readonly TerminalRule<Result<Name>>[] };
}

/**
 * Everything that the host knows of one hook: the values of a row of the catalog. Its fields are
 * checked against the `HookMap`: a missing or unknown field, a wrong type, presence or kind does
 * not compile.
 */
export type HookCatalogEntry<Name extends CataloguedHookName> = Described<Name> &
  Behaviours<Name>[Shape<Name>["kind"]] &
  ContextOf<Shape<Name>["context"]>;

/** The entries of some hooks, complete. */
export type HookCatalogEntries<Names extends CataloguedHookName> = {
  readonly [Name in Names]: HookCatalogEntry<Name>;
};
