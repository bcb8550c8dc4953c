/** Names of folders that contain secrets, including all files in them. */
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

/** Names of files that are likely to contain secrets; `*` matches any text. */
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
/** Settings of git, whose URLs may contain passwords. */
const GIT_SETTINGS = /(?:^|\/)\.git\/(?:config|credentials)$/i;
const SAMPLE = /\.(?:example|template|sample|dist|pub)$/i;

/**
 * Returns whether a path names a file or folder that is likely to contain secrets; no command shows
 * it without approval.
 * @param path - path with slashes
 */
export function isPrivate(path: string): boolean {
  if (GIT_SETTINGS.test(path)) return true;
  return path.split(/[/:]/).some(
    (segment, index, segments) =>
      FOLDERS.has(segment.toLowerCase()) ||
      // A folder with the name of a sample can hold anything.
      (FILES.test(segment) && !(SAMPLE.test(segment) && isLast(segments, index))),
  );
}

function isLast(segments: readonly string[], index: number): boolean {
  return segments.slice(index + 1).every((segment) => segment === "");
}
