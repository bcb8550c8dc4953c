import { join } from "node:path";

/** Programs that every reader has: those of the system, and Node.js with npm and git, which the README asks for. */
export const PRESENT = [
  ...["git", "npm", "curl", "bash", "sh", "cat", "cp", "date", "echo", "head", "ls", "mkdir"],
  ...["mv", "printf", "rm", "sed", "tail", "tee", "test", "true", "sleep", "sort", "grep", "wc"],
  ...["env", "chmod", "timeout", "find", "tr", "cut", "dirname", "basename", "uname", "id", "ps"],
  ...["which", "ln", "touch", "setsid"],
];

/**
 * Returns the programs of the reader that are written for the rehearsal, by name.
 * @param node - path of Node.js
 * @param script - path of the command line of the checkout
 * @param root - the checkout, built
 */
export function shims(node, script, root) {
  return {
    openclaw: openclaw(node, script, join(root, "scripts/rehearsal/browser.mjs")),
    npx: npx(root),
    curl: CURL,
  };
}

/**
 * A command that serves until it is stopped has done its work when it still runs after some seconds. What a reader types at
 * a terminal is piped: a message into a chat, a value for a secret, a yes. A browser of the rehearsal makes logins.
 */
function openclaw(node, script, browser) {
  // Commands that the gateway runs see the folders of the system, as the sandbox does, after those of a scene.
  return `#!/bin/sh
export PATH="$HOME/../programs:/usr/local/bin:/usr/bin:/bin:$PATH"
case "$1 $2" in
  " "|"run "*|"gateway run"|"plugins dev"|"logs -f"|"logs --follow")
    timeout 6 "${node}" "${script}" "$@"
    status=$?
    [ $status = 124 ] && exit 0
    exit $status ;;
  "chat "*)
    case " $* " in *" -m "*|*" --message "*) ;; *) echo hello | "${node}" "${script}" "$@"; exit ;; esac ;;
  "mcp auth"|"nearai login"|"secrets login")
    case " $* " in *" --remove "*) ;; *) exec "${node}" "${browser}" "${node}" "${script}" "$@" ;; esac ;;
  "plugins init") exec "${node}" "${script}" "$@" --yes ;;
  "secrets logout") exec "${node}" "${script}" "$@" --yes ;;
  "secrets set") printf typed-value | "${node}" "${script}" "$@"; exit ;;
esac
exec "${node}" "${script}" "$@"
`;
}

/** In a checkout \`openclaw\` is a script of pnpm; nothing else is fetched. */
function npx(root) {
  return `#!/bin/sh
[ "$1" = -y ] && shift
case "$1" in pnpm@*) shift ;; *) echo "npx needs a registry" >&2; exit 99 ;; esac
case "$1" in -s|--silent) shift ;; esac
case "$1" in
  openclaw) shift; exec openclaw "$@" ;;
  exec) shift; exec "$@" ;;
  release-checks) shift; cd "${root}" && exec node scripts/release-checks.mjs "$@" ;;
esac
echo "pnpm $1 needs a checkout" >&2
exit 99
`;
}

/** A stream of events does not end; a second of it shows that it is served. */
const CURL = `#!/bin/sh
curl=/usr/bin/curl
[ -x "$curl" ] || curl=/bin/curl
case " $* " in
  *" -N "*)
    timeout 1 "$curl" -f "$@"
    status=$?
    [ $status = 124 ] && exit 0
    exit $status ;;
esac
exec "$curl" "$@"
`;
