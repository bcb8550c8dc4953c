/** Shortens conversations in place of the host (PLUG-056). */
export interface CompactionProvider {
  readonly id: string;
  readonly [member: string]: unknown;
}
