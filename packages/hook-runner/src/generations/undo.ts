/** Takes back what the call that returned it did; calling it again does nothing. Disposable with `using`. */
export type Undo = (() => void) & Disposable;

export function undoable(undo: () => void): Undo {
  return Object.assign(undo, { [Symbol.dispose]: undo });
}
