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
  ["PLUGIN_NOT_FOUND", EXIT.notFound],
  ["HOOK_NOT_FOUND", EXIT.notFound],
  ["TOOL_NOT_FOUND", EXIT.notFound],
  ["SESSION_NOT_FOUND", EXIT.notFound],
  ["APPROVAL_NOT_FOUND", EXIT.notFound],
  ["GRANT_NOT_FOUND", EXIT.notFound],
  ["APPROVAL_ALREADY_DECIDED", EXIT.negative],
  ["APPROVAL_MISMATCH", EXIT.negative],
  ["DECISION_NOT_ALLOWED", EXIT.negative],
  ["NOT_AUTHORIZED_TO_APPROVE", EXIT.notPermitted],
  ["POLICY_DECISION_NOT_FOUND", EXIT.notFound],
  ["RUN_NOT_FOUND", EXIT.notFound],
  ["RUN_NOT_REPLAYABLE", EXIT.notFound],
  ["POLICY_CASES_INVALID", EXIT.usage],
  ["PLUGIN_INSTALL_REFUSED", EXIT.negative],
  ["PLUGIN_MISSING", EXIT.notFound],
  ["GATEWAY_UNREACHABLE", EXIT.unreachable],
  ["STATE_LOCKED", EXIT.busy],
  ["DATABASE_IN_USE", EXIT.busy],
  ["SESSION_BUSY", EXIT.busy],
  ["PORT_TAKEN", EXIT.busy],
  ["STATE_FOLDER_UNUSABLE", EXIT.notPermitted],
  ["GATEWAY_UNAUTHORIZED", EXIT.notPermitted],
  ["CONFIG_INVALID", EXIT.configuration],
  ["POLICY_CONFIG_INVALID", EXIT.configuration],
  ["SCHEMA_TOO_NEW", EXIT.configuration],
  ["MIGRATION_CHANGED", EXIT.configuration],
  ["DATABASE_INCOMPLETE", EXIT.configuration],
  ["STORE_ARGUMENT", EXIT.usage],
  ["COPY_REFUSED", EXIT.negative],
  ["BACKUP_REFUSED", EXIT.negative],
  ["SESSION_ARCHIVE_REFUSED", EXIT.negative],
]);

/**
 * The exit status that an error ends the process with.
 * @param error - anything that was thrown
 */
export function exitCodeOf(error: unknown): ExitCode {
  if (typeof error !== "object" || error === null) return EXIT.error;
  // What a running gateway refused ends as it would have in this process.
  const refused = "reason" in error ? exitOfError.get(String(error.reason)) : undefined;
  const code = "code" in error ? exitOfError.get(String(error.code)) : undefined;
  return refused ?? code ?? EXIT.error;
}
