// The host of the benchmarks that measure it in process. It is TypeScript, so that the check of types finds options that a
// benchmark no longer gives right; Node runs the file as it is.
import { type Log, openHost } from "@openclaw/gateway";
import type { ModelProvider } from "@openclaw/plugin-sdk";

type HostOptions = Parameters<typeof openHost>[0];

/** Options that differ between benchmarks. */
type BenchHostOptions = Pick<HostOptions, "state" | "store" | "inlinePlugins"> & {
  readonly provider: ModelProvider;
  /** Section `channels` of the configuration. */
  readonly channels?: HostOptions["configuration"]["value"]["channels"];
  /** Section `jobs` of the configuration. */
  readonly jobs?: HostOptions["configuration"]["value"]["jobs"];
  /** Section `routines` of the configuration. */
  readonly routines?: HostOptions["configuration"]["value"]["routines"];
};

/**
 * Opens a host without configuration and extensions, which prints its warnings and errors.
 * @param options - folders, store and plugins, and the provider of its model
 */
export function openBenchHost({
  provider,
  channels,
  jobs,
  routines,
  ...options
}: BenchHostOptions) {
  return openHost({
    version: "0.0.0",
    configuration: {
      value: {
        ...(channels && { channels }),
        ...(jobs && { jobs }),
        ...(routines && { routines }),
      },
      file: undefined,
      warnings: [],
      locate: () => undefined,
    },
    workspaceDir: options.state.workspaceDir,
    bundledExtensions: [],
    providers: [provider],
    model: `${provider.id}/${provider.defaultModel}`,
    environment: {},
    log: warningLog(),
    ...options,
  });
}

function warningLog(): Log {
  const ignore = () => undefined;
  const print = (message: string) => console.error(message);
  return {
    logger: () => ({ debug: ignore, info: ignore, warn: print, error: print }),
    redactWith: ignore,
    redact: (value) => value,
    findSecrets: () => [],
    setLevels: ignore,
    onLine: () => ignore,
    unwritten: () => [],
    close: ignore,
  };
}
