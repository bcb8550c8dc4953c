/** What a custom rule is told of the result it merges. */
export interface MergedFrom {
  /** Id of the plugin whose handler returned it. */
  readonly owner: string;
  /** Whether that result ended the dispatch. */
  readonly terminal: boolean;
}

/** A rule of its own for one field, with the words the reference page uses. */
export interface CustomMerge<Value> {
  readonly rule: string;
  merge(earlier: Value | undefined, next: Value, from: MergedFrom): Value;
}

/**
 * How the values that several handlers return for one field become one: `first` or `last` defined,
 * `concat` with a blank line between, `append` lists, `any` true, `intersect` lists, `assign` fields.
 */
export type MergeRule<Value> =
  | "first"
  | "last"
  | ([Value] extends [boolean] ? "any" : never)
  | ([Value] extends [string] ? "concat" : never)
  | ([Value] extends [readonly unknown[]] ? "append" | "intersect" : never)
  | ([Value] extends [object] ? "assign" : never)
  | CustomMerge<Value>;

/** A rule for every field of a result. */
export type MergeRules<Result> = {
  readonly [Field in keyof Result]-?: MergeRule<NonNullable<Result[Field]>>;
};
