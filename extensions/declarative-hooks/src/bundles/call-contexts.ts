import type { HookContext } from "@openclaw/plugin-sdk/hooks";

/** Maximum number of calls that are remembered. */
const MOST_CALLS = 1000;

/** Session and workspace of calls, for results that have only the ID of their call. */
export class CallContexts {
  readonly #contexts = new Map<string, HookContext<"before_tool_call">>();

  /**
   * Notes the context of a call.
   * @param id - ID of the call
   */
  note(id: string | undefined, context: HookContext<"before_tool_call">): void {
    if (id === undefined) return;
    this.#contexts.set(id, context);
    const [oldest] = this.#contexts.keys();
    if (this.#contexts.size > MOST_CALLS && oldest !== undefined) this.#contexts.delete(oldest);
  }

  /**
   * Returns the context of a call.
   * @param id - ID of the call
   */
  of(id: string | undefined): Partial<HookContext<"before_tool_call">> {
    return (id === undefined ? undefined : this.#contexts.get(id)) ?? {};
  }
}
