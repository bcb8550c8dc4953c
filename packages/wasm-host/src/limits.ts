import { WasmSettingError } from "./errors.js";

/** Limits of one call of a component (WASM-015). */
export interface ComponentLimits {
  /** Bytes of all its memories together. */
  readonly memoryBytes: number;
  /** Units of fuel. */
  readonly fuel: number;
  /** Time by the clock in milliseconds, with the time of the host's functions. */
  readonly wallClockMs: number;
  readonly tables: number;
  readonly tableElements: number;
  readonly instances: number;
  readonly logLines: number;
  /** Bytes of one line. */
  readonly logBytes: number;
  readonly httpRequests: number;
  readonly toolInvocations: number;
  /** Messages that one callback of a channel emits. */
  readonly emittedMessages: number;
}

/** Limits that hold unless the environment or a call overrides them. */
export const DEFAULT_LIMITS: ComponentLimits = {
  memoryBytes: 10 * 1024 * 1024,
  fuel: 10_000_000,
  wallClockMs: 60_000,
  tables: 10,
  tableElements: 10_000,
  instances: 10,
  logLines: 1000,
  logBytes: 4096,
  httpRequests: 50,
  toolInvocations: 20,
  emittedMessages: 100,
};

/** Most units of fuel that a limit may allow, so that they are exact numbers. */
const MAX_FUEL = 1_000_000_000_000;
const MAX_SECONDS = 600;

/**
 * Returns the limits with those of the environment: `WASM_DEFAULT_FUEL_LIMIT` and `WASM_DEFAULT_TIMEOUT_SECS`.
 * @param environment - variables of the process
 * @throws WasmSettingError for a value that is not a whole number in its range
 */
export function limitsOf(
  environment: Readonly<Record<string, string | undefined>>,
): ComponentLimits {
  const fuel = wholeNumber(environment, "WASM_DEFAULT_FUEL_LIMIT", MAX_FUEL);
  const seconds = wholeNumber(environment, "WASM_DEFAULT_TIMEOUT_SECS", MAX_SECONDS);
  return {
    ...DEFAULT_LIMITS,
    fuel: fuel ?? DEFAULT_LIMITS.fuel,
    wallClockMs: seconds === undefined ? DEFAULT_LIMITS.wallClockMs : seconds * 1000,
  };
}

function wholeNumber(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  maximum: number,
): number | undefined {
  const text = environment[name]?.trim();
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > maximum) {
    throw new WasmSettingError(name, text, `a whole number from 1 to ${maximum}`);
  }
  return value;
}
