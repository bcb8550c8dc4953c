/** Word in a name that marks the value as a secret. */
interface SecretWord {
  readonly word: string;
  /** True when it marks a field whose name ends in it, in any spelling: `dbPassword`, `api-key`. */
  readonly field?: true;
  /**
   * Position in the name of a variable: at the end of a word, as a complete word, or after `_` at
   * the end of the name.
   */
  readonly variable?: "end" | "word" | "suffix";
  /**
   * Origin of the value in an assignment: chosen by a person (`password`), or generated (`key`).
   */
  readonly assigned?: "password" | "key";
}

/**
 * The only table of names of secrets. The redaction of log fields, the variables that child
 * processes never receive, and the leak rules for assignments are derived from it.
 */
export const SECRET_WORDS: readonly SecretWord[] = [
  { word: "password", field: true, variable: "end", assigned: "password" },
  { word: "passwords", variable: "end" },
  { word: "passwd", field: true, variable: "end", assigned: "password" },
  { word: "passphrase", field: true, variable: "end", assigned: "password" },
  { word: "passphrases", variable: "end" },
  { word: "pwd", field: true, variable: "suffix", assigned: "password" },
  { word: "pass", variable: "word" },
  { word: "secret", field: true, variable: "end", assigned: "key" },
  { word: "secrets", field: true, variable: "end" },
  { word: "token", field: true, variable: "end", assigned: "key" },
  { word: "tokens", field: true, variable: "end" },
  { word: "credential", field: true, variable: "end", assigned: "key" },
  { word: "credentials", field: true, variable: "end", assigned: "key" },
  { word: "key", variable: "end" },
  { word: "keys", variable: "end" },
  { word: "apikey", field: true, assigned: "key" },
  { word: "apikeys", field: true },
  { word: "secretkey", field: true, assigned: "key" },
  { word: "accesskey", field: true, assigned: "key" },
  { word: "accesskeyid", field: true },
  { word: "privatekey", field: true, assigned: "key" },
  { word: "masterkey", field: true, assigned: "key" },
  { word: "signingkey", field: true, assigned: "key" },
  { word: "encryptionkey", field: true, assigned: "key" },
  { word: "sessionkey", field: true },
  { word: "authkey", field: true, assigned: "key" },
  { word: "auth", variable: "suffix" },
  { word: "authorization", field: true },
  { word: "bearer", field: true },
  { word: "cookie", field: true, variable: "word" },
  { word: "cookies", field: true, variable: "word" },
  { word: "jwt", field: true, variable: "word" },
  { word: "pat", variable: "word" },
  { word: "dsn", variable: "word" },
  { word: "mnemonic", field: true },
  { word: "seedphrase", field: true },
  { word: "otp", field: true },
  { word: "pin", field: true },
];

const SEPARATORS = /[^a-z0-9]/g;
const FIELD = endOf(({ field }) => field === true);
const VARIABLE_WORD_END = endOf(({ variable }) => variable === "end");
const VARIABLE_SUFFIX = new RegExp(`_${endOf(({ variable }) => variable === "suffix").source}`);
const VARIABLE_WORDS = new Set(wordsOf(({ variable }) => variable === "word"));
/** Variables that contain the previous folder of a shell. */
const NOT_SECRET = new Set(["oldpwd", "old_pwd"]);

/**
 * Returns whether a field is named like a secret: its name ends in a word such as `password`,
 * `token` or `apiKey`, in any spelling. `tokenCount` and `secretName` are not.
 * @param name - name of a field
 */
export function isSecretName(name: string): boolean {
  return FIELD.test(name.toLowerCase().replace(SEPARATORS, ""));
}

/**
 * Returns true when an environment variable is named like a secret, such as `API_KEY`, `GITHUBTOKEN` or
 * `TLS_KEY_2`.
 * @param name - name of a variable; case does not matter
 */
export function isSecretVariable(name: string): boolean {
  const lower = name.toLowerCase();
  if (NOT_SECRET.has(lower)) return false;
  if (VARIABLE_SUFFIX.test(lower)) return true;
  return lower
    .split(/[^a-z]+/)
    .some((word) => VARIABLE_WORDS.has(word) || VARIABLE_WORD_END.test(word));
}

function wordsOf(isMeant: (word: SecretWord) => boolean): string[] {
  return SECRET_WORDS.filter(isMeant).map(({ word }) => word);
}

function endOf(isMeant: (word: SecretWord) => boolean): RegExp {
  return new RegExp(`(?:${wordsOf(isMeant).join("|")})$`);
}
