import { isRecord } from "@openclaw/plugin-sdk/kit";
import { closest, distance } from "fastest-levenshtein";
import type { DefinitionProblem, FoundProblem } from "../errors.js";

/** Collects the mistakes of a source, so that all are reported at once. */
export class Problems {
  readonly found: FoundProblem[] = [];

  /**
   * Adds a mistake.
   * @param problem - rule that is broken
   * @param path - place in the file
   * @param message - problem, and the value to write
   */
  add(problem: DefinitionProblem, path: string, hook: string | undefined, message: string): void {
    this.found.push({ problem, path, hook, message });
  }
}

/** Place of a definition in its source. */
export interface Place {
  readonly path: string;
  /** Name of the hook, once it is known. */
  readonly hook: string | undefined;
}

/**
 * Reads the fields of one object. Names may be written with underscores or in camel case; unknown ones are reported
 * with the nearest known one.
 */
export class Fields {
  readonly #values = new Map<string, unknown>();
  readonly #place: Place;
  readonly #problems: Problems;

  /**
   * @param known - names of its fields in camel case
   * @param place - place for messages
   * @param problems - receives the mistakes
   */
  constructor(value: object, known: readonly string[], place: Place, problems: Problems) {
    this.#place = place;
    this.#problems = problems;
    const names = new Map(known.map((name) => [plain(name), name]));
    for (const [key, field] of Object.entries(value)) {
      const name = names.get(plain(key));
      if (name !== undefined) this.#values.set(name, field);
      else this.report("InvalidField", key, `unknown field${nearest(key, known)}`);
    }
  }

  /** @param name - field */
  get(name: string): unknown {
    return this.#values.get(name);
  }

  /** @param name - field */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /**
   * Returns a string; undefined, and a problem unless it is absent, for another value.
   * @param name - field
   */
  text(name: string): string | undefined {
    const value = this.#values.get(name);
    if (value === undefined || typeof value === "string") return value;
    this.report("InvalidField", name, `expected a string, got ${kindOf(value)}`);
    return undefined;
  }

  /**
   * Returns a boolean.
   * @param name - field
   * @param fallback - value of an absent field
   */
  flag(name: string, fallback: boolean): boolean {
    const value = this.#values.get(name);
    if (value === undefined) return fallback;
    if (typeof value === "boolean") return value;
    this.report("InvalidField", name, `expected true or false, got ${kindOf(value)}`);
    return fallback;
  }

  /**
   * Returns a list of strings, which may be written as one string.
   * @param name - field
   */
  texts(name: string): readonly string[] | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    if (typeof value === "string") return [value];
    if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
    this.report("InvalidField", name, `expected a string or a list of strings`);
    return undefined;
  }

  /**
   * Returns an object whose values are strings.
   * @param name - field
   */
  record(name: string): Readonly<Record<string, string>> | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    if (isRecord(value)) {
      const entries = Object.entries(value);
      if (entries.every((entry): entry is [string, string] => typeof entry[1] === "string")) {
        return Object.fromEntries(entries);
      }
    }
    this.report("InvalidField", name, "expected an object whose values are strings");
    return undefined;
  }

  /**
   * Reports a mistake of a field.
   * @param problem - rule that is broken
   * @param field - name, as part of a path
   * @param message - problem
   */
  report(problem: DefinitionProblem, field: string, message: string): void {
    const { path, hook } = this.#place;
    this.#problems.add(problem, field === "" ? path : `${path}.${field}`, hook, message);
  }
}

/**
 * Returns a hint with the nearest name, or nothing when none is near.
 * @param name - name as written
 * @param known - valid names
 */
export function nearest(name: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const found = closest(name, known);
  const limit = Math.max(2, Math.floor(found.length / 3));
  return distance(plain(name), plain(found)) <= limit ? `; did you mean "${found}"?` : "";
}

/** Describes a value of a wrong type. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (value === undefined) return "nothing";
  if (typeof value === "object") return "an object";
  return typeof value === "number" ? String(value) : `a ${typeof value}`;
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}
