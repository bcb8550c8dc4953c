import type { ValueSchema } from "@openclaw/foundation";
import { badEntry } from "../checks/layer.js";
import type { PolicyEntry } from "../layers/layer.js";
import {
  type PolicyProblem,
  type PolicyProblemCode,
  type PolicyWarning,
  type PolicyWarningCode,
  placeOf,
} from "../layers/problem.js";
import {
  formatKeyPath,
  type KeyPath,
  type PolicyLocation,
  type PolicySource,
} from "../layers/source.js";
import { readEntry } from "../matching/entry.js";
import { fits, type Shape } from "./shape.js";

/** Returns the location of a value in a configuration document. */
export type Locate = (path: KeyPath) => PolicyLocation | undefined;

/** Problems and warnings found while reading the configuration. */
export interface Findings {
  readonly errors: PolicyProblem[];
  readonly warnings: PolicyWarning[];
}

/** One value of a configuration document and its location. Keys are own properties only. */
export class ConfigNode<Value> {
  readonly value: Value;
  readonly path: KeyPath;
  readonly #locate: Locate;
  readonly #findings: Findings;

  /**
   * @param value - the value at `path`, which fits its schema
   * @param path - steps from the root of the document
   * @param locate - locates values of the document
   * @param findings - receives problems and warnings
   */
  constructor(value: Value, path: KeyPath, locate: Locate, findings: Findings) {
    this.value = value;
    this.path = path;
    this.#locate = locate;
    this.#findings = findings;
  }

  /** Location of the value. */
  get source(): PolicySource {
    return this.sourceOf(this.path);
  }

  /** Returns the location of the value at another path of the document. */
  sourceOf(path: KeyPath): PolicySource {
    return { ...this.#locate(path), key: formatKeyPath(path) };
  }

  /** Returns the value under a key of the schema; undefined if it is absent. */
  get<Members extends object, Key extends keyof Members & string>(
    this: ConfigNode<Members>,
    key: Key,
  ): ConfigNode<NonNullable<Members[Key]>> | undefined {
    if (!Object.hasOwn(this.value, key)) return undefined;
    const value = this.value[key];
    return value === undefined || value === null ? undefined : this.#child(key, value);
  }

  /** Returns the value under a key that the schema does not have; undefined if it is absent. */
  stray(this: ConfigNode<object>, key: string): ConfigNode<unknown> | undefined {
    return Object.hasOwn(this.value, key) ? this.#child(key, undefined) : undefined;
  }

  /** Returns the members of an object with free keys. */
  entries<Item>(
    this: ConfigNode<Readonly<Record<string, Item>>>,
  ): readonly (readonly [string, ConfigNode<Item>])[] {
    return Object.entries(this.value).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, this.#child(key, value)] as const],
    );
  }

  /** Returns the elements of a list. */
  elements<Item>(this: ConfigNode<readonly Item[]>): readonly ConfigNode<Item>[] {
    return this.value.map((value, index) => this.#child(index, value));
  }

  /** Returns this node with the type of a schema; undefined if the value does not fit. */
  fitting<const Schema extends ValueSchema>(schema: Schema): ConfigNode<Shape<Schema>> | undefined {
    const { value } = this;
    return fits(value, schema)
      ? new ConfigNode<Shape<Schema>>(value, this.path, this.#locate, this.#findings)
      : undefined;
  }

  /** Returns a list of entries with their locations; bad entries are reported and omitted. */
  list(this: ConfigNode<readonly string[]>): readonly PolicyEntry[] {
    return this.value.flatMap((value, index) => {
      const source = { ...this.#locate([...this.path, index]), key: formatKeyPath(this.path) };
      const { fault } = readEntry(value);
      if (fault === undefined) return [{ value, source }];
      this.#findings.errors.push(badEntry(source, fault));
      return [];
    });
  }

  /** Reports a problem that makes the configuration unusable. */
  error(code: PolicyProblemCode, message: string, suggestion: string): void {
    this.#findings.errors.push({ code, ...placeOf(this.source), message, suggestion });
  }

  /** Reports a probable mistake. */
  notice(code: PolicyWarningCode, message: string, suggestion: string): void {
    const place = placeOf(this.source);
    this.#findings.warnings.push({ code, severity: "notice", ...place, message, suggestion });
  }

  #child<Child>(key: string | number, value: Child): ConfigNode<Child> {
    return new ConfigNode(value, [...this.path, key], this.#locate, this.#findings);
  }
}
