/** Secret in a text. */
export interface FoundSecret {
  /** Offset of its first UTF-16 code unit. */
  readonly start: number;
  /** Offset behind its last UTF-16 code unit. */
  readonly end: number;
  /** ID of the rule that found it; the reference of the safety engine describes it. */
  readonly rule: string;
}

/** The rules of the host's safety engine. */
export interface RuntimeSafety {
  /**
   * Finds the secrets of a text by the leak rules in force, also disguised and encoded ones (SDK-053).
   * @param text - text of any length
   * @returns the secrets that the host would redact in the output of a tool, in order; they may overlap
   */
  findSecrets(text: string): readonly FoundSecret[];
}
