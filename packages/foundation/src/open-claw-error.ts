import { ERROR_KINDS, type ErrorKind, type ErrorKindMapping, isErrorKind } from "./error-kind.js";

const BRAND = Symbol.for("openclaw.error");

interface ErrorClass {
  readonly code: string;
}

/** The cause of an error, and the advice that its message ends with. */
export interface OpenClawErrorOptions {
  /** Underlying error. */
  readonly cause?: unknown;
  /** Code of this error, for a class whose errors differ; by default the code of the class. */
  readonly code?: string | undefined;
  /**
   * Kind of this error, for example the kind that a remote host reported; by default the kind of the class.
   */
  readonly kind?: ErrorKind | undefined;
}

/**
 * Base class of every error that an OpenClaw package throws on purpose. Each subclass has a stable `code` and
 * a `kind`; HTTP status, wire code and exit code follow from the kind. `Subclass.isInstance(value)`
 * recognises an error across two loaded copies of a package (SDK-017).
 */
export class OpenClawError extends Error {
  static readonly code: string = "OPENCLAW_ERROR";
  static readonly kind: ErrorKind = "internal";
  /**
   * Overrides single codes of the table of kinds for the errors of a class. An exit code is overridden only
   * for errors that never cross the wire, because a client derives it from the kind.
   */
  static readonly surface: Partial<ErrorKindMapping> = {};
  readonly code: string;
  readonly kind: ErrorKind;

  static {
    // On the prototype, so that creating an error costs nothing more and its own properties are only its
    // data.
    Object.defineProperty(OpenClawError.prototype, BRAND, {
      get(this: OpenClawError) {
        return brandOfClass(this.constructor);
      },
    });
  }

  /**
   * @param message - the failed component, the expected and actual values, and the next step
   * @param options - `cause` keeps the underlying error
   */
  constructor(message: string, options: OpenClawErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code ?? new.target.code;
    this.kind = options.kind ?? new.target.kind;
  }

  /**
   * Returns true for an error of this class, created by any copy of the package.
   * @param value - thrown value
   */
  static isInstance<E extends OpenClawError>(
    this: ErrorClass & { prototype: E },
    value: unknown,
  ): value is E {
    return isErrorOfClass(value, this.code);
  }
}

/**
 * Returns true for an error of the class with a code, or of its subclasses, without importing the class.
 * @param value - thrown value
 * @param classCode - static `code` of the class
 */
export function isErrorOfClass(value: unknown, classCode: string): boolean {
  return brandOf(value)?.codes.includes(classCode) === true;
}

/**
 * Returns the HTTP status of an error; 500 for anything that is not an {@link OpenClawError}.
 * @param error - thrown value
 */
export function httpStatusOf(error: unknown): ErrorKindMapping["httpStatus"] {
  return surfaceOf(error).httpStatus;
}

/**
 * Returns the code that an error has in an error frame of the wire protocol (GW-021).
 * @param error - thrown value
 */
export function wireCodeOf(error: unknown): string {
  return surfaceOf(error).wireCode;
}

/**
 * Returns the exit code of a process that ends with an error (GW-044).
 * @param error - thrown value
 */
export function exitCodeOf(error: unknown): ErrorKindMapping["exitCode"] {
  return surfaceOf(error).exitCode;
}

interface Brand {
  /** Codes of the class and of those it extends. */
  readonly codes: readonly string[];
  readonly surface: Partial<ErrorKindMapping>;
}

function surfaceOf(error: unknown): ErrorKindMapping {
  const brand = brandOf(error);
  if (brand === undefined) return ERROR_KINDS.internal;
  const kind = (error as { kind?: unknown }).kind;
  return { ...ERROR_KINDS[isErrorKind(kind) ? kind : "internal"], ...brand.surface };
}

function brandOf(value: unknown): Brand | undefined {
  if (typeof value !== "object" || value === null || !(BRAND in value)) return undefined;
  const brand = value[BRAND];
  return typeof brand === "object" && brand !== null ? (brand as Brand) : undefined;
}

const brands = new WeakMap<object, Brand>();

function brandOfClass(errorClass: object): Brand {
  const known = brands.get(errorClass);
  if (known !== undefined) return known;
  const surface = "surface" in errorClass ? (errorClass.surface as Brand["surface"]) : {};
  const brand = { codes: codesOf(errorClass), surface };
  brands.set(errorClass, brand);
  return brand;
}

/** Returns the codes of the class and its superclasses; a class without its own code adds none. */
function codesOf(errorClass: object): readonly string[] {
  const codes = new Set<string>();
  for (
    let current: unknown = errorClass;
    typeof current === "function" && "code" in current;
    current = Object.getPrototypeOf(current)
  ) {
    codes.add(String(current.code));
  }
  return [...codes];
}
