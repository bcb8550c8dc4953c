/** What went wrong, in its own words; code may throw anything. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
