import type { OutputOptions } from "./output.js";

/** Rules and limits of a host for all inspections, from the section `safety` of its configuration. */
export interface SafetySettings extends OutputOptions {
  /** Maximum number of code points of a message; default 100,000 (SAFE-034). */
  readonly maxInputLength?: number | undefined;
  /** Strings that neither messages nor parameters of tools may contain (SAFE-034). */
  readonly forbidden?: readonly string[] | undefined;
  /** The only programs that shell commands may run; any program when absent (SAFE-048). */
  readonly binaries?: readonly string[] | undefined;
}
