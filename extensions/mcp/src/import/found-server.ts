/** Fields of an entry of the configuration. */
export type WrittenEntry = Readonly<Record<string, unknown>>;

/** Server in a file of another program. */
export interface FoundServer {
  /** Name in that file, without characters that the configuration rejects. */
  readonly name: string;
  /** Entry for the configuration. Its literal secrets are still in it. */
  readonly entry: WrittenEntry;
  /** Settings of the other program that the entry does not keep, for the operator. */
  readonly notes: readonly string[];
}

/** Server that cannot be taken over. */
export interface UnusableServer {
  readonly name: string;
  /** Reason, as the end of a sentence that begins with the server. */
  readonly problem: string;
}

/** Place from which values of a file are understood. */
export interface ImportPlace {
  readonly home: string;
  /** Folder in which the command runs. */
  readonly workspace: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
