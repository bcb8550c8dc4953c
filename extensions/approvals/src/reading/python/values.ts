/** Ends the reading: the program may do more than print values. */
export class NotReading extends Error {}

/** Facts about a value. */
export interface PythonValue {
  readonly isNumber?: boolean;
  /** Text of a literal without escapes. */
  readonly text?: string;
  /** True for any string literal. */
  readonly isLiteral?: boolean;
  /** Module or member of one, such as `os.path`, before it is used as a value. */
  readonly member?: string;
  /** True for a value that may be longer than what it was made of. */
  readonly grows?: boolean;
  /** Literal path of a `pathlib.Path`. */
  readonly path?: string;
  /** True for the type of a value, and for a class of exceptions. */
  readonly isType?: boolean;
  /** True for a function or class of the program, which may be called. */
  readonly isOwn?: boolean;
  /** Name that has the value. */
  readonly origin?: string;
}

/** Value of which nothing is known. */
export const VALUE: PythonValue = {};

/** Any number. */
export const NUMBER: PythonValue = { isNumber: true };

/**
 * Returns what is true of a value that could be more than its literal.
 * @param value - value of an expression
 */
export function withoutLiteral(value: PythonValue): PythonValue {
  const { text: _text, path: _path, isLiteral: _literal, ...others } = value;
  return others;
}
