/** Metadata of a document that its writer may set (MEM-001). */
export interface DocumentMetadata {
  /** Source of the content, for example a file or a page. */
  readonly sourceUrl?: string | undefined;
  /** Date that the content is about, in the form YYYY-MM-DD; that of a daily note is its name. */
  readonly eventDate?: string | undefined;
  /** From 0 to 1; default 0.5. */
  readonly importance?: number | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** A document of the memory (MEM-001). */
export interface MemoryDocument {
  readonly id: string;
  readonly path: string;
  readonly content: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sourceUrl: string | undefined;
  readonly eventDate: string | undefined;
  readonly importance: number;
  readonly accessCount: number;
  readonly lastAccessedAt: string | undefined;
  readonly tags: readonly string[];
}

/** A document as a list shows it. */
export type DocumentSummary = Omit<MemoryDocument, "content"> & {
  /** Number of bytes of the content. */
  readonly bytes: number;
};

/** Entry of a folder (MEM-005). */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: "document" | "folder";
  /** Number of bytes of the content, for a folder of all documents in it. */
  readonly bytes: number;
  /** Time of the last change, for a folder of the newest document in it. */
  readonly updatedAt: string;
  /** Number of documents in a folder. */
  readonly documents?: number;
  /** Entries of a folder; absent below the requested depth. */
  readonly children?: readonly FolderEntry[];
}
