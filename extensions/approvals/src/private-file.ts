const PRIVATE_FOLDERS = new Set([
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".docker",
  ".openclaw",
  ".openclaw-state",
]);
const PRIVATE_NAME =
  /^(?:\.env(?:\..+)?|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.vault-token|\..*history|id_(?:rsa|dsa|ecdsa|ed25519)|credentials|.+\.(?:pem|key|p12|pfx|jks|keystore))$/i;
/** Its addresses may hold passwords. */
const GIT_SETTINGS = /(?:^|\/)\.git\/(?:config|credentials)$/i;
const SAMPLE = /\.(?:example|template|sample|dist|pub)$/i;

/**
 * Whether a path names something that is likely to hold secrets, which no command shows unasked.
 * @param path - with slashes, or as `git show` takes it, with a colon
 */
export function isPrivate(path: string): boolean {
  if (GIT_SETTINGS.test(path)) return true;
  return path
    .split(/[/:]/)
    .some(
      (segment) =>
        PRIVATE_FOLDERS.has(segment.toLowerCase()) ||
        (PRIVATE_NAME.test(segment) && !SAMPLE.test(segment)),
    );
}
