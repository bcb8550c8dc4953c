import type { ProgramTable } from "./program-table.js";
import { SEARCH_PROGRAMS } from "./search-programs.js";
import { SYSTEM_PROGRAMS } from "./system-programs.js";
import { TEXT_PROGRAMS } from "./text-programs.js";

/**
 * Programs that run without approval, with every word they may have; `find`, `sed`, `test` and `tar` are
 * parsed separately.
 */
export const PROGRAM_TABLES: ReadonlyMap<string, ProgramTable> = new Map(
  Object.entries({ ...SEARCH_PROGRAMS, ...SYSTEM_PROGRAMS, ...TEXT_PROGRAMS }),
);
