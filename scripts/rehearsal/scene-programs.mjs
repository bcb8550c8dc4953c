/** Knows units as systemd does, and runs nothing: machines that run tests rarely have a systemd of the user. */
export const SYSTEMCTL = `#!/bin/sh
active="$HOME/.systemctl-active"
case "$2" in
  start|restart) : > "$active" ;;
  stop|disable) rm -f "$active" ;;
  show)
    if [ -e "$active" ]; then printf 'MainPID=4711\\nResult=success\\nActiveState=active\\nSubState=running\\nUnitFileState=enabled\\n'
    else printf 'MainPID=0\\nResult=exit-code\\nActiveState=failed\\nSubState=failed\\nUnitFileState=enabled\\n'; fi ;;
esac
`;

/**
 * Rejects what Docker would reject: a file or folder that is missing, an image that was not built, a container or service that
 * does not run. A command in a container is executed by the reader; container-rehearsal.mjs executes the Dockerfile itself.
 */
export const DOCKER = `#!/bin/sh
images="$HOME/.docker-images"
running="$HOME/.docker-running"
reject() { echo "docker: $1" >&2; exit 125; }
known() { grep -qx "$2" "$1" 2>/dev/null || reject "unknown: $2"; }
container() {
  while [ "$#" -gt 1 ]; do case "$1" in -*) shift ;; *) break ;; esac; done
  known "$running" "$1"; shift
  exec "$@"
}
verb="$1"; shift
case "$verb" in
  build)
    while [ "$#" -gt 1 ]; do case "$1" in
      -f) [ -f "$2" ] || reject "no file $2"; shift 2 ;;
      -t) echo "$2" >> "$images"; shift 2 ;;
      *) reject "unknown option $1" ;;
    esac; done
    [ -d "$1" ] || reject "no folder $1" ;;
  run)
    name=
    while [ "$#" -gt 1 ]; do case "$1" in
      --name) name="$2"; shift 2 ;;
      -v|--volume) case "$2" in /*) [ -d "\${2%%:*}" ] || reject "no folder \${2%%:*}" ;; esac; shift 2 ;;
      -p|--publish|--tmpfs|--env) shift 2 ;;
      -d|--detach|--read-only|--init) shift ;;
      *) reject "unknown option $1" ;;
    esac; done
    # A name with a slash is in a registry.
    case "$1" in */*) ;; *) known "$images" "$1" ;; esac
    [ -z "$name" ] || echo "$name" >> "$running" ;;
  exec) container "$@" ;;
  compose)
    file= ; verb=
    while [ -z "$verb" ]; do case "$1" in -f) file="$2"; shift 2 ;; -p) shift 2 ;; *) verb="$1"; shift ;; esac; done
    [ -f "$file" ] || reject "no file $file"
    case "$verb" in
      up) sed -n 's/^  \\([a-z][a-z-]*\\):$/\\1/p' "$file" >> "$running" ;;
      exec) container "$@" ;;
      *) reject "unknown command $verb" ;;
    esac ;;
  *) reject "unknown command $verb" ;;
esac
`;

/** Pulls a model whose name is given, and nothing else. */
export const OLLAMA = `#!/bin/sh
[ "$#" = 2 ] && [ "$1" = pull ] && echo success
`;
