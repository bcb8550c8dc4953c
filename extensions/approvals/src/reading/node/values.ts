/** Ends the reading: the program may do more than print values. */
export class NotReading extends Error {}

/** Facts about a value. */
export interface NodeValue {
  /** Text of a string literal. */
  readonly text?: string | undefined;
  /** Module or function of one, such as `fs.readFileSync`, which is not a value by itself. */
  readonly member?: string | undefined;
}

export const VALUE: NodeValue = {};
