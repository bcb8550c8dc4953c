import type { ServiceDefinition } from "./definition.js";
import { markOf } from "./file-mark.js";

/** Exit codes of problems that a restart does not solve: configuration, rights, and a folder or port in use. */
const LASTING_PROBLEMS = "75 77 78";
/** A stop takes the gateway at most 20 s (GW-009). */
const STOP_SECONDS = 30;

/**
 * Returns the text of a systemd user unit (GW-012).
 * @param service - command, folders and variables
 */
export function systemdUnit(service: ServiceDefinition): string {
  const command = [service.node, service.script, ...service.args].map(commandWord).join(" ");
  const variables = Object.entries(service.variables).map(
    ([name, value]) => `Environment=${quoted(`${name}=${value}`)}`,
  );
  return `# ${markOf(service.version)}
# To change settings run \`systemctl --user edit openclaw\`; the next \`service install\` replaces this file.
[Unit]
Description=OpenClaw gateway
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${command}
WorkingDirectory=${service.workspaceDir.replaceAll("%", "%%")}
${variables.join("\n")}
UMask=0077
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=${LASTING_PROBLEMS}
KillMode=mixed
TimeoutStopSec=${STOP_SECONDS}

[Install]
WantedBy=default.target
`;
}

/** Quotes a word of a command; systemd expands `$` there, and `%` everywhere. */
function commandWord(word: string): string {
  return quoted(word).replaceAll("$", "$$$$");
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
}
