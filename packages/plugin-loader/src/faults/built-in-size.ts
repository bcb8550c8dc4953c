// Taken before the first plugin runs, since a plugin may replace these too.
const { ownKeys } = Reflect;
const { getOwnPropertySymbols } = Object;
const OBJECT_PROTOTYPE = Object.prototype;

/** Numbers of properties of an object, which show that some were added. */
export interface Size {
  readonly own: number;
  /** Enumerable properties, own and inherited, whose keys are strings. */
  readonly enumerable: number;
  readonly symbols: number;
}

/** Returns the numbers of properties of an object. */
export function sizeOf(object: object): Size {
  return {
    own: ownKeys(object).length,
    enumerable: enumerableIn(object),
    symbols: getOwnPropertySymbols(object).length,
  };
}

/**
 * Returns true when nothing was added to an object that other code sees: an addition of a name that no loop sees counts
 * only where all objects inherit it. Counting what is enumerable takes a tenth of the time that listing all keys takes. It
 * would call the traps of a proxy, so the prototypes of the object have to be those of before.
 */
export function hasSize(object: object, { own, enumerable, symbols }: Size): boolean {
  if (object === OBJECT_PROTOTYPE) return ownKeys(object).length === own;
  return enumerableIn(object) === enumerable && getOwnPropertySymbols(object).length === symbols;
}

/** Returns the number of enumerable properties, own and inherited, whose keys are strings. */
export function enumerableIn(object: object): number {
  let count = 0;
  for (const _key in object) count += 1;
  return count;
}
