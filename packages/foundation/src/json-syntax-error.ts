import { OpenClawError } from "./open-claw-error.js";

/** Position in a text; both numbers start at 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A text is not JSON5. */
export class Json5SyntaxError extends OpenClawError {
  static override readonly code = "JSON5_SYNTAX";
  static override readonly kind = "invalid";
  readonly line: number;
  readonly column: number;

  /**
   * @param problem - description, for example `Unexpected token '}' found`
   * @param place - position at which the text stops being JSON5
   */
  constructor(problem: string, { line, column }: TextPlace, cause: unknown) {
    super(problem, { cause });
    this.line = line;
    this.column = column;
  }
}
