const JOBS = "this gateway does not offer this part of jobs yet";

/**
 * Methods of parts that this gateway does not have yet, with the reason (CHAN-032). Clients of the earlier web gateway
 * have the operations, and are told that a call is well formed but has no effect here. A part that is added implements
 * its methods and removes them from this table.
 */
const UNAVAILABLE_METHODS: Readonly<Record<string, string>> = {
  "jobs.files": JOBS,
  "jobs.file": JOBS,
  "jobs.prompt": JOBS,
};

/**
 * Returns the reason why a method is not available.
 * @param name - name from a caller
 * @returns undefined for a method that no part of the gateway will have
 */
export function unavailabilityOf(name: string): string | undefined {
  return Object.hasOwn(UNAVAILABLE_METHODS, name) ? UNAVAILABLE_METHODS[name] : undefined;
}
