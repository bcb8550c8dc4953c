/** The result that a custom merge rule receives, with its origin. */
export interface MergedFrom {
  /** Id of the plugin whose handler returned it. */
  readonly owner: string;
  /** True when that result ended the dispatch. */
  readonly terminal: boolean;
}

/** A custom merge rule for one field, with its description on the reference page. */
export interface CustomMerge<Value> {
  readonly rule: string;
  merge(earlier: Value | undefined, next: Value, from: MergedFrom): Value;
}

/**
 * Rule that merges the values that several handlers return for one field: `first` or `last`
 * defined, `concat` with a blank line between, `append` lists, `any` true, `intersect` lists,
 * `assign` fields.
 */
export type MergeRule<Value> =
  | "first"
  | "last"
  | ([Value] extends [boolean] ? "any" : never)
  | ([Value] extends [string] ? "concat" : never)
  | ([Value] extends [readonly unknown[]] ? "append" | "intersect" : never)
  | ([Value] extends [object] ? "assign" : never)
  | CustomMerge<Value>;

/** A merge rule for every field of a result. */
export type MergeRules<Result> = {
  readonly [Field in keyof Result]-?: MergeRule<NonNullable<Result[Field]>>;
};
