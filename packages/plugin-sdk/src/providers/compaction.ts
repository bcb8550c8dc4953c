/** Compaction of conversations that replaces the host's own (PLUG-056). */
export interface CompactionProvider {
  readonly id: string;
  readonly [member: string]: unknown;
}
