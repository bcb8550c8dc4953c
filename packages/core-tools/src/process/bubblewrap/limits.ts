import { totalmem } from "node:os";

const GIBIBYTE = 1024 ** 3;
/** Processes and threads in the sandbox. */
export const MOST_PROCESSES = 2048;
const MOST_MEMORY = 8 * GIBIBYTE;
/** Share of the machine's memory that one process may use. */
const MEMORY_SHARE = 0.75;
const MOST_FILE = 8 * GIBIBYTE;
/** Unit of the limit for files in a POSIX shell. */
const BLOCK = 512;
/** Size of a temporary file system of the sandbox, which is stored in memory. */
export const MOST_TEMPORARY = GIBIBYTE;
const SHELL = "/bin/sh";

/** Limits of one sandbox; those of commands when absent. */
export interface SandboxLimits {
  /** Memory of each process. */
  readonly memoryBytes?: number | undefined;
  readonly processes?: number | undefined;
}

/**
 * Returns the words that start a program with limits for processes, the memory of each process, and the size of a file. The
 * limit for processes is set inside the sandbox, where it counts those of the sandbox alone; it does not hold for root.
 * @param program - absolute
 * @param words - words after it
 * @param most - memory of each process, and number of processes
 */
export function limitedWords(
  program: string,
  words: readonly string[],
  { memoryBytes = MOST_MEMORY, processes = MOST_PROCESSES }: SandboxLimits = {},
): readonly string[] {
  const memory = Math.floor(Math.min(memoryBytes, totalmem() * MEMORY_SHARE) / 1024);
  const limits = [
    // Shells name this limit differently.
    `ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null`,
    `ulimit -d ${memory} 2>/dev/null`,
    `ulimit -f ${MOST_FILE / BLOCK} 2>/dev/null`,
    'exec "$@"',
  ];
  return [SHELL, "-c", limits.join("; "), "sh", program, ...words];
}
