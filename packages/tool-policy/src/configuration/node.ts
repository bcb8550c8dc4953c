import { didYouMean, nearestName } from "@openclaw/foundation";
import { badEntry, notAList } from "../checks/layer.js";
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

/** Finds where a value of a configuration document is written. */
export type Locate = (path: KeyPath) => PolicyLocation | undefined;

/** What is found while configuration is read. */
export interface Findings {
  readonly errors: PolicyProblem[];
  readonly warnings: PolicyWarning[];
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return value === null ? "null" : `a ${typeof value}`;
}

/** One value of a configuration document together with its place. Keys are own properties only. */
export class ConfigNode {
  readonly value: unknown;
  readonly path: KeyPath;
  readonly #locate: Locate;
  readonly #findings: Findings;

  /**
   * @param value - the value at `path`
   * @param path - steps from the root of the document
   * @param locate - of the document
   * @param findings - receives what is wrong
   */
  constructor(value: unknown, path: KeyPath, locate: Locate, findings: Findings) {
    this.value = value;
    this.path = path;
    this.#locate = locate;
    this.#findings = findings;
  }

  /** Where the value is written. */
  get source(): PolicySource {
    return this.sourceOf(this.path);
  }

  /** Where the value at another path of the document is written. */
  sourceOf(path: KeyPath): PolicySource {
    return { ...this.#locate(path), key: formatKeyPath(path) };
  }

  /** The value under a key; nothing if it is absent. */
  member(key: string): ConfigNode | undefined {
    if (!isObject(this.value) || !Object.hasOwn(this.value, key)) return undefined;
    const value = this.value[key];
    return value === undefined ? undefined : this.#child(key, value);
  }

  /** The value under a key; nothing if it is absent or null, as an empty section is. */
  get(key: string): ConfigNode | undefined {
    const member = this.member(key);
    return member?.value === null ? undefined : member;
  }

  /** The value under several keys in a row. */
  find(...keys: readonly string[]): ConfigNode | undefined {
    let node: ConfigNode | undefined = this;
    for (const key of keys) node = node?.get(key);
    return node;
  }

  /** The members of an object; anything else but an object is reported. */
  entries(): readonly (readonly [string, ConfigNode])[] {
    if (!isObject(this.value)) {
      this.error(
        "POLICY_BAD_VALUE",
        `expected an object, got ${kindOf(this.value)}`,
        "write keys and values",
      );
      return [];
    }
    return Object.entries(this.value).map(
      ([key, value]) => [key, this.#child(key, value)] as const,
    );
  }

  /** The members of an object whose values are objects too; for sections with other owners. */
  sections(): readonly (readonly [string, ConfigNode])[] {
    return isObject(this.value) ? this.entries().filter(([, node]) => isObject(node.value)) : [];
  }

  /** A text; anything else is reported. */
  text(): string | undefined {
    if (typeof this.value === "string" && this.value.trim() !== "") return this.value;
    this.error(
      "POLICY_BAD_VALUE",
      `expected text, got ${this.value === "" ? "empty text" : kindOf(this.value)}`,
      "write a name",
    );
    return undefined;
  }

  /** A list of entries with their places; each bad entry is reported and left out. */
  list(): readonly PolicyEntry[] | undefined {
    if (!Array.isArray(this.value)) {
      this.#findings.errors.push(notAList(this.source, this.value));
      return undefined;
    }
    return this.value.flatMap((value: unknown, index) => {
      const source = { ...this.#locate([...this.path, index]), key: formatKeyPath(this.path) };
      const reading = readEntry(value);
      if (reading.fault === undefined) return [{ value: reading.value, source }];
      this.#findings.errors.push(badEntry(source, reading.fault));
      return [];
    });
  }

  /**
   * Reports every key that is not among the known ones.
   * @param known - keys that may stand here
   */
  rejectUnknown(known: readonly string[]): void {
    for (const [key, node] of this.entries()) {
      if (known.includes(key)) continue;
      const near = nearestName(key, known);
      node.error(
        "POLICY_UNKNOWN_KEY",
        `there is no key "${key}" here`,
        didYouMean(near) ?? `use one of ${known.join(", ")}`,
      );
    }
  }

  /** Reports something that makes the configuration unusable. */
  error(code: PolicyProblemCode, message: string, suggestion: string): void {
    this.#findings.errors.push({ code, ...placeOf(this.source), message, suggestion });
  }

  /** Reports something that was probably meant. */
  notice(code: PolicyWarningCode, message: string, suggestion: string): void {
    const place = placeOf(this.source);
    this.#findings.warnings.push({ code, severity: "notice", ...place, message, suggestion });
  }

  #child(key: string, value: unknown): ConfigNode {
    return new ConfigNode(value, [...this.path, key], this.#locate, this.#findings);
  }
}
