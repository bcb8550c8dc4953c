/** What the command line's exit status says; scripts rely on it (GW-044). */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  negative: 3,
  notFound: 4,
  unreachable: 69,
  busy: 75,
  notPermitted: 77,
  configuration: 78,
  interrupted: 130,
} as const;

/** An exit status of the command line. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const exitOfError = new Map<string, ExitCode>([
  ["USAGE", EXIT.usage],
  ["MODEL_NOT_FOUND", EXIT.notFound],
  ["GATEWAY_UNREACHABLE", EXIT.unreachable],
  ["STATE_LOCKED", EXIT.busy],
  ["PORT_TAKEN", EXIT.busy],
  ["STATE_FOLDER_UNUSABLE", EXIT.notPermitted],
  ["GATEWAY_UNAUTHORIZED", EXIT.notPermitted],
  ["CONFIG_INVALID", EXIT.configuration],
  ["POLICY_CONFIG_INVALID", EXIT.configuration],
  ["SCHEMA_TOO_NEW", EXIT.configuration],
]);

/**
 * The exit status that an error ends the process with.
 * @param error - anything that was thrown
 */
export function exitCodeOf(error: unknown): ExitCode {
  const code =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return exitOfError.get(String(code)) ?? EXIT.error;
}
