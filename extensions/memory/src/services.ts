import type { Notes } from "./documents/notes.js";
import type { Memory } from "./memory.js";

/** The memory, with the notes in the time zone of the configuration. */
export interface MemoryServices extends Memory {
  readonly notes: Notes;
}
