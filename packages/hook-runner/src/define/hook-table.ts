import { nearestNames } from "@openclaw/foundation";
import { UnknownHookError } from "../errors.js";
import { Hook } from "./hook.js";

/** The hooks of a runner by name. */
export class HookTable {
  private readonly hooks: ReadonlyMap<string, Hook>;
  private readonly aliases: ReadonlyMap<string, string>;

  /** @throws HookDefinitionError */
  constructor(
    definitions: Readonly<Record<string, object>>,
    aliases: Readonly<Record<string, string>> = {},
  ) {
    const named = Object.entries(definitions).map(
      ([name, definition]) =>
        [name, new Hook(name, Object.fromEntries(Object.entries(definition)))] as const,
    );
    this.hooks = new Map(named);
    this.aliases = new Map(Object.entries(aliases));
  }

  all(): readonly Hook[] {
    return [...this.hooks.values()];
  }

  /** @throws UnknownHookError, with `owner` if given */
  get(name: unknown, owner: string | undefined): Hook {
    const hook = this.hooks.get(String(name));
    if (hook === undefined) throw this.unknown(String(name), owner);
    return hook;
  }

  unknown(name: string, owner: string | undefined): UnknownHookError {
    const aliased = this.aliases.get(name);
    const close = aliased === undefined ? nearestNames(name, this.hooks.keys()) : [aliased];
    return new UnknownHookError(name, owner, close);
  }
}
