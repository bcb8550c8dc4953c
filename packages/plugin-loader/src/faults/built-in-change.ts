/** One difference of a built-in object from what it was. */
export interface BuiltInChange {
  /** For example `Object.prototype.polluted was added`. */
  readonly description: string;
  /** True when all objects or all arrays inherit it as an enumerable property, see `BuiltIns.isPolluted`. */
  readonly isInheritedByAll: boolean;
  /**
   * Puts the built-in object back.
   * @returns false when the object does not allow it
   */
  restore(): boolean;
}
