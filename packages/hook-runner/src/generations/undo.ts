/** Undoes the call that returned it; further calls have no effect. Disposable with `using`. */
export type Undo = (() => void) & Disposable;

export function undoable(undo: () => void): Undo {
  return Object.assign(undo, { [Symbol.dispose]: undo });
}
