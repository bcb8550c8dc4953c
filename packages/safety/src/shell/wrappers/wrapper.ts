import type { WrapperOptions } from "./options.js";

/** How a program runs the command in its words. */
export interface Wrapper extends WrapperOptions {
  /** Words between the options and the command. */
  readonly operands?: number;
  /** Whether `NAME=value` words stand before the command. */
  readonly assignments?: boolean;
  /** Whether options may also stand behind those words. */
  readonly lateOptions?: boolean;
  /** Whether the words are joined and read by a shell. */
  readonly joined?: boolean;
  /** Options whose value is shell code. */
  readonly code?: readonly string[];
  /** Options whose value is split into words that stand before the rest. */
  readonly split?: readonly string[];
  /** Options with which nothing is run. */
  readonly inert?: readonly string[];
  /** Whether unknown words are added behind the command at run time. */
  readonly appends?: boolean;
}
