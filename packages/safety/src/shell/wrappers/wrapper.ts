import type { WrapperOptions } from "./options.js";

/** Way in which a program runs the command in its words. */
export interface Wrapper extends WrapperOptions {
  /** Number of words between the options and the command. */
  readonly operands?: number;
  /** True when `NAME=value` words may precede the command. */
  readonly assignments?: boolean;
  /** True when options may also follow those words. */
  readonly lateOptions?: boolean;
  /** True when the words are joined and read by a shell. */
  readonly joined?: boolean;
  /** Options whose value is shell code. */
  readonly code?: readonly string[];
  /** Options whose value is split into words before the other words. */
  readonly split?: readonly string[];
  /** Options with which nothing runs. */
  readonly inert?: readonly string[];
  /** True when unknown words are appended to the command at run time. */
  readonly appends?: boolean;
}
