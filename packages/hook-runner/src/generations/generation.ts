import { HandlerEntry } from "../define/handler-entry.js";
import type { Hook } from "../define/hook.js";
import { inDispatchOrder, type RegistrationIdentity } from "../define/registration.js";
import { DispatchList, type InactiveRegistration } from "../dispatch/list.js";
import { GenerationState } from "./state.js";

/** Decision of a host's gate about a registration (HOOK-044). */
export type GateAnswer =
  | { readonly active: true }
  | { readonly active: false; readonly reason: string };

/**
 * Called for every registration of a hook whenever its list is built. If it throws, the change that
 * caused the build fails.
 */
export type RegistrationGate = (registration: RegistrationIdentity) => GateAnswer;

/**
 * The handlers that a turn begins with and keeps. Its lists change when a handler is registered or
 * unregistered outright (D18); a hot reload creates the next generation instead.
 */
export class Generation {
  /** Number of pins on it. */
  pins = 0;
  lists: ReadonlyMap<string, DispatchList>;

  constructor(
    readonly number: number,
    private readonly hooks: readonly Hook[],
    private readonly gate: RegistrationGate | undefined,
    private current: GenerationState,
  ) {
    this.lists = new Map(hooks.map((hook) => [hook.name, this.build(hook, current)]));
  }

  /** Returns the generation without its lists, for a released pin. */
  emptied(): Generation {
    return new Generation(this.number, [], undefined, GenerationState.empty);
  }

  get state(): GenerationState {
    return this.current;
  }

  /** Replaces the state, and all affected lists, at once (HOOK-040, HOOK-041). */
  replace(state: GenerationState): void {
    this.rebuild(state, (hook) => !state.agreesOn(hook, this.current));
    this.current = state;
  }

  /** Evaluates the gate again for every registration. */
  rebuildAll(): void {
    this.rebuild(this.current, () => true);
  }

  /** Swaps the lists only after all new ones are built, so a gate that throws changes nothing. */
  private rebuild(state: GenerationState, changes: (hook: Hook) => boolean): void {
    const lists = new Map(this.lists);
    for (const hook of this.hooks) {
      if (changes(hook)) lists.set(hook.name, this.build(hook, state));
    }
    this.lists = lists;
  }

  private build(hook: Hook, state: GenerationState): DispatchList {
    const entries: HandlerEntry[] = [];
    const inactive: InactiveRegistration[] = [];
    for (const registration of [...state.registrationsOf(hook)].sort(inDispatchOrder)) {
      const answer = this.gate?.(registration.identity) ?? { active: true };
      if (answer.active) {
        const { owner } = registration;
        entries.push(
          new HandlerEntry(registration, state.owner(owner), state.interceptorsOf(owner)),
        );
      } else {
        inactive.push({ registration, reason: answer.reason });
      }
    }
    return new DispatchList(hook, this.number, entries, inactive);
  }
}
