/** Prices of a model in USD per million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
}

/** Configuration of the plugin, with defaults applied by its manifest. */
export interface LobsterConfig {
  /** Time limit of a run in milliseconds when the caller gives none. */
  readonly timeoutMs: number;
  /** Largest time limit that a caller can choose, in milliseconds. */
  readonly maxTimeoutMs: number;
  /** Largest output of a run in bytes. */
  readonly maxStdoutBytes: number;
  /** Longest pipeline in characters. */
  readonly maxPipelineChars: number;
  /** Largest number of items that a stage can emit. */
  readonly maxItems: number;
  /** Number of runs that have a process at the same time. */
  readonly maxConcurrent: number;
  /** Time in milliseconds after which a suspended run expires. */
  readonly tokenTtlMs: number;
  readonly allowFiles: boolean;
  readonly allowSandboxed: boolean;
  readonly modelMayApprove: boolean;
  /** Folder of the workspace in which workflow files are found by their name. */
  readonly workflowsDir?: string;
  /** Names of environment variables of the gateway that runs receive. */
  readonly env?: readonly string[];
  readonly pricing?: Readonly<Record<string, Price>>;
}

/** Values of a configuration without entries; they equal the defaults of the manifest. */
export const DEFAULTS: LobsterConfig = {
  timeoutMs: 20_000,
  maxTimeoutMs: 600_000,
  maxStdoutBytes: 512_000,
  maxPipelineChars: 16_384,
  maxItems: 10_000,
  maxConcurrent: 4,
  tokenTtlMs: 604_800_000,
  allowFiles: true,
  allowSandboxed: false,
  modelMayApprove: false,
};

/** Limits of one run, after the caller's choices were bounded (LOB-006). */
export interface RunLimits {
  readonly timeoutMs: number;
  readonly maxStdoutBytes: number;
  readonly maxItems: number;
  /** Sentences about choices that were reduced. */
  readonly warnings: readonly string[];
}

/**
 * Returns the limits of a run.
 * @param chosen - limits that the caller chose
 * @param config - configuration of the plugin
 */
export function limitsOf(
  chosen: { readonly timeoutMs?: number | undefined; readonly maxStdoutBytes?: number | undefined },
  config: LobsterConfig,
): RunLimits {
  const warnings: string[] = [];
  const bounded = (name: string, value: number, most: number) => {
    if (value <= most) return value;
    warnings.push(`${name} ${value} is above the configured maximum; ${most} is used`);
    return most;
  };
  const { timeoutMs = Math.min(config.timeoutMs, config.maxTimeoutMs) } = chosen;
  const { maxStdoutBytes = config.maxStdoutBytes } = chosen;
  return {
    timeoutMs: bounded("timeoutMs", timeoutMs, config.maxTimeoutMs),
    maxStdoutBytes: bounded("maxStdoutBytes", maxStdoutBytes, config.maxStdoutBytes),
    maxItems: config.maxItems,
    warnings,
  };
}
