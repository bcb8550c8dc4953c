/** Folders that contain credentials, including all files in them. */
const FOLDERS = [
  "/.ssh/",
  "/.aws/",
  "/.azure/",
  "/.gnupg/",
  "/.config/gcloud/",
  "/.config/gh/",
  "/.config/op/",
  "/.kube/",
  "/.password-store/",
  "/.local/share/keyrings/",
  "/.ironclaw/secrets/",
  "/.openclaw/secrets/",
  "/library/keychains/",
];

/** Ends of a path that name one file. */
const ENDINGS = [
  "/.docker/config.json",
  "/.docker/daemon.json",
  "/.cargo/credentials",
  "/.cargo/credentials.toml",
  "/.gem/credentials",
  "/.terraform.d/credentials.tfrc.json",
  "/.config/fish/fish_history",
  "/.local/share/fish/fish_history",
];

/** Files of the system that contain accounts. */
const SYSTEM_FILES =
  /^\/(?:etc\/(?:passwd|shadow|gshadow|master\.passwd|sudoers)-?|proc\/(?:self|thread-self|\d+)\/(?:environ|cmdline))$|^\/etc\/sudoers\.d\//;
const NAMES =
  /^(?:[._]netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.vault-token|\.dockercfg|\.?kubeconfig|\.[a-z0-9_-]{1,32}_history|\.history|\.histfile|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?)$/;
const KEY_FILE = /.\.(?:pem|key|p12|pfx|jks|keystore)$/;
const DOTENV = /^\.env(?:\.|$)/;
/** A folder is not a template, whatever its name; `.env` alone is also the name of Python environments. */
const DOTENV_FOLDER =
  /\/\.env(?:\.[^/]+)?\/(?!(?<=\/\.env\/)(?:bin|include|lib|lib64|share|scripts|pyvenv\.cfg)(?:\/|$))/;
const PLAIN_DOTENV = /^\.env\.(?:example|template|sample)$/;

export interface SensitivePathOptions {
  /** Absolute real path of the host's state folder, which is closed to tools (D27). */
  readonly stateFolder?: string | undefined;
  /** The only folder inside the state folder that is open to tools. */
  readonly openFolder?: string | undefined;
}

/** Reason why a path is closed to file tools. */
export interface SensitivePath {
  readonly kind: "state" | "dotenv" | "credentials" | "key" | "system";
  readonly reason: string;
}

/**
 * Returns the reason why file tools must not open a path (SAFE-047).
 * @param path - absolute real path, with links resolved; letter case and the kind of slash do not
 *   matter
 * @returns undefined when the path is open
 */
export function sensitivePath(
  path: string,
  { stateFolder, openFolder }: SensitivePathOptions = {},
): SensitivePath | undefined {
  const plain = normalised(path);
  const isState = stateFolder !== undefined && isInside(plain, normalised(stateFolder));
  if (isState && !(openFolder !== undefined && isInside(plain, normalised(openFolder)))) {
    return { kind: "state", reason: "the state folder of the host is closed to tools" };
  }
  if (SYSTEM_FILES.test(plain)) {
    return { kind: "system", reason: "the file contains accounts or the environment of a process" };
  }
  const name = plain.slice(plain.lastIndexOf("/") + 1);
  if (DOTENV_FOLDER.test(plain) || (DOTENV.test(name) && !PLAIN_DOTENV.test(name))) {
    return { kind: "dotenv", reason: "environment files contain the secrets of a project" };
  }
  if (KEY_FILE.test(name)) return { kind: "key", reason: "the file name is that of a private key" };
  const isCredentials =
    NAMES.test(name) ||
    FOLDERS.some((folder) => `${plain}/`.includes(folder)) ||
    ENDINGS.some((ending) => plain.endsWith(ending));
  return isCredentials
    ? { kind: "credentials", reason: "the file or folder contains credentials or a shell history" }
    : undefined;
}

function normalised(path: string): string {
  const segments: string[] = [];
  for (const segment of path.toLowerCase().replaceAll("\\", "/").split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
