/** Reads and writes one field of a view. */
export interface FieldAccess<View> {
  get(view: View, name: string): unknown;
  set(view: View, name: string, value: unknown): void;
  /** Whether this view has the field. */
  has(view: View, name: string): boolean;
}

/** Far more names than any host has; beyond it fields still read, only slower. */
const MAX_ACCESSORS = 1024;

/**
 * Makes the views of a class answer for any field, without paying per field when one is made.
 *
 * Fields become accessors on the class the first time one is read. Until then a read falls through
 * the prototype chain to a proxy, which looks it up and defines the accessor, so handlers run at
 * the speed of ordinary getters, and a view costs the same whatever the event holds. All views of
 * all hooks are of one class: building one of many classes per handler costs ten times as much.
 * The price: names show up on the class, so `in` answers `true` for every name; `toJSON()` of a view
 * tells which fields it really has.
 */
export function answerEveryField<View extends object>(
  prototype: View,
  access: FieldAccess<View>,
): void {
  let accessors = 0;
  const define = (name: string): void => {
    accessors += 1;
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: View) {
        return access.get(this, name);
      },
      set(this: View, value: unknown) {
        access.set(this, name, value);
      },
    });
  };
  // Members of Object.prototype (toString, constructor …) stay what they are.
  const isField = (target: object, name: string | symbol): name is string =>
    typeof name === "string" && !(name in target);

  const unread: ProxyHandler<object> = {
    get(target, name, view) {
      if (!isField(target, name)) return Reflect.get(target, name, view);
      if (!access.has(view, name)) return undefined;
      if (accessors < MAX_ACCESSORS) define(name);
      return access.get(view, name);
    },
    set(target, name, value, view) {
      if (!isField(target, name) || !access.has(view, name)) {
        return Reflect.defineProperty(view, name, {
          value,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      }
      access.set(view, name, value);
      return true;
    },
    has: () => true,
    // Assertion libraries ask the prototypes for a property before they read it.
    getOwnPropertyDescriptor: (target, name) =>
      isField(target, name)
        ? { configurable: true, get: () => undefined }
        : Reflect.getOwnPropertyDescriptor(target, name),
  };
  Object.setPrototypeOf(prototype, new Proxy({}, unread));
}
