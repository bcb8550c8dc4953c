/** Kinds of sensitive data, in the order in which overlapping finds win. */
export const KINDS = ["secret", "iban", "card", "email", "phone"] as const;

/** Kind of sensitive data. */
export type SensitiveKind = (typeof KINDS)[number];

/** Sensitive data in a text, as offsets of UTF-16 code units. */
export interface SensitiveData {
  readonly kind: SensitiveKind;
  readonly start: number;
  readonly end: number;
}

/** Text that stands for removed data. */
export const REPLACEMENTS: Readonly<Record<SensitiveKind, string>> = {
  secret: "[REDACTED]",
  iban: "[REDACTED_IBAN]",
  card: "[REDACTED_CARD]",
  email: "[REDACTED_EMAIL]",
  phone: "[REDACTED_PHONE]",
};

/** Names of the kinds in sentences. */
export const KIND_NAMES: Readonly<Record<SensitiveKind, string>> = {
  secret: "a secret",
  iban: "a bank account number",
  card: "a payment card number",
  email: "an email address",
  phone: "a phone number",
};
