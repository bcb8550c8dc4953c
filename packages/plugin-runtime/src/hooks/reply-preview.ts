import type { CataloguedHookName, HookContext, ReplyPreview } from "@openclaw/plugin-sdk/hooks";

/** Hooks that may change a reply, in the order in which a reply passes them. */
export const REPLY_HOOKS = [
  "transform_response",
  "before_dispatch",
  "message_sending",
] as const satisfies readonly CataloguedHookName[];

/** Option `preview` of a handler. */
export type OpenReplyPreview = (
  context: Partial<HookContext<(typeof REPLY_HOOKS)[number]>>,
) => ReplyPreview | undefined;

/** Returns true for a hook whose handlers may have the option `preview`. */
export function changesReplies(hook: CataloguedHookName): boolean {
  const hooks: readonly CataloguedHookName[] = REPLY_HOOKS;
  return hooks.includes(hook);
}

/**
 * Returns true for the option `preview` of a handler.
 * @param value - annotation of a handler
 */
export function isReplyPreview(value: unknown): value is OpenReplyPreview {
  return typeof value === "function";
}

/**
 * Runs the previews of a handler as its plugin.
 * @param open - option of the handler
 * @param run - runs a function in the scope of the plugin
 */
export function previewInScope(
  open: OpenReplyPreview,
  run: <Result>(work: () => Result) => Result,
): OpenReplyPreview {
  return (context) => {
    const preview = run(() => open(context));
    if (preview === undefined) return undefined;
    return {
      push: (delta) => run(() => preview.push(delta)),
      flush: () => run(() => preview.flush()),
    };
  };
}
