import { expectTypeOf, it } from "vitest";
import type { TABLES } from "../src/contexts.js";
import type { ContextDefinition } from "../src/database/context-definition.js";
import type { StoredTable } from "../src/database/schema.js";

interface NoteSchema {
  notes: { id: string; text: string };
}

const complete = { key: ["id"], retention: "kept", removal: "kept" } as const;

it("requires a context to define every table of its schema, with its key and both rules", () => {
  const parts = { migrations: [], retentionDays: {} };
  const notes: ContextDefinition<NoteSchema> = { ...parts, tables: { notes: complete } };
  expectTypeOf(notes.tables).toHaveProperty("notes");

  // @ts-expect-error a table is missing
  const _missing: ContextDefinition<NoteSchema> = { ...parts, tables: {} };
  const { retention: _, ...withoutRetention } = complete;
  // @ts-expect-error the retention rule is missing
  const _kept: ContextDefinition<NoteSchema> = { ...parts, tables: { notes: withoutRetention } };
  const { removal: __, ...withoutRemoval } = complete;
  // @ts-expect-error the removal rule is missing
  const _left: ContextDefinition<NoteSchema> = { ...parts, tables: { notes: withoutRemoval } };
  const keyless = { ...complete, key: ["name"] as const };
  // @ts-expect-error the key is not a column
  const _keyed: ContextDefinition<NoteSchema> = { ...parts, tables: { notes: keyless } };
});

it("requires every table of the database to be defined by a context", () => {
  expectTypeOf<keyof typeof TABLES>().toEqualTypeOf<StoredTable>();
});
