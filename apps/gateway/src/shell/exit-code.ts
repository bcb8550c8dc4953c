/**
 * Exit statuses of the command line, which scripts rely on (GW-044); the status of an error follows from its
 * kind.
 */
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

/** Exit status of the command line. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
