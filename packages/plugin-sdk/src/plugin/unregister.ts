/** Removes a registration; safe to call twice, and usable with `using`. */
export interface Unregister extends Disposable {
  (): void;
}
