import { InvalidParameterError } from "../errors.js";
import { DEFAULT_AGENT, OWNER_USER, type Owner } from "../owner.js";
import type { MemoryServices } from "../services.js";

/** Options of every command. */
export interface CommandOptions {
  readonly json?: boolean;
  /** Agent whose documents are meant; default `main`. */
  readonly agent?: string;
  /** User whose documents are meant; default the owner of the host. */
  readonly user?: string;
}

/** Opens the memory, runs a command, and closes it. */
export type RunCommand = (work: (memory: MemoryServices) => Promise<void>) => Promise<void>;

/** @param options - options of a command */
export function ownerOfOptions({
  agent = DEFAULT_AGENT,
  user = OWNER_USER,
}: CommandOptions): Owner {
  return { agent, user };
}

/**
 * Returns the number of an option.
 * @param name - name of the option
 * @param otherwise - value when it is absent
 * @throws InvalidParameterError
 */
export function numberOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new InvalidParameterError(`--${name}`, `expected a number, got ${JSON.stringify(text)}`);
}
