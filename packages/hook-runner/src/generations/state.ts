import type { Hook } from "../define/hook.js";
import type { Interceptor } from "../define/interceptor.js";
import { type Owner, UNKNOWN_OWNER } from "../define/owner.js";
import type { Registration } from "../define/registration.js";

const NONE: readonly never[] = [];

/**
 * Input of the dispatch lists of a generation. Immutable: a change creates another state, so a
 * transaction is a state that is not visible yet, and rolling it back discards it.
 */
export class GenerationState {
  static readonly empty = new GenerationState(new Map(), new Map(), new Map());

  private constructor(
    private readonly registrations: ReadonlyMap<Hook, readonly Registration[]>,
    private readonly owners: ReadonlyMap<string, Owner>,
    private readonly interceptors: ReadonlyMap<string, readonly Interceptor[]>,
  ) {}

  /** In the order of registration. */
  registrationsOf(hook: Hook): readonly Registration[] {
    return this.registrations.get(hook) ?? NONE;
  }

  owner(name: string): Owner {
    return this.owners.get(name) ?? UNKNOWN_OWNER;
  }

  /** In the order they were installed. */
  interceptorsOf(owner: string): readonly Interceptor[] {
    return this.interceptors.get(owner) ?? NONE;
  }

  /** Returns true when the list of `hook` built from the other state would be the same. */
  agreesOn(hook: Hook, other: GenerationState): boolean {
    const registrations = this.registrationsOf(hook);
    return (
      registrations === other.registrationsOf(hook) &&
      registrations.every(
        ({ owner }) =>
          this.owner(owner) === other.owner(owner) &&
          this.interceptorsOf(owner) === other.interceptorsOf(owner),
      )
    );
  }

  with(registration: Registration): GenerationState {
    const { hook } = registration;
    return this.withRegistrations(hook, [...this.registrationsOf(hook), registration]);
  }

  without(registration: Registration): GenerationState {
    const { hook } = registration;
    const before = this.registrationsOf(hook);
    const after = before.filter((each) => each !== registration);
    return after.length === before.length ? this : this.withRegistrations(hook, after);
  }

  withOwner(name: string, owner: Owner): GenerationState {
    return new GenerationState(
      this.registrations,
      new Map(this.owners).set(name, owner),
      this.interceptors,
    );
  }

  withInterceptor(owner: string, interceptor: Interceptor): GenerationState {
    return this.withInterceptors(owner, [...this.interceptorsOf(owner), interceptor]);
  }

  withoutInterceptor(owner: string, interceptor: Interceptor): GenerationState {
    const left = this.interceptorsOf(owner).filter((each) => each !== interceptor);
    return this.withInterceptors(owner, left);
  }

  private withRegistrations(hook: Hook, list: readonly Registration[]): GenerationState {
    const registrations = new Map(this.registrations).set(hook, list);
    return new GenerationState(registrations, this.owners, this.interceptors);
  }

  private withInterceptors(owner: string, list: readonly Interceptor[]): GenerationState {
    const interceptors = new Map(this.interceptors).set(owner, list);
    return new GenerationState(this.registrations, this.owners, interceptors);
  }
}
