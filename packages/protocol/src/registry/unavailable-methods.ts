const JOBS = "this gateway does not offer this part of jobs yet";
const ROUTINES = "this gateway does not run routines on a schedule yet";

/**
 * Methods of parts that this gateway does not have yet, with the reason (CHAN-032). Clients of the earlier web gateway
 * have the operations, and are told that a call is well formed but has no effect here. A part that is added implements
 * its methods and removes them from this table.
 */
const UNAVAILABLE_METHODS: Readonly<Record<string, string>> = {
  "jobs.files": JOBS,
  "jobs.file": JOBS,
  "jobs.prompt": JOBS,
  "cron.list": ROUTINES,
  "cron.summary": ROUTINES,
  "cron.get": ROUTINES,
  "cron.runs": ROUTINES,
  "cron.run": ROUTINES,
  "cron.update": ROUTINES,
  "cron.remove": ROUTINES,
};

/**
 * Returns the reason why a method is not available.
 * @param name - name from a caller
 * @returns undefined for a method that no part of the gateway will have
 */
export function unavailabilityOf(name: string): string | undefined {
  return Object.hasOwn(UNAVAILABLE_METHODS, name) ? UNAVAILABLE_METHODS[name] : undefined;
}
