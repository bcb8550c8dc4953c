/** Secret in a text. */
export interface FoundSecret {
  /** Offset of its first UTF-16 code unit. */
  readonly start: number;
  /** Offset behind its last UTF-16 code unit. */
  readonly end: number;
  /** ID of the rule that found it; the reference of the safety engine describes it. */
  readonly rule: string;
}

/** Text that tries to give instructions to a model. */
export interface FoundInjection {
  /** ID of the rule that found it; the reference of the safety engine describes it. */
  readonly rule: string;
  readonly severity: "low" | "medium" | "high" | "critical";
  /** Wording that was found. */
  readonly marker: string;
}

/** The rules of the host's safety engine. */
export interface RuntimeSafety {
  /**
   * Finds the secrets of a text by the leak rules in force, also disguised and encoded ones (SDK-053).
   * @param text - text of any length
   * @returns the secrets that the host would redact in the output of a tool, in order; they may overlap
   */
  findSecrets(text: string): readonly FoundSecret[];
  /**
   * Finds text that tries to give instructions to a model, by the built-in injection rules (SDK-521). Use it for text of
   * others that becomes a part of a prompt without being the output of a tool, for example a description.
   * @param text - text of any length
   * @returns the findings in order
   */
  findInjections(text: string): readonly FoundInjection[];
}
