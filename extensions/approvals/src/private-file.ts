/** Names of folders that hold secrets, with everything in them. */
export const PRIVATE_FOLDERS: readonly string[] = [
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".docker",
  ".password-store",
  ".openclaw",
  ".openclaw-state",
];

/** Names of files that are likely to hold secrets; `*` stands for any text. */
export const PRIVATE_FILES: readonly string[] = [
  ".env",
  ".env.*",
  ".envrc",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".htpasswd",
  ".dockercfg",
  "kubeconfig",
  ".git-credentials",
  ".vault-token",
  ".*history",
  "id_rsa*",
  "id_dsa*",
  "id_ecdsa*",
  "id_ed25519*",
  "credentials",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.jks",
  "*.keystore",
];

const FOLDERS = new Set(PRIVATE_FOLDERS);
const FILES = new RegExp(
  `^(?:${PRIVATE_FILES.map((name) => name.replaceAll(".", "\\.").replaceAll("*", ".*")).join("|")})$`,
  "i",
);
/** Its URLs may hold passwords. */
const GIT_SETTINGS = /(?:^|\/)\.git\/(?:config|credentials)$/i;
const SAMPLE = /\.(?:example|template|sample|dist|pub)$/i;

/**
 * Returns whether a path names something that is likely to hold secrets, which no command shows without
 * approval.
 * @param path - with slashes
 */
export function isPrivate(path: string): boolean {
  if (GIT_SETTINGS.test(path)) return true;
  return path
    .split(/[/:]/)
    .some(
      (segment) =>
        FOLDERS.has(segment.toLowerCase()) || (FILES.test(segment) && !SAMPLE.test(segment)),
    );
}
