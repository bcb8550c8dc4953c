import {
  findSecrets,
  type RuleSet,
  redactLogFields,
  redactLogText,
  type SecretPlace,
} from "@openclaw/safety";

/** Removes secrets from what is logged, or what plugins send to other systems (GW-048, SAFE-055). */
export class LogRedaction {
  #rules: () => RuleSet | undefined = () => undefined;

  /**
   * Changes the rules.
   * @param rules - returns the rules in force, or undefined while none are compiled and the built-in rules apply
   */
  use(rules: () => RuleSet | undefined): void {
    this.#rules = rules;
  }

  /** Returns a text without secrets. */
  text(text: string): string {
    return redactLogText(text, { rules: this.#rules() });
  }

  /**
   * Returns a value without secrets, found by their form in strings and by the names of fields.
   * @param value - any value; it is not modified
   */
  value(value: unknown): unknown {
    return redactLogFields(value, { rules: this.#rules() });
  }

  /** Returns the places of the secrets in a text. */
  secrets(text: string): readonly SecretPlace[] {
    return findSecrets(text, { rules: this.#rules() });
  }
}
