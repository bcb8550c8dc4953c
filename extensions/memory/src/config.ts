/** Folder of Markdown files that is kept in memory. */
export interface WatchedFolder {
  /** Path on disk; `~` is the home folder. */
  readonly path: string;
  /** Folder of the memory that receives the documents; the root when absent. */
  readonly target?: string;
}

/** Configuration of the plugin. */
export interface MemoryConfig {
  /** Time zone of daily notes, for example Europe/Lisbon; that of the host when absent. */
  readonly timeZone?: string;
  readonly folders?: readonly WatchedFolder[];
  readonly autoRecall?: {
    readonly enabled?: boolean;
    /** Also in groups, whose members then see what the agent recalls. */
    readonly inGroups?: boolean;
    /** Maximum number of tokens of the recalled text. */
    readonly maxTokens?: number;
    /** Time limit of the search in milliseconds. */
    readonly timeoutMs?: number;
  };
  /** True captures facts about users after each turn. */
  readonly autoCapture?: boolean;
  readonly prompt?: {
    readonly enabled?: boolean;
    /** Maximum number of characters of each file in the prompt. */
    readonly maxCharsPerFile?: number;
  };
  /** True lets the model write IDENTITY.md, SOUL.md, AGENTS.md and USER.md without approval. */
  readonly allowIdentityWrites?: boolean;
  readonly hygiene?: {
    readonly enabled?: boolean;
    /** Age in days from which daily notes are removed. */
    readonly keepDays?: number;
  };
  readonly search?: {
    readonly minSimilarity?: number;
    readonly minScore?: number;
  };
  /** Embedding model as `<provider>/<model>`; `none` searches full text only. */
  readonly embedding?: string;
}

/** Values where the configuration has none. */
export const DEFAULTS = {
  recallTokens: 2000,
  recallTimeoutMs: 2000,
  charsPerFile: 20_000,
  keepDays: 30,
} as const;
