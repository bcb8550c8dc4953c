import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** Thrown for a parameter of a memory tool or command that cannot be used (MEM-035). */
export class InvalidParameterError extends OpenClawError {
  static override readonly code = "MEMORY_INVALID_PARAMETER";
  static override readonly kind = "invalid";
  readonly field: string;

  /**
   * @param field - name of the parameter
   * @param problem - reason, and the expected value
   */
  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`);
    this.field = field;
  }
}

/** Thrown when a document, space, connection or fact does not exist. */
export class MemoryNotFoundError extends OpenClawError {
  static override readonly code = "MEMORY_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly field: string;

  /**
   * @param field - name of the parameter that names it
   * @param what - kind and name of the missing thing, for example `document "a.md"`
   * @param nextStep - advice for finding an existing one
   */
  constructor(field: string, what: string, nextStep: string) {
    super(`${field}: ${what} not found; ${nextStep}`);
    this.field = field;
  }
}

/** Thrown when an embedding provider returned vectors that cannot be used. */
export class EmbeddingInvalidError extends OpenClawError {
  static override readonly code = "MEMORY_EMBEDDING_INVALID";
  static override readonly kind = "unavailable";

  /** @param problem - reason why the vectors cannot be used */
  constructor(problem: string) {
    super(
      `the embedding provider returned vectors that cannot be used: ${problem}; its chunks stay pending and are sent again later`,
    );
  }
}

/** Thrown when a file or folder cannot be imported. */
export class ImportFailedError extends OpenClawError {
  static override readonly code = "MEMORY_IMPORT_FAILED";
  static override readonly kind = "invalid";

  /**
   * @param path - file or folder
   * @param problem - reason, and what was expected
   * @param options - `cause` is the error of the file system
   */
  constructor(path: string, problem: string, options?: { cause?: unknown }) {
    super(`${path} was not imported: ${problem}`, options);
  }
}
