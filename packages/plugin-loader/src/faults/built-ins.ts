import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import type { BuiltInChange } from "./built-in-change.js";
import { enumerableIn, hasSize, type Size, sizeOf } from "./built-in-size.js";
import { NODE_GLOBALS, PROCESS_OBJECTS, ProcessParts } from "./process-parts.js";

// Taken before the first plugin runs, since a plugin may replace these too.
const {
  defineProperty,
  deleteProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isExtensible,
  ownKeys,
  setPrototypeOf,
} = Reflect;
const { hasOwn, is } = Object;
const describeKey = String;
const OBJECT_PROTOTYPE = Object.prototype;
const ARRAY_PROTOTYPE = Array.prototype;

/** Watched objects: those of the language, or also those that the process of a gateway has beyond it. */
export type WatchedScope = "language" | "process";

/**
 * Globals whose prototype and statics are watched. Others are watched in the process of a gateway only, because
 * tests replace them.
 */
const CONSTRUCTORS = [
  ...["Object", "Function", "Array", "String", "Number", "Boolean", "Symbol", "BigInt", "RegExp"],
  ...["Promise", "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "FinalizationRegistry"],
  ...["Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError"],
  ...["TypeError", "URIError", "ArrayBuffer", "SharedArrayBuffer", "DataView", "Uint8Array"],
  "Iterator",
];
const NAMESPACES = ["JSON", "Reflect"];
/** Settings of V8 that libraries change while they read a stack. */
const SETTINGS = ["Error.stackTraceLimit", "Error.prepareStackTrace"];

interface Property {
  readonly name: string;
  readonly key: PropertyKey;
  readonly descriptor: PropertyDescriptor;
  readonly isAccessor: boolean;
  readonly value: unknown;
}

interface BuiltIn {
  readonly name: string;
  readonly object: object;
  readonly prototype: object | null;
  readonly isExtensible: boolean;
  /** Numbers that show that properties were added; undefined where more of them change nothing for other code. */
  readonly size: Size | undefined;
  readonly properties: readonly Property[];
}

/**
 * The built-in objects of the language as they were at one moment. Comparing looks at values, not at flags of
 * properties, so that it takes some tens of microseconds.
 */
export class BuiltIns {
  readonly #objects: readonly BuiltIn[];
  readonly #process: ProcessParts | undefined;
  readonly #enumerable = inheritedByAll();

  /** @param scope - watched objects */
  constructor(scope: WatchedScope = "language") {
    this.#objects = builtInObjects(scope);
    this.#process = scope === "process" ? new ProcessParts() : undefined;
  }

  /**
   * Returns true when all objects and arrays inherit another number of enumerable properties than before: the
   * usual pollution, seen at the cost of a few nanoseconds.
   */
  isPolluted(): boolean {
    return inheritedByAll() !== this.#enumerable;
  }

  /** Returns the differences from that moment. It calls nothing that a plugin may have replaced. */
  changes(): readonly BuiltInChange[] {
    const found: BuiltInChange[] = [];
    let isChainKnown = true;
    for (let index = 0; index < this.#objects.length; index += 1) {
      const builtIn = this.#objects[index];
      if (builtIn === undefined || getPrototypeOf(builtIn.object) === builtIn.prototype) continue;
      isChainKnown = false;
      found[found.length] = replacedPrototype(builtIn);
    }
    for (let index = 0; index < this.#objects.length; index += 1) {
      const builtIn = this.#objects[index];
      if (builtIn !== undefined) collectChanges(builtIn, isChainKnown, found);
    }
    this.#process?.collect(found);
    return found;
  }
}

function replacedPrototype({ name, object, prototype }: BuiltIn): BuiltInChange {
  return {
    description: `the prototype of ${name} was replaced`,
    isInheritedByAll: false,
    restore: () => setPrototypeOf(object, prototype),
  };
}

function collectChanges(builtIn: BuiltIn, isChainKnown: boolean, found: BuiltInChange[]): void {
  const { name, object, properties, size } = builtIn;
  if (isExtensible(object) !== builtIn.isExtensible) {
    found[found.length] = {
      description: `${name} was frozen`,
      isInheritedByAll: false,
      restore: () => false,
    };
  }
  for (let index = 0; index < properties.length; index += 1) {
    const property = properties[index];
    if (property !== undefined && !isSame(object, property)) {
      found[found.length] = changeOf(object, property);
    }
  }
  if (size !== undefined && !(isChainKnown && hasSize(object, size))) {
    collectAdditions(builtIn, found);
  }
}

function collectAdditions(
  { name, object, size, properties }: BuiltIn,
  found: BuiltInChange[],
): void {
  const keys = ownKeys(object);
  if (keys.length === size?.own) return;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index];
    if (key === undefined || isKnown(properties, key) || isPolyfill(object, key)) continue;
    found[found.length] = {
      description: `${propertyName(name, key)} was added`,
      isInheritedByAll:
        (object === OBJECT_PROTOTYPE || object === ARRAY_PROTOTYPE) &&
        typeof key === "string" &&
        getOwnPropertyDescriptor(object, key)?.enumerable === true,
      restore: () => deleteProperty(object, key),
    };
  }
}

/** A polyfill adds a member that no loop sees, to the objects of one kind; nothing that exists changes. */
function isPolyfill(object: object, key: PropertyKey): boolean {
  return object !== OBJECT_PROTOTYPE && getOwnPropertyDescriptor(object, key)?.enumerable === false;
}

function isKnown(properties: readonly Property[], key: PropertyKey): boolean {
  for (let index = 0; index < properties.length; index += 1) {
    if (properties[index]?.key === key) return true;
  }
  return false;
}

/** Compares descriptors: reading the property would call an accessor that replaced it. */
function isSame(object: object, { key, descriptor, isAccessor, value }: Property): boolean {
  const now = getOwnPropertyDescriptor(object, key);
  if (now === undefined) return false;
  // A plugin may have added a field of descriptors to all objects.
  if (isAccessor)
    return hasOwn(now, "get") && now.get === descriptor.get && now.set === descriptor.set;
  return hasOwn(now, "value") && is(now.value, value);
}

function changeOf(object: object, { name, key, descriptor }: Property): BuiltInChange {
  const isThere = getOwnPropertyDescriptor(object, key) !== undefined;
  return {
    description: `${name} was ${isThere ? "replaced" : "removed"}`,
    isInheritedByAll: false,
    restore: () => defineProperty(object, key, descriptor),
  };
}

function builtInObjects(scope: WatchedScope): BuiltIn[] {
  const builtIns: BuiltIn[] = [];
  const add = (name: string, object: unknown, size?: Size) => {
    if ((typeof object !== "object" && typeof object !== "function") || object === null) return;
    if (builtIns.some((known) => known.object === object)) return;
    builtIns.push(readBuiltIn(name, object, size));
  };
  const addPrototype = (name: string, object: unknown) => {
    if (typeof object === "object" || typeof object === "function") {
      if (object !== null) add(name, object, sizeOf(object));
    }
  };
  const isProcess = scope === "process";
  // Node loads some of them when they are first read; a server uses them all.
  if (isProcess) for (const name of PROCESS_OBJECTS) Reflect.get(globalThis, name);
  const names = [...CONSTRUCTORS, ...NAMESPACES, ...(isProcess ? PROCESS_OBJECTS : [])].filter(
    isPlain,
  );
  for (const name of names) {
    const value = ownValue(globalThis, name);
    // More statics, such as those of a polyfill, leave the existing ones alone.
    add(name, value);
    if (typeof value === "function") {
      addPrototype(`${name}.prototype`, ownValue(value, "prototype"));
    }
  }
  for (const [name, object] of hiddenPrototypes()) addPrototype(name, object);
  // Reading others would load what Node offers lazily, such as fetch.
  const globals = isProcess ? [...new Set([...names, ...NODE_GLOBALS.filter(isPlain)])] : names;
  builtIns.push(readBuiltIn("globalThis", globalThis, undefined, globals));
  if (isProcess) {
    add("EventEmitter.prototype", EventEmitter.prototype);
    // Its global is an accessor.
    add("Buffer", Buffer);
    addPrototype("Buffer.prototype", Buffer.prototype);
  }
  return builtIns;
}

/** Node replaces an accessor of a global by its value when it is used first. */
function isPlain(name: string): boolean {
  return ownValue(globalThis, name) !== undefined;
}

/** Returns a property without calling an accessor that a plugin may have put there. */
function ownValue(object: object, key: PropertyKey): unknown {
  return getOwnPropertyDescriptor(object, key)?.value;
}

/** Prototypes without a global name. */
function hiddenPrototypes(): [name: string, object: unknown][] {
  const iterators = {
    Array: [].values(),
    Map: new Map().values(),
    Set: new Set().values(),
    String: ""[Symbol.iterator](),
  };
  async function asyncFunction() {}
  function* generator() {}
  async function* asyncGenerator() {}
  return [
    ...Object.entries(iterators).map(([name, iterator]): [string, unknown] => [
      `the prototype of iterators of ${name}`,
      getPrototypeOf(iterator),
    ]),
    ["the prototype of typed arrays", getPrototypeOf(Uint8Array.prototype)],
    ["the prototype of async functions", getPrototypeOf(asyncFunction)],
    ["the prototype of generators", getPrototypeOf(generator.prototype)],
    ["the prototype of async generators", getPrototypeOf(asyncGenerator.prototype)],
  ];
}

function readBuiltIn(
  name: string,
  object: object,
  size?: Size,
  keys: readonly PropertyKey[] = ownKeys(object),
): BuiltIn {
  return {
    name,
    object,
    prototype: getPrototypeOf(object),
    isExtensible: isExtensible(object),
    size,
    properties: keys.flatMap((key) => propertyOf(name, object, key)),
  };
}

function propertyOf(owner: string, object: object, key: PropertyKey): Property[] {
  const name = propertyName(owner, key);
  const descriptor = getOwnPropertyDescriptor(object, key);
  // Otherwise a field of descriptors that a plugin adds to all objects would make defining it throw.
  if (descriptor !== undefined) setPrototypeOf(descriptor, null);
  if (descriptor === undefined || SETTINGS.includes(name)) return [];
  const { value, get: getter, set: setter } = descriptor;
  const isAccessor = getter !== undefined || setter !== undefined;
  return [{ name, key, descriptor, isAccessor, value }];
}

function propertyName(owner: string, key: PropertyKey): string {
  return typeof key === "symbol" ? `${owner}[${describeKey(key)}]` : `${owner}.${key}`;
}

const EMPTY: readonly never[] = [];

function inheritedByAll(): number {
  return enumerableIn(EMPTY);
}
