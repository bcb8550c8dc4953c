import { VALIDATION_RULES } from "../rules/built-in/validation.js";
import { compileScanner } from "../rules/scanner.js";
import { withoutInvisible } from "../text/invisible.js";

/** Maximum number of code points of a string (SAFE-034). */
const MOST_CODE_POINTS = 100_000;
/** Maximum nesting depth of parameters (SAFE-036). */
const DEEPEST = 32;
const findOddities = compileScanner(VALIDATION_RULES);
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

export interface ValidationOptions {
  /** Maximum number of code points of one string; default 100 000. */
  readonly maxLength?: number | undefined;
  /** Wording that is rejected in any case, also when invisible characters split it. */
  readonly forbidden?: readonly string[] | undefined;
}

/**
 * Reason to reject a value. `field` is a path such as `metadata.tags[1]`, empty for a text by
 * itself.
 */
export interface ValidationError {
  readonly code: "Empty" | "TooLong" | "InvalidEncoding" | "ForbiddenContent" | "SuspiciousPattern";
  readonly field: string;
  readonly message: string;
}

/** Unusual property of a value that is not a reason to reject it. */
export interface ValidationWarning {
  /** ID of the rule that found it. */
  readonly rule: string;
  readonly field: string;
  readonly message: string;
}

export interface Validation {
  readonly valid: boolean;
  readonly errors: readonly ValidationError[];
  readonly warnings: readonly ValidationWarning[];
}

/**
 * Checks length, encoding and forbidden wording of a text (SAFE-034), and warns of unusual
 * properties (SAFE-035).
 */
export function validateText(text: string, options: ValidationOptions = {}): Validation {
  const checks = new Checks(options);
  if (text === "") checks.reject("Empty", "", "is empty; expected at least one character");
  checks.text("", text);
  return checks.result();
}

/**
 * Checks every string in a tool's parameters, including keys, and the nesting depth (SAFE-036).
 * Empty strings are valid.
 * @param params - JSON value
 */
export function validateParameters(params: unknown, options: ValidationOptions = {}): Validation {
  const checks = new Checks(options);
  checks.value("", params, 0);
  return checks.result();
}

class Checks {
  readonly #errors: ValidationError[] = [];
  readonly #warnings: ValidationWarning[] = [];
  readonly #maxLength: number;
  readonly #forbidden: readonly string[];

  constructor({ maxLength = MOST_CODE_POINTS, forbidden = [] }: ValidationOptions) {
    this.#maxLength = maxLength;
    this.#forbidden = forbidden.map((wording) => wording.toLowerCase());
  }

  reject(code: ValidationError["code"], field: string, problem: string): void {
    this.#errors.push({ code, field, message: `${nameOf(field)} ${problem}` });
  }

  result(): Validation {
    return { valid: this.#errors.length === 0, errors: this.#errors, warnings: this.#warnings };
  }

  text(field: string, text: string): void {
    const length = codePointsOf(text, this.#maxLength);
    if (length > this.#maxLength) {
      this.reject(
        "TooLong",
        field,
        `has ${length} characters; at most ${this.#maxLength} are allowed`,
      );
    }
    this.wording(field, text);
    for (const { subject } of findOddities(text)) {
      this.#warnings.push({
        rule: subject.id,
        field,
        message: `${nameOf(field)} has ${subject.title}`,
      });
    }
  }

  /** Applies the checks that strings and keys share. */
  wording(field: string, text: string): void {
    if (text.includes("\0")) {
      this.reject("InvalidEncoding", field, "has a NUL character, which text cannot contain");
    }
    if (this.#forbidden.length === 0) return;
    const plain = withoutInvisible(text).toLowerCase();
    const wording = this.#forbidden.find((forbidden) => plain.includes(forbidden));
    if (wording !== undefined) {
      this.reject(
        "ForbiddenContent",
        field,
        `contains the forbidden wording ${JSON.stringify(wording)}`,
      );
    }
  }

  value(field: string, value: unknown, depth: number): void {
    if (typeof value === "string") this.text(field, value);
    if (typeof value !== "object" || value === null) return;
    if (depth >= DEEPEST) {
      this.reject("SuspiciousPattern", field, `is nested more than ${DEEPEST} levels deep`);
      return;
    }
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) {
        this.value(`${field}[${index}]`, element, depth + 1);
      }
      return;
    }
    for (const [key, member] of Object.entries(value)) {
      const path = memberPath(field, key);
      this.wording(path, key);
      this.value(path, member, depth + 1);
    }
  }
}

/** Returns the path of a member, in brackets when its key is not an identifier. */
export function memberPath(field: string, key: string): string {
  if (!IDENTIFIER.test(key)) return `${field}[${JSON.stringify(key)}]`;
  return field === "" ? key : `${field}.${key}`;
}

function nameOf(field: string): string {
  return field === "" ? "the text" : field;
}

/** Counts code points only when the number of code units exceeds the maximum. */
function codePointsOf(text: string, maximum: number): number {
  if (text.length <= maximum) return text.length;
  let surrogatePairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) !== text.codePointAt(index)) surrogatePairs += 1;
  }
  return text.length - surrogatePairs;
}
