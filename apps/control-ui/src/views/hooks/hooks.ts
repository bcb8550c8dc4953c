import type { GatewayMethodResult, HookSummary } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { call, mayCall, onEvent } from "../../state/link.js";
import { watched } from "../../state/watched.js";

/** Hooks of the catalog, and those that are written as configuration. */
export interface HooksPage {
  readonly hooks: readonly HookSummary[];
  readonly configured: GatewayMethodResult<"hooks.configured">;
}

/** Hook of a page, and the call whose scopes its handlers are compared with. */
export interface HookQuestion {
  readonly hook: string;
  readonly agentId?: string;
  readonly channel?: string;
  readonly toolName?: string;
}

/** Hook of the page with its handlers. */
export type HookDetails = GatewayMethodResult<"hooks.show">;

/** Hooks of the gateway. */
export const hooks = watched(async (): Promise<HooksPage> => {
  const [listed, configured] = await Promise.all([
    call("hooks.list", {}),
    call("hooks.configured", {}),
  ]);
  return { hooks: listed.hooks, configured };
});

/** Hook to read, with circumstances; undefined while none is open. */
export const question = signal<HookQuestion | undefined>(undefined);
/** Hook of the page, with the circumstances that it was read for. */
export const details = watched(async () => {
  const asked = question.peek();
  if (asked === undefined || !mayCall("hooks.show")) return undefined;
  return { asked, answer: await call("hooks.show", asked) };
});

/** Returns what is unusual about a hook: handlers that never ran, or several plugins that rewrite one field. */
export function isUnusual({ plugins, rewrites, failed }: HookSummary): boolean {
  return failed > 0 || rewrites.length > 0 || plugins.some(({ fired }) => fired === 0);
}

const CHANGES = [
  ...(["plugins.changed", "config.changed", "approval.requested"] as const),
  ...(["tool.result", "chat.final", "chat.error"] as const),
];

for (const name of CHANGES) {
  onEvent(name, () => {
    hooks.refresh();
    details.refresh();
  });
}
