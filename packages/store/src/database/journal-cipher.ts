import type { SealedValue } from "./sealed-value.js";

/** Owner of the keys of the journal among the secrets; no operator or plugin has this name. */
export const JOURNAL_KEY_OWNER = "journal";

/**
 * Encrypts the steps of turns, which contain the parameters of tool calls (APPR-011). Its keys are secrets of the
 * store, encrypted with the master key, so that a rotation of the master key leaves the journal as it is.
 */
export interface JournalCipher {
  /**
   * Encrypts a step.
   * @param runId - its run, without which it cannot be decrypted
   */
  seal(step: string, runId: string): string;
  /**
   * Decrypts a step.
   * @param sealed - text that {@link JournalCipher.seal} returned
   * @param findKey - returns the encrypted key with an ID
   * @throws when the key is missing, or the text was changed or belongs to another run
   */
  open(
    sealed: string,
    runId: string,
    findKey: (id: string) => Promise<SealedValue | undefined>,
  ): Promise<string>;
}
