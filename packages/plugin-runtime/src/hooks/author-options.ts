import type { HookOptions } from "@openclaw/plugin-sdk";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import { HOOK_CATALOG } from "../catalog/catalog.js";
import type { HookEntryPoint } from "./name.js";
import { changesReplies, isReplyPreview, type OpenReplyPreview } from "./reply-preview.js";

/** Handler options in the form of the hook engine. */
export interface EngineOptions
  extends Pick<
    HookOptions,
    | "priority"
    | "timeoutMs"
    | "mode"
    | "onTimeout"
    | "retry"
    | "maxConcurrency"
    | "scope"
    | "id"
    | "name"
  > {
  condition?: (event: object, context: object) => unknown;
  /** Option `preview` of a handler that may change replies. */
  annotation?: OpenReplyPreview;
}

/** The options of an author, sorted by use. */
export interface AuthorOptions {
  readonly engine: EngineOptions;
  readonly description?: string;
  /** False only for `register: false`. */
  readonly active: boolean;
  /** Keys without effect here. */
  readonly unknown: readonly string[];
  /** True when any option belongs to the 2026.9 vintage only. */
  readonly vintage: boolean;
}

const ENGINE_KEYS = new Set<string>([
  "priority",
  "timeoutMs",
  "mode",
  "onTimeout",
  "retry",
  "maxConcurrency",
  "scope",
  "condition",
  "id",
  "name",
] satisfies (keyof HookOptions)[]);

/** Options of `registerHook` alone (LIFE-043). */
const REGISTER_HOOK_KEYS = new Set(["description", "entry", "register"]);

/** Options of the 2026.9 vintage, and a check whether they apply to a value and hook (LIFE-023). */
const VINTAGE_KEYS: Readonly<
  Record<string, (value: unknown, hook: CataloguedHookName) => boolean>
> = {
  registrationId: (value) => typeof value === "string",
  matcher: (_value, hook) => HOOK_CATALOG[hook].contextGroup === "tool",
  eligibleTriggers: Array.isArray,
  eligibleDispatchKinds: Array.isArray,
};

/**
 * Sorts the options of an author: options of the engine, options of an older vintage under their
 * present name, and options without effect (LIFE-022, LIFE-023, LIFE-043).
 * @param options - the third argument of the registrar; own properties only
 * @param hook - the hook of the handler
 * @param entryPoint - the method that received them
 */
export function readAuthorOptions(
  options: Readonly<Record<string, unknown>>,
  hook: CataloguedHookName,
  entryPoint: HookEntryPoint,
): AuthorOptions {
  const listed = entryPoint === "registerHook" ? options : {};
  const engine: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (ENGINE_KEYS.has(key)) engine[key] = detached(value);
    else if (key === "preview" && isReplyPreview(value) && changesReplies(hook)) {
      engine.annotation = value;
    } else if (!isKnown(key, value, hook, entryPoint)) unknown.push(key);
  }
  if (engine.id === undefined && typeof options.registrationId === "string") {
    engine.id = options.registrationId;
  }
  if (!unknown.includes("matcher")) addMatcher(engine, options.matcher);
  addEligibility(engine, options);
  const entry = hookOfEntry(listed.entry);
  if (engine.name === undefined && typeof entry?.name === "string") engine.name = entry.name;
  const description = listed.description ?? entry?.description;
  return {
    // The engine validates the types and ranges of its own options (HOOK-004).
    engine: engine as EngineOptions,
    ...(typeof description === "string" ? { description } : {}),
    active: listed.register !== false,
    unknown,
    vintage: Object.keys(VINTAGE_KEYS).some(
      (key) => options[key] !== undefined && !unknown.includes(key),
    ),
  };
}

function isKnown(
  key: string,
  value: unknown,
  hook: CataloguedHookName,
  entryPoint: HookEntryPoint,
): boolean {
  if (entryPoint === "registerHook" && REGISTER_HOOK_KEYS.has(key)) return true;
  return Object.hasOwn(VINTAGE_KEYS, key) && VINTAGE_KEYS[key]?.(value, hook) === true;
}

/** A copy that the author cannot change between check and use. */
function detached(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(detached);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, detached(part)]));
}

/** A matcher lists exact tool names; tool names in the author's scope override it. */
function addMatcher(engine: Record<string, unknown>, matcher: unknown): void {
  if (matcher === undefined) return;
  const scope = (engine.scope ?? {}) as Record<string, unknown>;
  const named = typeof matcher === "string" ? [matcher] : matcher;
  if (scope.toolNames === undefined) engine.scope = { ...scope, toolNames: named };
}

function addEligibility(
  engine: Record<string, unknown>,
  { eligibleTriggers, eligibleDispatchKinds }: Readonly<Record<string, unknown>>,
): void {
  const rules: ((event: object, context: object) => boolean)[] = [];
  if (Array.isArray(eligibleTriggers)) {
    rules.push((event, context) => eligibleTriggers.includes(field("trigger", context, event)));
  }
  if (Array.isArray(eligibleDispatchKinds)) {
    // A dispatch without a kind is not excluded by a kind.
    rules.push((event, context) => {
      const kind = field("dispatchKind", context, event);
      return kind === undefined || eligibleDispatchKinds.includes(kind);
    });
  }
  if (rules.length === 0) return;
  const own = engine.condition as ((event: object, context: object) => unknown) | undefined;
  engine.condition = (event: object, context: object) =>
    rules.every((rule) => rule(event, context)) && (own === undefined || own(event, context));
}

function field(name: string, ...holders: object[]): unknown {
  for (const holder of holders) {
    const value = (holder as Record<string, unknown>)[name];
    if (value !== undefined) return value;
  }
  return undefined;
}

function hookOfEntry(entry: unknown): { name?: unknown; description?: unknown } | undefined {
  if (typeof entry !== "object" || entry === null || !("hook" in entry)) return undefined;
  return typeof entry.hook === "object" && entry.hook !== null ? entry.hook : undefined;
}
