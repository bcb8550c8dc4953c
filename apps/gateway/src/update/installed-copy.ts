/** A version that was fetched and is not in use yet. */
export interface StagedVersion {
  /** Version or revision, for the operator. */
  readonly name: string;
  /** True when it is the one in use. */
  readonly isCurrent: boolean;
  /** Puts it into use instead of the present one. */
  activate(): Promise<void>;
  /** Puts the previous version into use again. */
  revert(): Promise<void>;
  /** Removes what is not in use. */
  discard(): void;
}

/** Copy of OpenClaw that an update replaces. */
export interface InstalledCopy {
  /**
   * Fetches a version.
   * @param from - source that the operator named
   * @throws UpdateRefusedError
   */
  stage(from: string | undefined): Promise<StagedVersion>;
}
