/**
 * Reference to a component that is created after the components that use it, for pairs that need each other.
 * It is connected once, before the host receives its first message.
 */
export class LatePort<Target> {
  readonly #name: string;
  #target: Target | undefined;

  /** @param name - name of the component, for the error message */
  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Connects the component.
   * @param target - the component
   */
  connect(target: Target): void {
    this.#target = target;
  }

  /**
   * Returns the connected component.
   * @throws Error before it is connected
   */
  get target(): Target {
    if (this.#target === undefined) throw new Error(`${this.#name} is not connected yet`);
    return this.#target;
  }
}
