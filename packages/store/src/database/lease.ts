/** The right of one owner to work on something, for a time. */
export interface Lease {
  readonly key: string;
  readonly owner: string;
  /** Fencing number; each acquisition of a key has a higher one than all before. */
  readonly token: number;
}
