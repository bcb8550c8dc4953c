import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { MemorySearch } from "@openclaw/plugin-sdk/plugin-entry";

/** A memory that knows one thing, for the memory slot. */
export interface NoteMemory {
  /** Its id is `notes`. */
  readonly plugin: PluginDefinition;
  readonly text: string;
  /** Received searches, oldest first. */
  readonly asked: readonly MemorySearch[];
  readonly searches: number;
}

/** Makes a memory that answers every search with the same note. */
export function noteMemory(): NoteMemory {
  const text = "Ada likes tea.";
  const asked: MemorySearch[] = [];
  return {
    text,
    asked,
    get searches() {
      return asked.length;
    },
    plugin: {
      id: "notes",
      kind: "memory",
      register(api) {
        api.registerMemoryCapability({
          runtime: {
            async search(search) {
              asked.push(search);
              return [{ id: "note-1", text, score: 1, source: "notes" }];
            },
          },
        });
      },
    },
  };
}
