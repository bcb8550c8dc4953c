import type { AnchoredDetector } from "../detector.js";
import { PRIVATE_KEY_LEAK } from "../leak-actions.js";
import type { LeakRule } from "../rule.js";

const BEGIN = "-----BEGIN ";
const REASON = "Anyone with this key can impersonate its owner, and a leak cannot be undone.";
/** Distance after a quoted header within which key material is searched for, in characters. */
const MENTION_REACH = 160;
const MATERIAL = /[A-Za-z0-9+/]{32}/;
/**
 * Line breaks that are written as escapes, then a character with which neither text nor a key
 * continues.
 */
const CLOSED = /(?:\\+[nr])*[^\sA-Za-z0-9+=_-]/y;

/** Matches the header of a private key at the start of a text, with the name of the key. */
const HEADER = /^-----BEGIN ([A-Z ]{1,32})-----/;

/**
 * Returns the line that ends a private key.
 * @param block - text that begins with the header of a private key
 */
export function privateKeyFooter(block: string): string {
  return `-----END ${HEADER.exec(block)?.[1]}-----`;
}

/** Returns whether a text begins with the header of a private key. */
export function isPrivateKeyHeader(text: string): boolean {
  return HEADER.test(text);
}

/** Private key blocks (SAFE-017). */
export const PRIVATE_KEY_RULES: readonly LeakRule[] = [
  rule("pem_private_key", "PEM private key", "RSA PUBLIC KEY", [
    "PRIVATE KEY",
    "RSA PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
  ]),
  rule("ssh_private_key", "SSH private key", "CERTIFICATE", [
    "OPENSSH PRIVATE KEY",
    "EC PRIVATE KEY",
    "DSA PRIVATE KEY",
  ]),
  rule("pgp_private_key", "PGP private key", "PGP PUBLIC KEY BLOCK", ["PGP PRIVATE KEY BLOCK"]),
];

function rule(
  id: string,
  title: string,
  publicName: string,
  names: readonly [string, ...string[]],
): LeakRule {
  return {
    kind: "leak",
    id,
    title,
    reason: REASON,
    severity: "critical",
    label: "PRIVATE_KEY",
    actions: PRIVATE_KEY_LEAK,
    detector: keyBlock(names),
    examples: {
      match: names.flatMap((name) => [
        `${BEGIN}${name}-----\nkey material\n-----END ${name}-----`,
        `${BEGIN}${name}-----\nno end`,
      ]),
      clean: [
        `${BEGIN}${publicName}-----\npublic material\n-----END ${publicName}-----`,
        `if (line === "${BEGIN}${names[0]}-----") return true;`,
      ],
    },
  };
}

/** Matches from the header to the matching footer, or to the end of the text. */
function keyBlock(names: readonly string[]): AnchoredDetector {
  return {
    by: "anchor",
    anchors: [BEGIN],
    ignoreCase: false,
    open: () => (text, at) => {
      const name = names.find((candidate) =>
        text.startsWith(`${candidate}-----`, at + BEGIN.length),
      );
      if (name === undefined) return undefined;
      const body = at + BEGIN.length + name.length + "-----".length;
      if (isMention(text, body)) return undefined;
      const footer = `-----END ${name}-----`;
      const end = text.indexOf(footer, body);
      return [at, end === -1 ? text.length : end + footer.length];
    },
  };
}

/**
 * Returns whether a header is only mentioned: punctuation follows it directly, as in source code
 * and prose, and no key material follows.
 */
function isMention(text: string, body: number): boolean {
  CLOSED.lastIndex = body;
  return CLOSED.test(text) && !MATERIAL.test(text.slice(body, body + MENTION_REACH));
}
