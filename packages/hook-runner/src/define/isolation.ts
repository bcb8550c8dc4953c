import type { Isolation } from "./definition.js";

/**
 * Deeply frozen plain data that was found before; it stays frozen, so entries remain valid. Objects inside the found
 * ones are left out: a conversation would have four entries for each of its messages.
 */
const frozenInDepth = new WeakSet<object>();

/** Returns a handler's copy of a value: its changes are not visible elsewhere (HOOK-038). */
export function isolate(value: object, isolation?: Isolation): object {
  if (isolation === "copy") return copyOf(value);
  if (isolation === "frozen") return frozen(value);
  if (isolation === "frozen-items" && Array.isArray(value)) {
    return value.map((item) => (typeof item === "object" && item !== null ? frozen(item) : item));
  }
  return Object.isFrozen(value) && isImmutable(value, false) ? value : copyOf(value);
}

/** Returns the value itself, deeply frozen, or a frozen copy if a part of it cannot be frozen. */
function frozen(value: object): object {
  return isImmutable(value, true) ? value : frozenCopyOf(value);
}

/**
 * Returns a deep copy of plain data: objects, arrays, dates, maps, sets and buffers, shared parts
 * and cycles included. Everything else (functions, class instances, streams) is passed unchanged.
 */
export function copyOf<T>(value: T): T;
export function copyOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? copyObject(value, undefined) : value;
}

/** Freezes a private copy of plain data at every depth. */
export function frozenCopyOf<T extends object>(value: T): T {
  const copy = copyOf(value);
  isImmutable(copy, true);
  return copy;
}

// `copies` is made at the first nested object only: flat data, the usual case, needs no map.
function copyObject(source: object, copies: Map<object, object> | undefined): object {
  const known = copies?.get(source);
  if (known !== undefined) return known;
  if (isPlainObject(source)) return copyPlainObject(source, copies);
  const copy = shallowCopyOf(source);
  if (copy === source) return source;
  copies?.set(source, copy);

  const nested = (value: object): object => {
    copies ??= new Map([[source, copy]]);
    return copyObject(value, copies);
  };
  if (Array.isArray(copy)) {
    for (let index = 0; index < copy.length; index += 1) {
      const value: unknown = copy[index];
      if (typeof value === "object" && value !== null) copy[index] = nested(value);
    }
  } else if (copy instanceof Map) {
    for (const [key, value] of source as Map<unknown, unknown>) {
      copy.set(
        typeof key === "object" && key !== null ? nested(key) : key,
        typeof value === "object" && value !== null ? nested(value) : value,
      );
    }
  } else if (copy instanceof Set) {
    for (const value of source as Set<unknown>) {
      copy.add(typeof value === "object" && value !== null ? nested(value) : value);
    }
  }
  return copy;
}

/** Copies a plain object. Kept short, because most copied values are flat plain objects. */
function copyPlainObject(
  source: Record<string, unknown>,
  copies: Map<object, object> | undefined,
): object {
  const copy: Record<string, unknown> =
    Object.getPrototypeOf(source) === null
      ? Object.assign(Object.create(null), source)
      : { ...source };
  copies?.set(source, copy);
  for (const key in copy) {
    const value = copy[key];
    if (key === "__proto__") {
      // An own one comes from parsed JSON; assigning it later would replace a prototype.
      Reflect.deleteProperty(copy, key);
    } else if (typeof value === "object" && value !== null) {
      copies ??= new Map<object, object>([[source, copy]]);
      copy[key] = copyObject(value, copies);
    }
  }
  return copy;
}

/**
 * Returns a new container of the same kind (maps and sets still empty), or `source` itself if it is
 * opaque.
 */
function shallowCopyOf(source: object): object {
  if (Array.isArray(source)) return source.slice();
  if (source instanceof Date) return new Date(source);
  if (source instanceof Map) return new Map();
  if (source instanceof Set) return new Set();
  if (source instanceof ArrayBuffer) return source.slice();
  if (source instanceof DataView) {
    const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    return new DataView(new Uint8Array(bytes).buffer);
  }
  // The method of all typed arrays, not `source.slice()`: a Node buffer's own would share the memory.
  if (ArrayBuffer.isView(source)) return Uint8Array.prototype.slice.call(source);
  return source;
}

/**
 * Returns true when no part of `value` is writable; with `freeze` its plain data is frozen first.
 */
function isImmutable(value: object, freeze: boolean): boolean {
  if (frozenInDepth.has(value)) return true;
  let immutable = true;
  const found = new Set<object>([value]);
  for (const container of found) {
    if (Array.isArray(container) || isPlainObject(container)) {
      if (freeze) Object.freeze(container);
      else if (!Object.isFrozen(container)) return false;
      for (const child of Object.values(container)) {
        if (typeof child === "object" && child !== null && !frozenInDepth.has(child)) {
          found.add(child);
        }
      }
    } else if (isMutableBuiltIn(container)) {
      immutable = false;
    }
  }
  if (immutable) remember(value);
  return immutable;
}

/** Remembers a value as frozen in depth, and the items of an array, which the next array often shares. */
function remember(value: object): void {
  frozenInDepth.add(value);
  if (!Array.isArray(value)) return;
  for (const item of value) {
    if (typeof item === "object" && item !== null) frozenInDepth.add(item);
  }
}

function isMutableBuiltIn(value: object): boolean {
  return (
    value instanceof Date ||
    value instanceof Map ||
    value instanceof Set ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
}

function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  // The last test also accepts plain objects of another realm.
  return (
    prototype === Object.prototype ||
    prototype === null ||
    (!(Symbol.toStringTag in value) && Object.getPrototypeOf(prototype) === null)
  );
}
