/**
 * SQL fragments that differ between dialects. They are part of every checksum, so an entry never
 * changes.
 */
export interface SchemaWords {
  /** Type of a column that numbers the rows in insertion order. */
  readonly identity: string;
  /** Type of a whole number up to 2^53. */
  readonly integer: string;
  /** Type of text, sorted by its bytes. */
  readonly text: string;
  /** Suffix after the column list of a table. */
  readonly table: string;
  /**
   * Suffix after the column list of a table whose rows are stored in the order of its primary key.
   */
  readonly clusteredTable: string;
}

/** One step of the schema. Once released it never changes; a later step corrects it. */
export interface Migration {
  /** Four digits and a few words; migrations are applied in this order. */
  readonly name: string;
  /** The SQL statements, one per entry. */
  statements(words: SchemaWords): readonly string[];
}
