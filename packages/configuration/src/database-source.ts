import type { LocatedValue } from "./located-value.js";

/** File name of a value that is stored in the database. */
export const DATABASE = "database settings";

/**
 * Returns the command or file that stored a value in the database; undefined for a value of a file.
 * @param value - located value of the configuration
 */
export function databaseSource({ place }: LocatedValue): string | undefined {
  return place.file.startsWith(`${DATABASE} (`)
    ? place.file.slice(DATABASE.length + 2, -1)
    : undefined;
}
