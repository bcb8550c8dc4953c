/** Words in which the dialects differ. They are part of every checksum, so an entry never changes. */
export interface SchemaWords {
  /** Type of a column that numbers the rows in the order they were written. */
  readonly identity: string;
  /** Type of a whole number up to 2^53. */
  readonly integer: string;
  /** Type of a text, which is sorted by its bytes. */
  readonly text: string;
  /** Follows the column list of a table. */
  readonly table: string;
  /** Follows the column list of a table whose rows lie in the order of its primary key. */
  readonly clusteredTable: string;
}

/** One step of the schema. Once released it never changes; a later step corrects it. */
export interface Migration {
  /** Four digits and a few words, in the order of application. */
  readonly name: string;
  /** The SQL statements, one per entry. */
  statements(words: SchemaWords): readonly string[];
}
